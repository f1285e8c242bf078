import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON schema of a shape that validates (2020-12, as in OpenAPI 3.1). Amounts are bigint in answers and
 * exact decimal numbers on the wire.
 */
export function jsonSchemaOf(shape: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'bigint') {
        jsonSchema.type = 'number';
        jsonSchema.description ??= 'An exact decimal.';
      }
      // Which integers a double holds goes without saying.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema;
}
