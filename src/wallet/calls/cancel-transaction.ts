import { writeJson } from '../../lib/json.ts';
import type { DebitRecord } from '../../messages/settlements.ts';
import type { WalletAnswer } from '../client/answer.ts';
import type { WalletCall } from '../client/brand-client.ts';
import { balanceShape } from './documented-answers.ts';

const alreadyGone = new Set([404, 409]);

/** W2: POST /transactions/{transaction_id}/cancel. */
export function cancelCall({ transactionId, contributionId, player }: DebitRecord): WalletCall {
  return {
    name: 'W2',
    of: { transactionId, batchId: null, records: 1 },
    path: `/transactions/${encodeURIComponent(transactionId)}/cancel`,
    body: Buffer.from(writeJson({ gameround_id: contributionId, player_id: player }), 'utf8'),
  };
}

/** What an answer says of a transaction: it is void; the same, in other words than W2's; or it may count. */
export type Cancellation = 'cancelled' | 'perhaps' | 'open';

/** A transaction is void if it was cancelled now or before, or never arrived (docs/decisions/0340). */
export function cancellationOf(answer: WalletAnswer): Cancellation {
  switch (answer.kind) {
    case 'accepted':
      return balanceShape.safeParse(answer.body).success ? 'cancelled' : 'perhaps';
    case 'refused':
      return alreadyGone.has(answer.status) ? 'cancelled' : 'open';
    case 'unknown':
      return 'open';
  }
}
