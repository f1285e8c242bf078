import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation } from '../../../src/gateway/api/operation/operation.ts';
import { documentsOf } from '../../../src/reference/documents.ts';

interface Described {
  readonly path: RegExp;
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
}

/** What is wrong with an answer, as the OpenAPI document describes its operation; null: nothing. */
export type Check = (method: string, url: string, status: number, text: string) => string | null;

const checks = new WeakMap<readonly Operation[], Check>();

/** Compares answers with the document of these operations, which is made for the first answer. */
export function answerCheck(operations: readonly Operation[]): Check {
  return (...answer) => {
    const check = checks.get(operations) ?? documentedCheck(operations);
    checks.set(operations, check);
    return check(...answer);
  };
}

/** Schemas are compiled when they are first met. */
function documentedCheck(operations: readonly Operation[]): Check {
  const { openApi } = documentsOf(operations);
  const { paths, components } = openApi as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Described['responses'] }>>>>;
    readonly components: Readonly<Record<string, Readonly<Record<string, Response>>>>;
  };
  // By method and number of segments: a few of a hundred and fifty.
  const described = new Map<string, Described[]>();
  for (const [path, item] of Object.entries(paths)) {
    const pattern = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[a-z_]+\}/g, '[^/]+')}$`);
    for (const [method, { responses }] of Object.entries(item)) {
      const shape = shapeOf(method.toUpperCase(), path);
      described.set(shape, [...(described.get(shape) ?? []), { path: pattern, responses }]);
    }
  }
  // reference/documents.test.ts checks the document itself.
  const ajv = new Ajv2020({ strict: false, allErrors: false, meta: false, validateSchema: false });
  const compiled = new Map<object, ValidateFunction>();
  const resolve = <T extends { readonly $ref?: string }>(value: T): T => {
    const [, , section = '', name = ''] = value.$ref?.split('/') ?? [];
    return value.$ref === undefined ? value : (components[section]?.[name] as unknown as T);
  };

  return (method, url, status, text) => {
    const path = url.split('?', 1)[0] ?? '';
    const operation = described.get(shapeOf(method, path))?.find((one) => one.path.test(path));
    if (operation === undefined) return null;
    const found = operation.responses[status];
    if (found === undefined) return `${method} ${path}: status ${status} is not described: ${text}`;
    const schema = resolve(found).content?.['application/json']?.schema;
    if (schema === undefined || text === '') return null;
    const shape = resolve(schema);
    const validate = compiled.get(shape) ?? ajv.compile(shape);
    compiled.set(shape, validate);
    if (validate(JSON.parse(text))) return null;
    return `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}: ${text}`;
  };
}

function shapeOf(method: string, path: string): string {
  return `${method} ${path.split('/').length}`;
}
