export type Members = Readonly<Record<string, unknown>>;

/** The members of a JSON value; empty when it is not an object. */
export function members(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** The items of a JSON value; empty when it is not an array. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
