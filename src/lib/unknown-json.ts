/** The members of a JSON value; none where it is no object. */
export function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** The items of a JSON value; none where it is no array. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
