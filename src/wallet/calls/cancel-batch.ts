import { writeJson } from '../../lib/json.ts';
import type { WalletAnswer } from '../client/answer.ts';
import type { WalletCall } from '../client/brand-client.ts';
import { batchCancellationShape } from './documented-answers.ts';

/** Transactions of a batch of Debits that are to count for nothing. The batch named no game round. */
export interface BatchToCancel {
  readonly batchId: string;
  readonly transactionIds: readonly string[];
}

const alreadyGone = new Set([404, 409]);

/** W5: POST /batches/{batch_id}/cancel. Credits are never cancelled. */
export function cancelBatchCall({ batchId, transactionIds }: BatchToCancel): WalletCall {
  const body = { gameround_id: null, transaction_id_list: transactionIds };
  return {
    name: 'W5',
    of: { transactionId: null, batchId, records: transactionIds.length },
    path: `/batches/${encodeURIComponent(batchId)}/cancel`,
    isAnswer: (result) => batchCancellationShape.safeParse(result).success,
    body: Buffer.from(writeJson(body), 'utf8'),
  };
}

/** Whether all transactions of a list certainly count for nothing. */
export function isListCancelled(answer: WalletAnswer): boolean {
  return answer.kind === 'accepted' && batchCancellationShape.safeParse(answer.body).data?.success === true;
}

/** The same of a single one, which is void as well if it was cancelled before, or never arrived. */
export function isBatchCancelled(answer: WalletAnswer): boolean {
  return isListCancelled(answer) || (answer.kind === 'refused' && alreadyGone.has(answer.status));
}
