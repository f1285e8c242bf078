import { cutToBytes } from '../../lib/bytes.ts';
import { batchSizeIn } from '../../messages/batch-reasons.ts';
import type { CreditRecord } from '../../messages/settlements.ts';
import { executionLimits } from './limits.ts';

/** `fresh`: never sent; `unknown`: sent in its batch; `alone`: it has left its batch, or never was in one. */
type BatchMember = 'fresh' | 'unknown' | 'alone';

/** The reason of a record that the wallet did not credit with its batch: its code and message. */
export function reasonOfRecord(code: string, message: string): string {
  const text = reasonText(code, message);
  return batchSizeIn(text) === null ? text : reasonText('wallet', text);
}

/** Code and message of a wallet, as long as a reason may be. */
export function reasonText(code: string, message: string): string {
  return cutToBytes(`${code}: ${message}`, executionLimits.reasonBytes);
}

/** How a record takes part in its batch: only reports of the whole batch leave `batch of`. */
function batchMemberOf({ batchId, state, reason }: CreditRecord): BatchMember {
  if (batchId === '') return 'alone';
  if (state === 'pending' && reason === '') return 'fresh';
  return state === 'unknown' && batchSizeIn(reason) !== null ? 'unknown' : 'alone';
}

/** What is to be done with the open records of a batch. */
interface BatchPlan {
  /** Send them together; empty: nothing. */
  readonly together: readonly CreditRecord[];
  /**
   * A person has settled others of a batch that may have been paid: its bytes cannot be repeated any more.
   */
  readonly incomplete: readonly CreditRecord[];
  /** The others: each is tried by itself. */
  readonly alone: readonly CreditRecord[];
}

/** `open`: the batch's records that are pending or unknown. */
export function planBatch(open: readonly CreditRecord[]): BatchPlan {
  const inOrder = open.toSorted((a, b) => a.number - b.number);
  const unknown = inOrder.filter((record) => batchMemberOf(record) === 'unknown');
  if (unknown.length === 0) {
    const isFresh = (record: CreditRecord): boolean => batchMemberOf(record) === 'fresh';
    return {
      together: inOrder.filter(isFresh),
      incomplete: [],
      alone: inOrder.filter((record) => !isFresh(record)),
    };
  }
  // Those that a person tries again are pending with the person's reason.
  const size = batchSizeIn(unknown[0]!.reason);
  return inOrder.length === size
    ? { together: inOrder, incomplete: [], alone: [] }
    : { together: [], incomplete: unknown, alone: inOrder.filter((record) => !unknown.includes(record)) };
}
