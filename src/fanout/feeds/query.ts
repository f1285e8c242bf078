/** The value of an input that must be there once and not be empty; null otherwise. */
export function onlyValue(query: string, name: string): string | null {
  const [value, ...more] = new URLSearchParams(query).getAll(name);
  return value === undefined || value === '' || more.length > 0 ? null : value;
}
