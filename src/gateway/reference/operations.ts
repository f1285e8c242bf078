import * as z from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { type Documents, documentsOf } from './documents.ts';

const publicGet = {
  method: 'GET',
  surface: 'public',
  authentication: { kind: 'none' },
  input: {},
} as const;

/** The documents of all operations, these two included; written when they are first asked for. */
export function referenceOperations(described: readonly Operation[]): readonly Operation[] {
  const texts = new Map<keyof Documents, string>();
  const textOf = (name: keyof Documents): string => {
    const known = texts.get(name);
    if (known !== undefined) return known;
    const documents = documentsOf([...described, ...own]);
    for (const each of ['openApi', 'asyncApi'] as const) texts.set(each, JSON.stringify(documents[each]));
    return textOf(name);
  };
  const own: readonly Operation[] = [
    defineOperation({
      ...publicGet,
      id: 'reference.openapi',
      name: 'OpenAPI document of this API',
      path: '/v1/openapi.json',
      output: z.looseObject({ openapi: z.string() }),
      handle: async () => ({ status: 200, text: textOf('openApi') }),
    }),
    defineOperation({
      ...publicGet,
      id: 'reference.asyncapi',
      name: 'AsyncAPI document of the feeds',
      path: '/v1/asyncapi.json',
      output: z.looseObject({ asyncapi: z.string() }),
      handle: async () => ({ status: 200, text: textOf('asyncApi') }),
    }),
  ];
  return own;
}
