import { expect, test } from 'vitest';
import { type Module, modulesOf, readModule } from './support/modules.ts';

/** Folders whose exported functions others use without reading them: each has a docstring directly above it. */
const documented = /^src\/(access|contracts|files|lib|log|messages|network|runtime)\//;

const sources = modulesOf(['src']).filter(({ file }) => documented.test(file));

test('every exported function of the shared folders has a docstring', () => {
  const found = sources.flatMap((module) =>
    exportedFunctions(module)
      .filter(({ docstring }) => docstring === null)
      .map(({ name }) => `${module.file}: ${name}`),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

test('every way to export a function is seen, and only a docstring directly above it counts', () => {
  const text = `
/** Says what one gives. */
export function one(): void {}
/** Not of two: a line is between. */

export async function two(): Promise<void> {}
// No docstring.
export const three = (): void => {};
/**
 * Says what four gives.
 */
export const four = function (): void {};
/** Says what five gives. */
function five(): void {}
function six(): void {}
export { five, six as renamed };
/***/
export default function (): void {}
/** Of the overloads, the first has it. */
export function seven(value: string): void;
export function seven(value: number): void;
export function seven(): void {}
export const eight = 8;
export type Nine = () => void;
function ten(): void {}`;
  const found = exportedFunctions(readModule('example.ts', text));
  expect(found.map(({ name, docstring }) => [name, docstring !== null])).toEqual([
    ['one', true],
    ['two', false],
    ['three', false],
    ['four', true],
    ['five', true],
    ['six', false],
    ['default', false],
    ['seven', true],
  ]);
});

type ExportedFunction = { readonly name: string; readonly docstring: string | null };

/** The functions that a module exports, by their names in it; of overloads, the first. */
function exportedFunctions({ text, parsed, comments }: Module): ExportedFunction[] {
  const { program } = parsed;
  const docstrings = comments.filter(({ type, value }) => type === 'Block' && /^\*[\s\S]*\w/.test(value));
  const local = new Map<string, ExportedFunction>();
  const exported = new Map<string, ExportedFunction>();

  function add(names: Map<string, ExportedFunction>, name: string, start: number): void {
    const above = docstrings.find(({ end }) => end < start && /^[ \t]*\n$/.test(text.slice(end, start)));
    if (!names.has(name)) names.set(name, { name, docstring: above?.value ?? null });
  }

  function addDeclared(names: Map<string, ExportedFunction>, node: unknown, start: number): void {
    const { type, id, declarations = [] } = node as Declaration;
    if (isFunction(type)) add(names, id?.name ?? 'default', start);
    for (const { id, init } of declarations)
      if (id.name !== undefined && isFunction(init?.type)) add(names, id.name, start);
  }

  for (const node of program.body) addDeclared(local, node, node.start);
  for (const node of program.body) {
    if (node.type === 'ExportDefaultDeclaration') addDeclared(exported, node.declaration, node.start);
    if (node.type !== 'ExportNamedDeclaration' || node.source !== null) continue;
    if (node.declaration !== null) addDeclared(exported, node.declaration, node.start);
    for (const { local: specifier } of node.specifiers) {
      const found = specifier.type === 'Identifier' ? local.get(specifier.name) : undefined;
      if (found !== undefined) exported.set(found.name, found);
    }
  }
  return [...exported.values()];
}

interface Declaration {
  readonly type: string;
  readonly id?: { readonly name: string } | null;
  readonly declarations?: readonly {
    readonly id: { readonly name?: string };
    readonly init: { readonly type: string } | null;
  }[];
}

function isFunction(type: string | undefined): boolean {
  return type !== undefined && /Function/.test(type);
}
