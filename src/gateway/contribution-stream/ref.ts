import { isForeignId } from '../../contracts/identifiers.ts';
import type { Ref } from './framing.ts';

/** Nearly all refs are such. */
const plain = /^[!-~]{1,128}$/;

/** What a line may be named by in its result, good or bad; null: it has no good ref (`refField`). */
export function refOf(value: unknown): Ref {
  if (typeof value !== 'object' || value === null) return null;
  const { ref } = value as { readonly ref?: unknown };
  if (typeof ref === 'string') return plain.test(ref) || isForeignId(ref) ? ref : null;
  return typeof ref === 'number' && Number.isSafeInteger(ref) && ref >= 0 ? ref : null;
}
