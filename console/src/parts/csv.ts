/** RFC 4180, for spreadsheets: a mark, CRLF, and an apostrophe before what a spreadsheet would calculate. */
export function csvOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows].map((cells) => cells.map(cellOf).join(','));
  return `\u{feff}${lines.join('\r\n')}\r\n`;
}

function cellOf(text: string): string {
  const safe = /^[=+@\t\r']/.test(text) || (text.startsWith('-') && !isNumber(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function isNumber(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

/** Gives the person a file. */
export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
