import type * as z from 'zod';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';

/**
 * The JSON schema of a parameter in path or query, where everything is text: an integer or boolean where the
 * service reads one, within the bounds that the shape accepts.
 */
export function urlSchema(field: z.ZodType): JsonSchema {
  const schema = jsonSchemaOf(field, 'input');
  const values = schema.enum as readonly string[] | undefined;
  if (values?.every((text) => text === 'true' || text === 'false')) return { type: 'boolean' };
  const meant = (values ?? ['1']).map((text) => field.safeParse(text).data);
  if (!meant.every((value) => typeof value === 'number')) return schema;
  if (values !== undefined) return { type: 'integer', enum: meant };
  return { type: 'integer', minimum: accepts(field, 0) ? 0 : 1, maximum: largest(field) };
}

function accepts(field: z.ZodType, value: number): boolean {
  return field.safeParse(String(value)).success;
}

/** The field accepts everything from 1 to its maximum. */
function largest(field: z.ZodType): number {
  let accepted = 1;
  let refused = Number.MAX_SAFE_INTEGER + 1;
  while (refused - accepted > 1) {
    const middle = accepted + Math.floor((refused - accepted) / 2);
    if (accepts(field, middle)) accepted = middle;
    else refused = middle;
  }
  return accepted;
}
