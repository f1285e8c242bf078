import { relative, resolve } from 'node:path';
import type { Expression, Node } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isAssignmentOperator,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isExpressionStatement,
  isFunctionExpression,
  isIdentifier,
  isNewExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isVoidExpression,
} from 'typescript/unstable/ast/is';
import {
  API,
  type Project,
  SignatureKind,
  type Type,
  TypeFlags,
  type UnionType,
} from 'typescript/unstable/sync';
import { afterAll, expect, test } from 'vitest';

/**
 * Nobody may leave a promise alone: what it fails with would end a role without a word of what it was about. It is
 * awaited, returned, kept, or its `catch` says who is told.
 */

const repository = resolve(import.meta.dirname, '../..');
const configuration = resolve(repository, 'tsconfig.json');
const patienceMs = 120_000;
const api = new API({ cwd: repository });
const { program, checker } = openProject();
afterAll(() => api.close());

test('every promise of src, and of what left it, is observed', { timeout: patienceMs }, () => {
  const folders = ['src', 'tools', 'verifier/src'].map((folder) => `${repository}/${folder}/`);
  const files = program.getSourceFileNames().filter((name) => folders.some((each) => name.startsWith(each)));
  const counts = folders.map((folder) => files.filter((name) => name.startsWith(folder)).length);
  expect(Math.min(...counts)).toBeGreaterThan(20);
  expect(files.flatMap(unobserved)).toEqual([]);
});

test('every way to leave a promise alone is seen', { timeout: patienceMs }, () => {
  const found = unobserved(resolve(import.meta.dirname, 'support/promises.ts'));
  expect(found.map((line) => line.slice(line.indexOf(' ') + 1))).toEqual([
    'floating()',
    'floating().then(() => {})',
    'floating().finally(() => {})',
    'floating()',
    'floating().then(() => {})',
    '() => floating()',
    'async () => {}',
    'async function () {}',
    'floating',
    'maybe?.()',
    'async () => {}',
    'isOn && floating()',
    'floating()',
  ]);
});

function openProject(): Project {
  const project = api.updateSnapshot({ openProjects: [configuration] }).getProject(configuration);
  if (project === undefined) throw new Error(`${configuration} is no project.`);
  return project;
}

function unobserved(file: string): string[] {
  const source = program.getSourceFile(file)!;
  const found: string[] = [];
  const tell = (node: Node): void => {
    const line = source.text.slice(0, node.getStart(source)).split('\n').length;
    found.push(`${relative(repository, file)}:${line} ${node.getText(source)}`);
  };
  const look = (node: Node): void => {
    if (isExpressionStatement(node) || isVoidExpression(node)) {
      const { expression } = node;
      if (
        !isVoidExpression(expression) &&
        !isKept(expression) &&
        isPromise(expression) &&
        !isCaught(expression)
      )
        tell(expression);
    } else if (isCallExpression(node) || isNewExpression(node)) {
      const given = isAwaitingItself(node.expression) ? [] : (node.arguments ?? []);
      for (const argument of given) if (isThrownAway(argument)) tell(argument);
    } else if (isPropertyAssignment(node) && isThrownAway(node.initializer)) tell(node.initializer);
    node.forEachChild(look);
  };
  source.forEachChild(look);
  return found;
}

function isPromise(expression: Expression): boolean {
  const type = checker.getTypeAtLocation(expression);
  return type !== undefined && isThenable(type);
}

function isThenable(type: Type): boolean {
  if ((type.flags & TypeFlags.Any) !== 0) return false;
  if (type.flags & TypeFlags.Union) return (type as UnionType).getTypes().some(isThenable);
  // Fastify's replies have a `then` and are no promises.
  return ['then', 'catch'].every((name) => checker.getPropertyOfType(type, name) !== undefined);
}

function isKept(expression: Expression): boolean {
  return isBinaryExpression(expression) && isAssignmentOperator(expression.operatorToken.kind);
}

/** What gets a function and waits for what that gives, although its type takes anything. */
function isAwaitingItself(callee: Expression): boolean {
  return isPropertyAccessExpression(callee) && ['finally', 'register'].includes(callee.name.text);
}

/** `….catch(f)`, `….then(f, g)`, and either with a `finally` behind it. */
function isCaught(expression: Expression): boolean {
  if (!isCallExpression(expression) || !isPropertyAccessExpression(expression.expression)) return false;
  const { name, expression: before } = expression.expression;
  if (name.text === 'catch') return expression.arguments.length === 1;
  if (name.text === 'then') return expression.arguments.length === 2;
  return name.text === 'finally' && isCaught(before);
}

/** A function that gives a promise to somebody who takes nothing. */
function isThrownAway(value: Expression): boolean {
  if (!isArrowFunction(value) && !isFunctionExpression(value) && !isIdentifier(value)) return false;
  if (isArrowFunction(value) && !isBlock(value.body) && isCaught(value.body as Expression)) return false;
  const given = checker.getTypeAtLocation(value);
  const wanted = checker.getContextualType(value);
  if (given === undefined || wanted === undefined) return false;
  return results(given).some(isThenable) && isVoid(results(wanted));
}

function results(type: Type): Type[] {
  const bare = checker.getNonNullableType(type) ?? type;
  return checker
    .getSignaturesOfType(bare, SignatureKind.Call)
    .flatMap((signature) => checker.getReturnTypeOfSignature(signature) ?? []);
}

function isVoid(types: readonly Type[]): boolean {
  return types.length > 0 && types.every(({ flags }) => (flags & TypeFlags.Void) !== 0);
}
