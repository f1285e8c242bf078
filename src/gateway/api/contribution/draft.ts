import type { CallbackOptions } from '../../../contracts/contributions/contribution.ts';
import type { ErrorCode } from '../../../contracts/errors/codes.ts';
import { readAmount } from '../../../contracts/fields/amount.ts';
import { assert } from '../../../lib/assert.ts';
import { JsonText } from '../../../lib/json.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import { parseEndpoint } from '../../../network/endpoint.ts';
import { PublicError } from '../../base/errors.ts';
import type { GatewayContext } from '../operation/operation.ts';
import type { ContributionRequest } from './request.ts';

const maxBytes = 8 * 1024;
const maxKeys = 256;
const texts = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/** The text of a metadata member or null; the scan of the body has checked its depth and keys. */
export function metadataText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  assert(value instanceof JsonText, 'metadata is kept as it was written');
  const { text } = value;
  // A character takes at most 3 bytes of UTF-8, a key at least 5 characters: short texts are not counted.
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) {
    throw new PublicError('payload_too_large');
  }
  if (text.length >= maxKeys * 5 && text.replace(texts, '').split(':').length > maxKeys + 1) {
    throw new PublicError('invalid_request', 'The metadata has too many keys.');
  }
  return text;
}

export type ContributionMoney =
  | { readonly ok: true; readonly baseWagerAtoms: bigint; readonly bonus: Contribute['bonus'] }
  | { readonly ok: false; readonly code: ErrorCode };

/** The amounts of a request, in atoms. */
export function readMoney(request: ContributionRequest): ContributionMoney {
  const wager = readAmount(request.baseWager);
  if (!wager.ok) return wager;
  if (request.bonus === null) return { ok: true, baseWagerAtoms: wager.atoms, bonus: null };
  const bonus = readAmount(request.bonus.amount);
  if (!bonus.ok) return bonus;
  return {
    ok: true,
    baseWagerAtoms: wager.atoms,
    bonus: { id: request.bonus.id, amountAtoms: bonus.atoms, currency: request.bonus.currency },
  };
}

/** The callback as logged; null where its origin is not registered (docs/rules/callbacks.md "Addresses"). */
export function allowedCallback(
  { directory, development }: GatewayContext,
  operator: string,
  callback: CallbackOptions,
): Contribute['callback'] {
  const endpoint = parseEndpoint(callback.web_hook, development);
  if (endpoint === null || !directory.allowsWebhook(operator, endpoint.origin)) return null;
  return { webHook: callback.web_hook, winResultOnly: callback.win_result_only ?? false };
}
