// Makes the generated files of the SDK from the OpenAPI document: types with openapi-typescript, and a table of the
// decimals in answers. The same document always gives the same bytes.
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { decimalsOf, decimalsOfSchema } from './decimals.mjs';

const note = '// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.\n\n';
const methods = ['get', 'put', 'post', 'delete', 'patch'];

/**
 * The text of each file below `src/generated`, by its name. @param {any} document of GET /v1/openapi.json
 * @param {any} feeds of GET /v1/asyncapi.json
 */
export async function generate(document, feeds) {
  const described = forServices(document);
  const ast = await openapiTypescript(described, { transform: exactDecimal });
  return {
    'openapi.ts': note + astToString(ast),
    'decimals.ts': `${note}${decimalsText(described)}${eventDecimalsText(feeds)}`,
  };
}

/** Webhooks carry the events of the feed of services. */
function eventDecimalsText({ components: { messages } }) {
  const paths = Object.values(messages).flatMap(({ payload }) => decimalsOfSchema(payload));
  return `
/** Where events have decimals, of whatever type; \`*\` is each item. */
export const eventDecimals: readonly string[] = ${JSON.stringify([...new Set(paths)].sort(), null, 2)};
`;
}

/** The types of the feeds' messages for `@potstream/client`, and where they have decimals. @param {any} document */
export async function generateFeeds({ components: { messages } }) {
  const schemas = Object.fromEntries(Object.values(messages).map(({ name, payload }) => [name, payload]));
  const described = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas },
  };
  const ast = await openapiTypescript(described, { transform: exactDecimal });
  const decimals = Object.entries(schemas).map(([name, schema]) => [name, decimalsOfSchema(schema)]);
  const table = Object.fromEntries(decimals.filter(([, paths]) => paths.length > 0));
  return `${note.replace('OpenAPI', 'AsyncAPI')}${astToString(ast)}
/** Where events have decimals, by event type; \`*\` is each item. */
export const decimals: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(table, null, 2)};
`;
}

/**
 * The types of what the console calls: an administrator's, and what is everybody's. Its parser leaves a decimal that a
 * double would round as text. @param {any} document
 */
export async function generateConsole(document) {
  const paths = Object.entries(document.paths)
    .map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).filter(isForConsole).map(withoutErrors)),
    ])
    .filter(
      ([path, item]) => !/^\/v[0-9]+\/(?!fairness|webhooks)/.test(path) && Object.keys(item).length > 0,
    );
  const described = { ...document, paths: Object.fromEntries(paths) };
  const ast = await openapiTypescript(described, { transform: anyDecimal });
  return note + astToString(ast);
}

/** All errors have one shape. */
function withoutErrors([method, operation]) {
  const answers = Object.entries(operation.responses).filter(([status]) => status < 300);
  return [method, { ...operation, responses: Object.fromEntries(answers) }];
}

function isForConsole([, { security }]) {
  return (
    security.some((scheme) => scheme.administrator !== undefined || Object.keys(scheme).length === 0) ||
    security.length === 0
  );
}

/** What a service or anybody may call below /v1 and /v2; the SDK has no administrator's credentials. */
function forServices(document) {
  const paths = Object.entries(document.paths)
    .filter(([path]) => /^\/v[0-9]+\//.test(path))
    .map(([path, item]) => [path, Object.fromEntries(Object.entries(item).filter(isForServices))])
    .filter(([, item]) => Object.keys(item).length > 0);
  return { ...document, paths: Object.fromEntries(paths) };
}

function isForServices([method, operation]) {
  if (!methods.includes(method))
    throw new Error(`Path items have the member ${method}, which nothing here reads.`);
  const { security } = operation;
  return security.length === 0 || security.some((scheme) => scheme.administrator === undefined);
}

/** Decimals are strings in the SDK, because a double rounds them. Integers stay numbers. */
function exactDecimal(schema) {
  if (schema.type !== 'number' || schema.const !== undefined) return undefined;
  return ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
}

function anyDecimal(schema) {
  if (schema.type !== 'number' || schema.const !== undefined) return undefined;
  return ts.factory.createUnionTypeNode([
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword),
  ]);
}

function decimalsText({ paths }) {
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      decimalsOf(operation),
    ]),
  );
  const table = Object.fromEntries(rows.filter(([, decimals]) => decimals.length > 0));
  return `/** Where answers have decimals, by method and path; \`*\` is each item or member. */
export const decimals: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(table, null, 2)};
`;
}
