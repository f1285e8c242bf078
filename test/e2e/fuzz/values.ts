import fc from 'fast-check';
import type { Document, Schema } from './document.ts';

/** Values that exist in the system, by the names of the inputs that take them. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

const maxItems = 3;
const texts = new Map<string, fc.Arbitrary<string>>();

/** Values of a schema; an input of a known name mostly takes one that exists. */
export function valuesOf(document: Document, schema: Schema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const made = () => ofSchema(document, schema, known, name);
  const existing = known[name];
  if (existing === undefined || existing.length === 0) return made();
  const isList = schema.type === 'array';
  const some = fc.constantFrom(...existing);
  const wrapped = isList ? fc.array(some, { minLength: 1, maxLength: maxItems }) : some;
  return fc.oneof({ weight: 6, arbitrary: wrapped }, { weight: 1, arbitrary: made() });
}

function ofSchema(document: Document, schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  const of = (each: Schema, as = name) => valuesOf(document, each, known, as);
  if (schema.$ref !== undefined) {
    const target = document.components.schemas?.[schema.$ref.split('/').at(-1) ?? ''];
    if (target === undefined) throw new Error(`${schema.$ref} is not in the document`);
    return of(target);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return fc.oneof(...either.map((each) => ofSchema(document, each, known, name)));
  if (Array.isArray(schema.type))
    return fc.oneof(
      ...schema.type.map((type: string) => ofSchema(document, { ...schema, type }, known, name)),
    );
  switch (schema.type) {
    case 'object':
      return objectOf(document, schema, known);
    case 'array': {
      const { minItems = 0 } = schema;
      const item = schema.items === undefined ? fc.jsonValue({ maxDepth: 1 }) : of(schema.items);
      return fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, maxItems) });
    }
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1) });
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.constantFrom(0.5, 12.34, 0.000001));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(document: Document, schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [key, each] of Object.entries(properties)) members[key] = valuesOf(document, each, known, key);
  const listed = fc.record(members, { requiredKeys: required.filter((key) => key in members) });
  const more = schema.additionalProperties;
  if (typeof more !== 'object' || more === null) return listed;
  const keys =
    schema.propertyNames === undefined
      ? fc.string({ minLength: 1, maxLength: 8 })
      : textOf(schema.propertyNames);
  const others = fc.dictionary(keys, valuesOf(document, more, known), { maxKeys: maxItems });
  return fc.tuple(others, listed).map(([rest, own]) => ({ ...rest, ...(own as object) }));
}

function textOf({ pattern, minLength = 0, maxLength = 20, enum: choices }: Schema): fc.Arbitrary<string> {
  if (choices !== undefined) return fc.constantFrom(...(choices as readonly string[]));
  if (pattern === undefined) return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 20) });
  const before = texts.get(pattern);
  if (before !== undefined) return before;
  // fast-check cannot make a negated category. Matching a pattern is slow, and what it makes is as good the second time.
  const regex = new RegExp(pattern.replaceAll(/\[\^[^\]]*\\p[^\]]*\]/g, '[!-~¡-ʯЀ-ӿ]'), 'u');
  const samples = fc.sample(fc.stringMatching(regex), {
    numRuns: 40,
    seed: pattern.length,
  });
  const made = fc.constantFrom(...samples);
  texts.set(pattern, made);
  return made;
}
