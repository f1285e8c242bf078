import { writeJson } from '../../lib/json.ts';
import type { DebitRecord } from '../../messages/settlements.ts';
import type { WalletAnswer } from '../answer.ts';
import type { WalletCall } from '../brand-client.ts';

const alreadyGone = new Set([404, 409]);

/** W2: POST /transactions/{transaction_id}/cancel. */
export function cancelCall({ transactionId, contributionId, player }: DebitRecord): WalletCall {
  return {
    name: 'W2',
    path: `/transactions/${encodeURIComponent(transactionId)}/cancel`,
    body: Buffer.from(writeJson({ gameround_id: contributionId, player_id: player }), 'utf8'),
  };
}

/**
 * Whether the transaction certainly counts for nothing: it was cancelled now or before, or it never arrived. What a 2xx says
 * beside that is not asked; one that is garbage came from somebody else (docs/decisions/0406).
 */
export function isCancelled(answer: WalletAnswer): boolean {
  switch (answer.kind) {
    case 'accepted':
      return true;
    case 'refused':
      return alreadyGone.has(answer.status);
    case 'unknown':
      return false;
  }
}
