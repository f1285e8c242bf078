import type { ContributionOutcome } from '../../../messages/outcomes.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import { admissionRefusal } from '../../rules/admission/admission.ts';
import { ticketRefusal } from '../../rules/raffles/tickets.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { maxDebitBytes, maxOpenCredits, maxOpenDebits } from '../../state/settlements/open-debits.ts';
import { applyContribution, capacityRefusal, ticketCost } from './apply.ts';
import type { DebitWanted, Entry } from './entry.ts';
import { quoteFor } from './quote.ts';

/** One contribution to one instance (docs/rules/contributions.md "Admission"). */
export function contribute(
  state: LaneState,
  entry: Entry,
  command: Contribute,
): ContributionOutcome | Refusal | DebitWanted {
  const { instance } = entry;
  const refusal = admissionRefusal(instance, command.brand, command.country, state.nowMs);
  if (refusal !== null) return refusal;
  if (instance.epochs.running === null)
    return refused('instance_not_active', 'the first epoch is not open yet');
  const quote = quoteFor(state, entry, command);
  if (quote.kind === 'Refused') return quote;
  const full = instance.raffle === null ? null : ticketRefusal(state, instance, ticketCost(quote));
  if (full !== null) return full;
  const isNew = entry.row < 0 && !state.mayAddPlayer(entry.brand);
  // The player may have come with an earlier contribution of this message.
  if (isNew && instance.players.find(entry.brand.number, command.player) < 0) return refused('player_limit');
  const { walletMustMatch, wallet } = entry.brand.command;
  if (!state.credits.hasRoom(command.brand, maxOpenCredits)) return tooManyOpen(wallet, 'credits');
  // Else a player could be debited without credits, or credited without debits.
  if (walletMustMatch === true && command.wallet !== wallet) return refused('wallet_unavailable');
  if (!command.wallet || quote.price.debitAtoms === 0n) {
    return applyContribution(state, entry, command, quote);
  }
  if (!state.debits.hasRoom(command.brand, maxOpenDebits)) return tooManyOpen(true, 'debits');
  // Without a reason: the gateway sends it again in a message with room (docs/decisions/0062).
  if (state.debitBytes >= maxDebitBytes) return refused('overloaded');
  return capacityRefusal(instance, quote) ?? { kind: 'DebitWanted', entry, quote };
}

/** The brand has as many open as it may: its wallet does not answer, or its operator decides nothing. */
function tooManyOpen(wallet: boolean, what: 'credits' | 'debits'): Refusal {
  return refused(wallet ? 'wallet_unavailable' : 'overloaded', `too many ${what} of the brand are open`);
}
