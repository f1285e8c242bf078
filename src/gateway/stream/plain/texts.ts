import { isOwnerPath, isOwnId } from '../../../contracts/fields/identifiers.ts';
import { InternedTexts } from '../../../messages/codec/interned-texts.ts';
import { metadataText } from '../../api/contribution/draft.ts';
import { PublicError } from '../../base/errors.ts';
import { parseMetadata } from '../../base/json-body.ts';

const isPrintable = (max: number) => (text: string) =>
  text.length > 0 && text.length <= max && /^[ -~]+$/.test(text);

/** Texts that come again and again, each judged once, when it is remembered; null: for the general reader. */
export const fieldTexts = {
  ownId: new InternedTexts(isOwnId),
  brand: new InternedTexts(isOwnerPath),
  country: new InternedTexts(isPrintable(64)),
  currency: new InternedTexts(isPrintable(16)),
  /** Sources, verticals, games. */
  foreignId: new InternedTexts(isPrintable(64)),
  amount: new InternedTexts((text) => /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text)),
  /** A caller without sessions says the same in all contributions. */
  token: new InternedTexts(isPrintable(64)),
  /** Judged by `plainMetadata`. */
  metadata: new InternedTexts(isPrintable(64)),
} as const;

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

/** Short texts are remembered: many contributions say the same. */
const maxRemembered = 256;
const maxRememberedLength = 256;
const remembered = new Map<string, string>();

/** The metadata of a JSON text, as it is kept; null: it is for the general reader, which finds its fault. */
export function plainMetadata(json: string): string | null {
  const known = remembered.get(json);
  if (known !== undefined) return known;
  const metadata = read(json);
  if (metadata === null || json.length > maxRememberedLength) return metadata;
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(json, metadata);
  return metadata;
}

function read(json: string): string | null {
  try {
    return metadataText(parseMetadata(json));
  } catch (fault) {
    if (fault instanceof PublicError) return null;
    throw fault;
  }
}
