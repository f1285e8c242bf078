/** The values that we write as RFC 8785: no fractions, because amounts are decimal strings. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Writes RFC 8785: members sorted by UTF-16 code units, no white space; undefined ones are left out. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  return Array.isArray(value) ? listText(value) : membersText(value as Readonly<Record<string, unknown>>);
}

/** Appends piece by piece: an array of the texts of thousands of members would be garbage. */
function listText(values: readonly unknown[]): string {
  let text = '';
  for (const value of values) text += text === '' ? canonicalJson(value) : `,${canonicalJson(value)}`;
  return `[${text}]`;
}

function membersText(members: Readonly<Record<string, unknown>>): string {
  let text = '';
  // Without a comparator, sort() compares UTF-16 code units.
  for (const name of Object.keys(members).sort()) {
    const value = members[name];
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(value)}`;
  }
  return `{${text}}`;
}
