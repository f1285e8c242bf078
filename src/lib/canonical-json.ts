/** Values that RFC 8785 text is made of here: no floats; amounts are decimal strings. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** RFC 8785: members in order of their UTF-16 code units, no white space. Undefined members are left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}
