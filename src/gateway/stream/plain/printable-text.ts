/** Longer texts are decoded by the runtime. */
const maxShort = 64;
const fromCharCode = String.fromCharCode;
/** For each length room for the character codes of one text. */
const rooms: readonly number[][] = Array.from({ length: maxShort + 1 }, (_, length) =>
  Array.from({ length }, () => 0),
);
const printable = /^[ -~]*$/;

/** The text of printable ASCII bytes, 0x20 to 0x7e; null: another byte is among them. */
export function printableText(bytes: Buffer, from: number, length: number): string | null {
  if (length > maxShort) {
    const text = bytes.toString('latin1', from, from + length);
    return printable.test(text) ? text : null;
  }
  const codes = rooms[length]!;
  for (let i = 0; i < length; i += 1) {
    const code = bytes[from + i]!;
    if (code < 0x20 || code > 0x7e) return null;
    codes[i] = code;
  }
  return fromCharCode.apply(null, codes);
}
