/** Values that RFC 8785 text is made of here: no floats; amounts are decimal strings. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** RFC 8785: members in order of their UTF-16 code units, no white space. Undefined members are left out. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  return Array.isArray(value) ? listText(value) : membersText(value as Readonly<Record<string, unknown>>);
}

/** Texts are put together piece by piece: a record may have thousands of members, and lists of them are garbage. */
function listText(values: readonly unknown[]): string {
  let text = '';
  for (const value of values) text += text === '' ? canonicalJson(value) : `,${canonicalJson(value)}`;
  return `[${text}]`;
}

function membersText(members: Readonly<Record<string, unknown>>): string {
  let text = '';
  // Without a comparison of its own, sort() goes by UTF-16 code units.
  for (const name of Object.keys(members).sort()) {
    const value = members[name];
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(value)}`;
  }
  return `{${text}}`;
}
