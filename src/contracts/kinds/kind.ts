import * as z from 'zod';
import { members } from '../../lib/unknown-json.ts';
import { oneKind } from '../configuration-fields.ts';

/** What callers give and see of one kind of a family, as the value of `{"<kind>": value}`. */
export interface Kind {
  /** As it comes in; its output is the normal form. */
  readonly input: z.ZodType;
  /** As answers show it. */
  readonly shape: z.ZodType;
  /** From the normal form to the shape; absent: they are the same. */
  view?(value: unknown): unknown;
}

type Family = Readonly<Record<string, Kind>>;

/** Takes an object with exactly one key of the family. */
export function inputOf<F extends Family>(family: F) {
  return oneKind(mapped(family, ({ input }) => input) as Record<keyof F & string, z.ZodType>);
}

/** What `viewOf` gives. */
export function shapeOf(family: Family) {
  return z.union(Object.entries(family).map(([kind, { shape }]) => z.strictObject({ [kind]: shape })));
}

/** Shows a `{"<kind>": value}` of a stored document. */
export function viewOf(family: Family, stored: unknown): Record<string, unknown> {
  return mapped(members(stored), (value, kind) => {
    const view = Object.hasOwn(family, kind) ? family[kind]?.view : undefined;
    return view === undefined ? value : view(value);
  });
}

function mapped<T, U>(record: Readonly<Record<string, T>>, map: (value: T, name: string) => U) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
