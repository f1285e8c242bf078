/**
 * Layouts turn a typed value into an array of plain values and back. A new member does not compile without a
 * place here. Their order is that of the bytes: append, never reorder, and give a new one a default with
 * `since`.
 */
export interface Layout<T> {
  pack(value: T): unknown;
  /** @throws Error if `pack` cannot have made `raw` */
  unpack(raw: unknown): T;
  /** At the end of a record an undefined value of it is left out. */
  readonly isTrailing?: boolean;
}

type Members<T> = { readonly [K in keyof T]-?: Layout<T[K]> };
type Kinded = { readonly kind: string };
export type Variants<U extends Kinded> = {
  readonly [K in U['kind']]:
    | readonly [tag: number, layout: Layout<Extract<U, { readonly kind: K }>>]
    | Tagged<Members<Omit<Extract<U, { readonly kind: K }>, 'kind'>>>;
};
type AnyVariant<U extends Kinded> =
  | readonly [tag: number, layout: Layout<U>]
  | Tagged<Members<Omit<U, 'kind'>>>;
interface Tagged<M> {
  readonly tag: number;
  readonly members: M;
}

/** A tag, word or form that no layout here has: a newer release wrote it (docs/decisions/0304). */
export class UnknownForm extends TypeError {}

export const text: Layout<string> = leaf((raw) => typeof raw === 'string', 'a string');
/** A number that a snapshot keeps unchanged: not NaN, infinite or −0, or a restored lane would differ. */
export const number: Layout<number> = leaf(
  (raw) => Number.isFinite(raw) && !Object.is(raw, -0),
  'a finite number',
);
export const flag: Layout<boolean> = leaf((raw) => typeof raw === 'boolean', 'a boolean');
export const atoms: Layout<bigint> = leaf((raw) => typeof raw === 'bigint', 'a bigint');

/** Bytes, copied out of the message, which they would keep alive otherwise. */
export const bytes: Layout<Uint8Array> = {
  pack: (value) => value,
  unpack: (raw) => {
    if (!(raw instanceof Uint8Array)) throw new TypeError('not bytes');
    return new Uint8Array(raw);
  },
};

/** Bytes where they are: good as long as the message. */
export const view: Layout<Uint8Array> = leaf((raw) => raw instanceof Uint8Array, 'bytes');

/** A JSON-like value, unchanged and unchecked. */
export function document<T>(): Layout<T> {
  return { pack: (value) => value, unpack: (raw) => raw as T };
}

/** A JSON value. Refuses values that JSON would change, such as NaN and −0. */
export function jsonDocument<T>(): Layout<T> {
  return {
    pack: (value) => value,
    unpack: (raw) => {
      if (!isJson(raw)) throw new TypeError('not a JSON value');
      return raw as T;
    },
  };
}

function isJson(raw: unknown): boolean {
  if (raw === null || raw === undefined || typeof raw === 'string' || typeof raw === 'boolean') return true;
  if (typeof raw === 'number') return Number.isFinite(raw) && !Object.is(raw, -0);
  if (Array.isArray(raw)) return raw.every(isJson);
  if (typeof raw !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(raw);
  return (prototype === Object.prototype || prototype === null) && Object.values(raw).every(isJson);
}

/** A string of a closed set. Refuses any other. */
export function word<T extends string>(...words: readonly T[]): Layout<T> {
  const known: ReadonlySet<unknown> = new Set(words);
  const anyWord = leaf<T>((raw) => typeof raw === 'string', 'a string');
  return {
    pack: (value) => value,
    unpack: (raw) => {
      if (!known.has(anyWord.unpack(raw))) throw new UnknownForm(`not one of ${words.join(', ')}`);
      return raw as T;
    },
  };
}

/** A string of a set that may have grown since: any string is accepted. */
export function openWord<T extends string>(): Layout<T> {
  return text as unknown as Layout<T>;
}

/** A value or null. */
export function nullable<T>(layout: Layout<T>): Layout<T | null> {
  return {
    pack: (value) => (value === null ? null : layout.pack(value)),
    unpack: (raw) => (raw === null ? null : layout.unpack(raw)),
  };
}

/** A member that may be absent, stored as null. */
export function optional<T>(layout: Layout<T>): Layout<T> {
  return {
    pack: (value) => (value === undefined ? null : layout.pack(value)),
    unpack: (raw) => (raw === null ? undefined : layout.unpack(raw)) as T,
  };
}

/** A member that older messages lack: there it reads as `before`. */
export function since<T>(layout: Layout<T>, before: T): Layout<T> {
  return { pack: layout.pack, unpack: (raw) => (raw === undefined ? before : layout.unpack(raw)) };
}

/**
 * A member that older messages lack and most new ones, too: undefined is left out at the end of its record.
 */
export function trailing<T>(layout: Layout<T>): Layout<T | undefined> {
  return {
    pack: (value) => (value === undefined ? null : layout.pack(value)),
    unpack: (raw) => (raw === null || raw === undefined ? undefined : layout.unpack(raw)),
    isTrailing: true,
  };
}

/** Any number of values of one layout. */
export function list<T>(layout: Layout<T>): Layout<readonly T[]> {
  return {
    pack: (values) => values.map((value) => layout.pack(value)),
    unpack: (raw) => array(raw).map((value) => layout.unpack(value)),
  };
}

/** A fixed number of values, each with its layout. */
export function tuple<T extends readonly unknown[]>(
  ...layouts: { readonly [K in keyof T]: Layout<T[K]> }
): Layout<T> {
  const parts = layouts as unknown as readonly Layout<unknown>[];
  return {
    pack: (value) => parts.map((part, index) => part.pack(value[index])),
    unpack: (raw) => {
      const values = array(raw);
      return parts.map((part, index) => part.unpack(values[index])) as unknown as T;
    },
  };
}

/** A record as a positional array, in the order in which `members` names its members. */
export function record<T extends object>(members: Members<T>): Layout<T> {
  const names = Object.keys(members) as (keyof T & string)[];
  const layouts = names.map((name) => members[name]) as Layout<unknown>[];
  const required = layouts.findLastIndex((layout) => layout.isTrailing !== true) + 1;
  return {
    pack: (value) => {
      let count = names.length;
      while (count > required && value[names[count - 1]!] === undefined) count -= 1;
      const packed: unknown[] = new Array(count);
      for (let index = 0; index < count; index += 1)
        packed[index] = layouts[index]!.pack(value[names[index]!]);
      return packed;
    },
    unpack: (raw) => {
      const values = array(raw);
      const result: Record<string, unknown> = {};
      for (let index = 0; index < names.length; index += 1) {
        const value = layouts[index]!.unpack(values[index]);
        // A trailing member that is absent stays absent, as it was before it was packed.
        if (value !== undefined || index < required) result[names[index]!] = value;
      }
      return result as T;
    },
  };
}

/** A member of a union. The tag of the union replaces `kind` in the bytes. */
export function variant<T extends Kinded>(kind: T['kind'], members: Members<Omit<T, 'kind'>>): Layout<T> {
  const layout = record(members as Members<object>);
  return {
    pack: (value) => layout.pack(value),
    unpack: (raw) => ({ kind, ...layout.unpack(raw) }) as unknown as T,
  };
}

/** A member of a union: the tag, which never changes and replaces `kind` in the bytes, and the others. */
export function at<M>(tag: number, members: NoInfer<M>): Tagged<M> {
  return { tag, members };
}

/** A union as `[tag, value]`. @throws Error if two variants have the same tag */
export function union<U extends Kinded>(variants: Variants<U>): Layout<U> {
  const byKind = new Map<string, readonly [tag: number, layout: Layout<U>]>();
  for (const [kind, each] of Object.entries(variants as unknown as Readonly<Record<string, AnyVariant<U>>>)) {
    byKind.set(kind, 'tag' in each ? [each.tag, variant(kind, each.members)] : each);
  }
  const byTag = new Map(byKind.values());
  if (byTag.size !== byKind.size) throw new Error('two variants of a union have the same tag');
  return {
    pack: (value) => {
      const [tag, layout] = byKind.get(value.kind)!;
      return [tag, layout.pack(value)];
    },
    unpack: (raw) => {
      const [tag, value] = array(raw);
      const layout = byTag.get(tag as number);
      if (layout === undefined) throw unknownTag(tag);
      return layout.unpack(value);
    },
  };
}

/** Tags are numbers in every release. */
function unknownTag(tag: unknown): TypeError {
  const text = `unknown tag ${String(tag)}`;
  return Number.isInteger(tag) ? new UnknownForm(text) : new TypeError(text);
}

/** The value as an array. @throws TypeError if it is not one */
export function array(raw: unknown): readonly unknown[] {
  if (!Array.isArray(raw)) throw new TypeError('not an array');
  return raw;
}

function leaf<T>(accepts: (raw: unknown) => boolean, what: string): Layout<T> {
  return {
    pack: (value) => value,
    unpack: (raw) => {
      if (!accepts(raw)) throw new TypeError(`not ${what}`);
      return raw as T;
    },
  };
}
