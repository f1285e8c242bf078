import type * as z from 'zod';
import { JsonText } from '../../lib/json.ts';

/** Shapes whose values stand in no record and no list. */
const secrets = new WeakSet<object>();
const hidden = '***';

/** The same shape, with values that are secret. Mark last: `.min(1)` makes another shape. */
export function secret<S extends z.ZodType>(shape: S): S {
  const own = shape.clone();
  secrets.add(own);
  return own;
}

/** Whether all values of the shape are secret. */
export function isSecret(shape: z.ZodType): boolean {
  return alternativesOf(shape).some((each) => secrets.has(each));
}

/** A copy with `***` for secrets and for undeclared members (docs/rules/audit.md "Entries"). */
export function withoutSecrets(shape: z.ZodType | undefined, value: unknown): unknown {
  return copyOf(shape === undefined ? [] : alternativesOf(shape), value);
}

/** zod's definition of a shape, as far as it is read here. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly getter?: () => z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly catchall?: z.ZodType;
  readonly items?: readonly z.ZodType[];
  readonly rest?: z.ZodType | null;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
}

/** What a shape was made of. */
export function definitionOf(shape: z.ZodType): Definition {
  return shape.def as unknown as Definition;
}

function copyOf(shapes: readonly z.ZodType[], value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (shapes.some((shape) => secrets.has(shape))) return hidden;
  if (typeof value !== 'object' || value instanceof JsonText) return value;
  const definitions = shapes.map(definitionOf);
  if (Array.isArray(value)) return value.map((item, at) => copyOf(itemsOf(definitions, at), item));
  const declaring = definitions.filter(({ type }) => type === 'object' || type === 'record');
  const members = Object.entries(value).map(([name, member]) => {
    const declared = declaring.flatMap((each) => memberOf(each, name));
    if (declaring.length > 0 && declared.length === 0) return [name, hidden] as const;
    return [name, copyOf(declared, member)] as const;
  });
  return Object.fromEntries(members);
}

function itemsOf(definitions: readonly Definition[], at: number): readonly z.ZodType[] {
  return definitions.flatMap(({ element, items, rest }) =>
    [element, items?.[at] ?? rest].flatMap((shape) => (shape ? alternativesOf(shape) : [])),
  );
}

function memberOf({ shape, valueType, catchall }: Definition, name: string): readonly z.ZodType[] {
  const declared = shape !== undefined && Object.hasOwn(shape, name) ? shape[name] : (valueType ?? catchall);
  return declared === undefined || definitionOf(declared).type === 'never' ? [] : alternativesOf(declared);
}

/** What a value of the shape may be, without wrappers; a marked wrapper counts as itself. */
function alternativesOf(shape: z.ZodType): readonly z.ZodType[] {
  if (secrets.has(shape)) return [shape];
  const inner = innerOf(shape);
  return inner.length === 0 ? [shape] : inner.flatMap(alternativesOf);
}

/** What is inside of a wrapper: optional, union, pipe and their like. */
export function innerOf(shape: z.ZodType): readonly z.ZodType[] {
  const { getter, innerType, options = [], left, right, in: input, out } = definitionOf(shape);
  const inner = [getter?.(), innerType, ...options, left, right, input, out];
  return inner.filter((each) => each !== undefined);
}
