import { writeJson } from '../../lib/json.ts';
import type { WalletAnswer } from '../client/answer.ts';
import type { WalletCall } from '../client/brand-client.ts';
import { batchCancellationShape } from './documented-answers.ts';

/** A batch of Debits that is to count for nothing. */
export interface BatchToCancel {
  readonly batchId: string;
  /** The game round that the batch named; null: none. */
  readonly gameround: string | null;
  readonly transactionIds: readonly string[];
}

const alreadyGone = new Set([404, 409]);

/**
 * W5: POST /batches/{batch_id}/cancel. Nothing calls W5 today: players are debited one by one, and credits
 * are never cancelled (docs/rules/wallets.md "Batches").
 */
export function cancelBatchCall({ batchId, gameround, transactionIds }: BatchToCancel): WalletCall {
  const body = { gameround_id: gameround, transaction_id_list: transactionIds };
  return {
    name: 'W5',
    path: `/batches/${encodeURIComponent(batchId)}/cancel`,
    isAnswer: (result) => batchCancellationShape.safeParse(result).success,
    body: Buffer.from(writeJson(body), 'utf8'),
  };
}

/** Whether the batch certainly counts for nothing. */
export function isBatchCancelled(answer: WalletAnswer): boolean {
  if (answer.kind === 'accepted') return batchCancellationShape.safeParse(answer.body).data?.success === true;
  return answer.kind === 'refused' && alreadyGone.has(answer.status);
}
