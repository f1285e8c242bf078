import type { ContributionOutcome, ContributionWin } from '../../../messages/outcomes.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import { contributionIdOf } from '../../../messages/transaction-ids.ts';
import { namedSource, sourceOf } from '../../rules/credits/transaction-source.ts';
import { draw, type Hit } from '../../rules/draws/draw.ts';
import { awardTickets } from '../../rules/raffles/tickets.ts';
import { suspendInstance } from '../../rules/statuses/change.ts';
import { settleHits } from '../../rules/wins/pay.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { findBreach, isOverfull, nearLimit } from '../../state/money/ledger.ts';
import type { Quote, Split } from '../../state/money/quote.ts';
import type { OpenDebit, TicketCost } from '../../state/settlements/open-debits.ts';
import { openFlush } from '../flush/flush.ts';
import type { Entry } from './entry.ts';
import { feed } from './feed.ts';
import { enter } from './player-entry.ts';

/** The cost of a contribution and how it is split: a new quote, or the one from before its debit. */
export type Applicable = Pick<Quote, 'price' | 'wagerAtoms' | 'qualified' | 'split'>;

/**
 * Steps 7 to 12 of docs/rules/contributions.md "Steps": a breach suspends the instance and undoes all of it.
 */
export function applyContribution(
  state: LaneState,
  entry: Entry,
  command: Contribute,
  quote: Applicable,
  debit: OpenDebit | null = null,
): ContributionOutcome | Refusal {
  const { instance, group } = entry;
  const { price } = quote;

  state.touch(instance);
  instance.saved.set(instance.balances);
  const recordBytes = group.recordBytes;
  feed(instance, price, quote.split);
  if (nearLimit(instance.balances, instance.pots.length, price.contributionHigh)) {
    // Money that a wallet has debited cannot be refused any more: then a person has to look.
    if (debit === null && isOverfull(instance.balances, instance.pots.length)) {
      restore(instance);
      return noRoom();
    }
    const breach = findBreach(instance.balances, instance.pots.length);
    if (breach !== null) return undo(state, instance, breach);
  }
  const sequence = instance.sequence + 1;
  const hits = draw(
    state.hashing,
    group,
    sequence,
    state.nowMs,
    entry.inputIndex,
    price.contributionHigh,
    price.contributionLow,
    quote.qualified,
  );
  let win: ContributionWin | null = null;
  if (hits.length > 0) {
    state.recorder?.fed?.(instance);
    const paid = payHits(state, entry, command, quote.split, hits, sequence, debit);
    if (typeof paid === 'string') {
      group.recordBytes = recordBytes;
      group.recordCount -= 1;
      return undo(state, instance, paid);
    }
    win = paid;
  }
  if (state.recorder?.group !== undefined) {
    group.note(sequence, recordBytes, entry.inputIndex, {
      timestampMs: state.nowMs,
      contributionAtoms: price.contributionAtoms,
      wagerAtoms: quote.wagerAtoms,
      playerAtoms: price.playerAtoms,
      isConverted: price.exchange.from !== price.exchange.to,
      isPricedBefore: debit !== null && isPricedBefore(debit, instance),
    });
  }
  instance.sequence = sequence;
  openFlush(state, instance);
  const row = enter(state, entry, command, price, quote.split);
  const outcome: ContributionOutcome = {
    instance: instance.id,
    sequence,
    contributionAtoms: price.contributionAtoms,
    requestAtoms: price.requestAtoms,
    bonusAtoms: price.bonusAtoms,
    win,
    tickets: instance.raffle === null ? 0 : awardTickets(state, instance, row, ticketCost(quote)),
  };
  state.recorder?.taken?.({ entry, command, quote, debit, outcome });
  return outcome;
}

/** Whether a contribution finds room in the accounts, before its player is debited; null: it does. */
export function capacityRefusal(instance: Instance, { price, split }: Applicable): Refusal | null {
  if (!nearLimit(instance.balances, instance.pots.length, price.contributionHigh)) return null;
  instance.saved.set(instance.balances);
  feed(instance, price, split);
  const isFull = isOverfull(instance.balances, instance.pots.length);
  restore(instance);
  return isFull ? noRoom() : null;
}

/** By the rules of an earlier epoch, or of an instance that was switched to this one. */
function isPricedBefore({ instance: pricedBy, openedMs }: OpenDebit, { id, epochs }: Instance): boolean {
  const { number, startedMs } = epochs.running!;
  return pricedBy !== id || (number > 0 && openedMs <= startedMs);
}

/** The amount that a contribution adds towards tickets. */
export function ticketCost({ price, wagerAtoms }: Applicable): TicketCost {
  return { contributionAtoms: price.contributionAtoms, wagerAtoms };
}

function payHits(
  state: LaneState,
  entry: Entry,
  command: Contribute,
  split: Split,
  hits: readonly Hit[],
  sequence: number,
  debit: OpenDebit | null,
): ContributionWin | string {
  const { instance, isLink } = entry;
  return settleHits(state, entry.group, hits, {
    sequence,
    contributionId: command.contributionId,
    gameround: command.gameround,
    brand: entry.brand,
    player: command.player,
    currency: command.currency,
    split,
    eventMetadata: command.eventMetadata,
    round: debit?.contributionId ?? contributionIdOf(command.contributionId, instance.id, isLink),
    source: sourceOf(state, instance.facts, namedSource(command)),
    provider: command.provider,
    table: debit?.table ?? null,
  });
}

/** A breach never half-applies: the numbers are as before, and the instance waits for a person. */
function undo(state: LaneState, instance: Instance, breach: string): Refusal {
  restore(instance);
  suspendInstance(state, instance, breach);
  return refused('instance_suspended', `the instance is suspended: ${breach}`);
}

function restore(instance: Instance): void {
  instance.balances.set(instance.saved);
  instance.refresh();
}

function noRoom(): Refusal {
  return refused('amount_out_of_range', 'an account of the instance has no room for it');
}
