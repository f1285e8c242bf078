import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { listQuery, pageNumber } from '../../src/contracts/fields/lists.ts';
import { winnersInQuery } from '../../src/contracts/jackpots/winner.ts';
import { operations } from '../../src/gateway/api/operations/index.ts';
import { documentsOf } from '../../src/reference/documents.ts';
import { urlSchema } from '../../src/reference/url-schema.ts';

describe('a parameter in a path or query', () => {
  const { shape } = listQuery(['name', 'id'], {});

  it.each<[string, z.ZodType, object]>([
    ['a page', pageNumber, { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 }],
    ['a limit', shape.limit, { type: 'integer', minimum: 1, maximum: 500 }],
    ['a limit of winners', winnersInQuery, { type: 'integer', minimum: 0, maximum: 500 }],
    ['a direction', shape.sort_direction, { type: 'integer', enum: [1, -1] }],
    ['a field', shape.sort_field, { type: 'string', enum: ['name', 'id'] }],
    ['a truth', z.enum(['true', 'false']).transform((text) => text === 'true'), { type: 'boolean' }],
    ['a text', z.string().max(5).optional(), { type: 'string', maxLength: 5 }],
    ['a text of digits', z.string().regex(/^[0-9]+$/), { type: 'string', pattern: '^[0-9]+$' }],
  ])('%s has the type that it means', (_, field, schema) => {
    expect(urlSchema(field)).toEqual(schema);
  });

  it('is shown in the OpenAPI document as the number or boolean that is meant', () => {
    const { paths } = documentsOf(operations).openApi as { paths: Record<string, Record<string, Described>> };
    const parameters = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ parameters = [] }) => parameters)
      .filter((parameter) => parameter.in === 'path' || parameter.in === 'query');
    const typesOf = (name: string) =>
      new Set(parameters.filter((parameter) => parameter.name === name).map(({ schema }) => schema?.type));
    for (const name of ['page', 'limit', 'sort_direction', 'epoch'])
      expect([name, typesOf(name)]).toEqual([name, new Set(['integer'])]);
    expect(typesOf('opted_in')).toEqual(new Set(['boolean']));
    expect(typesOf('instance_id')).toEqual(new Set(['string']));
  });
});

interface Described {
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly schema?: { readonly type?: string };
  }[];
}
