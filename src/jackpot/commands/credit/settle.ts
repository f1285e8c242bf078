import { batchSizeIn } from '../../../messages/batch-reasons.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import type { CreditSettled } from '../../../messages/settlement-commands.ts';
import type { CreditRecord, CreditState } from '../../../messages/settlements.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { changeCredit } from './change.ts';

/** Credits that one command settles at most. */
const maxSettledAtOnce = 200;

const nothing: CommandOutcome = { kind: 'Done', instance: '', version: 0 };

/**
 * The states from which each answer of the wallet leads on; a credit that a person holds only accepts that it was made.
 */
const moves: Readonly<
  Record<CreditSettled['result'], { readonly from: readonly CreditState[]; readonly to: CreditState }>
> = {
  accepted: { from: ['pending', 'unknown', 'dead'], to: 'settled' },
  refused: { from: ['pending', 'unknown'], to: 'dead' },
  unknown: { from: ['pending'], to: 'unknown' },
  exhausted: { from: ['pending', 'unknown'], to: 'dead' },
};

/** The answer of the wallet. Unknown ids and repeats change nothing: each credit is settled once. */
export function settleCredits(state: LaneState, command: CreditSettled): CommandOutcome {
  if (command.transactionIds.length > maxSettledAtOnce) {
    return refused('invalid_parameter', `at most ${maxSettledAtOnce} credits are settled at once`);
  }
  const { from, to } = moves[command.result];
  for (const transactionId of command.transactionIds) {
    const credit = state.credits.get(transactionId);
    if (credit === null) continue;
    if (from.includes(credit.state) || leavesBatch(credit, command))
      changeCredit(state, credit, to, command.reason);
  }
  return nothing;
}

/** The result of its batch was unknown, and is known now: the record itself has failed. It is never in the batch again. */
function leavesBatch({ state, reason }: CreditRecord, command: CreditSettled): boolean {
  if (state !== 'unknown' || command.result !== 'unknown') return false;
  return batchSizeIn(reason) !== null && batchSizeIn(command.reason) === null;
}
