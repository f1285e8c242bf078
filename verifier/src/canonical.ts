/** RFC 8785 text of JSON: members in order of their UTF-16 code units, no white space. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(members[name])}`).join(',')}}`;
}
