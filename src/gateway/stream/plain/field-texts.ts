import { isOwnerPath, isOwnId } from '../../../contracts/fields/identifiers.ts';
import { InternedTexts } from '../../../messages/codec/interned-texts.ts';

const printable = (max: number) => (text: string) =>
  text.length > 0 && text.length <= max && /^[ -~]+$/.test(text);

/**
 * Texts of members that come again and again, each judged once: what is remembered is good for its member (contracts/contribution.ts). The
 * rest is null, and the general reader judges it.
 */
export const fieldTexts = {
  ownId: new InternedTexts(isOwnId),
  brand: new InternedTexts(isOwnerPath),
  country: new InternedTexts(printable(64)),
  currency: new InternedTexts(printable(16)),
  /** Sources, verticals, games. */
  foreignId: new InternedTexts(printable(64)),
  amount: new InternedTexts((text) => /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text)),
  /** A caller without sessions says the same in all contributions. */
  token: new InternedTexts(printable(64)),
  /** Judged by `plainMetadata`. */
  metadata: new InternedTexts(printable(64)),
} as const;
