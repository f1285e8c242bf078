import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import type { CancelDebit } from '../../../messages/settlement-commands.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { refuseDebit } from './settle.ts';

/** A person ends a debit that nobody else can end (docs/rules/settlements.md "Decisions of people"). */
export function cancelDebit(state: LaneState, command: CancelDebit, index: number): CommandOutcome {
  const debit = state.debits.get(command.transactionId);
  if (debit === null) return refused('invalid_parameter', 'no such debit is open');
  if (debit.debited) return refused('invalid_transition', 'the player has paid');
  if (state.nowMs <= debit.deadlineMs) return refused('invalid_transition', 'the wallet is still asked');
  return refuseDebit(state, debit, 'wallet_unavailable', index);
}
