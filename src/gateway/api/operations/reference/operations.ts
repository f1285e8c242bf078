import * as z from 'zod';
import { type Documents, documentsOf } from '../../../../reference/documents.ts';
import { defineOperation, type Operation } from '../../operation/operation.ts';
import { ServedDocument } from './served-document.ts';

const publicGet = {
  surface: 'public',
  authentication: { kind: 'none' },
  input: {},
} as const;

/** The documents of all operations, these two included; written when they are first asked for. */
export function referenceOperations(described: readonly Operation[]): readonly Operation[] {
  const served = new Map<keyof Documents, ServedDocument>();
  const documentOf = (name: keyof Documents): ServedDocument => {
    const known = served.get(name);
    if (known !== undefined) return known;
    const documents = documentsOf([...described, ...own]);
    for (const each of ['openApi', 'asyncApi'] as const)
      served.set(each, new ServedDocument(JSON.stringify(documents[each])));
    return documentOf(name);
  };
  const own: readonly Operation[] = [
    defineOperation({
      ...publicGet,
      id: 'reference.openapi',
      name: 'OpenAPI document of this API',
      route: 'GET /v1/openapi.json',
      output: z.looseObject({ openapi: z.string() }),
      handle: (request) => documentOf('openApi').reply(request),
    }),
    defineOperation({
      ...publicGet,
      id: 'reference.asyncapi',
      name: 'AsyncAPI document of the feeds',
      route: 'GET /v1/asyncapi.json',
      output: z.looseObject({ asyncapi: z.string() }),
      handle: (request) => documentOf('asyncApi').reply(request),
    }),
  ];
  return own;
}
