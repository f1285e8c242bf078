import type { Contribute } from '../commands.ts';
import type { ContributionOutcome } from '../outcomes.ts';
import { type Refusal, refused } from '../refusals.ts';
import type { LaneState } from '../state/lane-state.ts';
import { admissionRefusal } from './admission.ts';
import { applyContribution } from './apply.ts';
import type { Entry } from './plan.ts';
import { quoteFor } from './quote.ts';

/** One contribution to one instance (domain.md 3, from step 2): refused before any effect, or applied as a whole. */
export function contribute(
  state: LaneState,
  entry: Entry,
  command: Contribute,
): ContributionOutcome | Refusal {
  const { instance } = entry;
  const refusal = admissionRefusal(instance, command.brand, command.country, state.nowMs);
  if (refusal !== null) return refusal;
  if (instance.epochs.running === null)
    return refused('instance_not_active', 'the first epoch is not open yet');
  const quote = quoteFor(state, entry, command);
  if (quote.kind === 'Refused') return quote;
  if (command.wallet && quote.price.debitAtoms > 0n) return refused('wallet_unavailable');
  return applyContribution(state, entry, command, quote);
}
