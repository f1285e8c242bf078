/** RFC 4180, for spreadsheets: a mark, CRLF, and an apostrophe before what one of them would calculate. */
export function csvOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows].map((cells) => cells.map(cellOf).join(','));
  return `\u{feff}${lines.join('\r\n')}\r\n`;
}

/** Also behind blanks, which spreadsheets leave out, and in the wide forms of East Asia. */
const calculated = /^[\s\u{feff}\u{200b}]*['=+@\-＝＋＠－]|^[\t\r\n]/u;

function cellOf(text: string): string {
  const safe = calculated.test(text) && !isNumber(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function isNumber(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}
