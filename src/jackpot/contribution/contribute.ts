import type { Contribute } from '../commands.ts';
import { draw, type Hit } from '../draw/draw.ts';
import type { ContributionOutcome, ContributionWin } from '../outcomes.ts';
import { type Refusal, refused } from '../refusals.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { findBreach, nearLimit } from '../state/ledger.ts';
import { pauseItself } from '../status/suspend.ts';
import { settleHits } from '../win/select.ts';
import { admissionRefusal } from './admission.ts';
import { toInstance } from './convert.ts';
import { feed } from './feed.ts';
import type { Entry } from './plan.ts';
import { enter } from './player-entry.ts';
import { quoteFor } from './quote.ts';

/** One contribution to one instance (domain.md 3, from step 2): refused before any effect, or applied as a whole. */
export function contribute(
  state: LaneState,
  entry: Entry,
  command: Contribute,
): ContributionOutcome | Refusal {
  const { instance, group } = entry;
  const refusal = admissionRefusal(instance, command.brand, command.country, state.nowMs);
  if (refusal !== null) return refusal;
  if (instance.epochs.running === null)
    return refused('instance_not_active', 'the first epoch is not open yet');
  const quote = quoteFor(state, entry, command);
  if (quote.kind === 'Refused') return quote;
  const { price } = quote;
  if (command.wallet && price.debitAtoms > 0n) return refused('wallet_unavailable');

  state.touch(instance);
  instance.saved.set(instance.words);
  const recordBytes = group.recordBytes;
  feed(instance, price, quote.split);
  if (nearLimit(instance.words, instance.pots.length, price.contributionHigh)) {
    const breach = findBreach(instance.words, instance.pots.length);
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
    const paid = payHits(state, entry, command, hits, sequence);
    if (typeof paid === 'string') {
      group.recordBytes = recordBytes;
      group.recordCount -= 1;
      return undo(state, instance, paid);
    }
    win = paid;
  }
  if (state.recorder !== null) {
    group.note(sequence, recordBytes, entry.inputIndex, {
      timestampMs: state.nowMs,
      contributionAtoms: price.contributionAtoms,
      wagerAtoms: quote.wagerAtoms,
      playerAtoms: toInstance(price.exchange, price.debitAtoms),
    });
  }
  instance.sequence = sequence;
  enter(state, entry, command, price, quote.split);
  return {
    instance: instance.id,
    sequence,
    contributionAtoms: price.contributionAtoms,
    requestAtoms: price.requestAtoms,
    bonusAtoms: price.bonusAtoms,
    win,
    tickets: 0,
  };
}

function payHits(
  state: LaneState,
  entry: Entry,
  command: Contribute,
  hits: readonly Hit[],
  sequence: number,
): ContributionWin | string {
  return settleHits(state, entry.group, hits, {
    sequence,
    contributionId: command.contributionId,
    gameround: command.gameround,
    brand: entry.brand,
    player: command.player,
    currency: command.currency,
    eventMetadata: command.eventMetadata,
  });
}

/** A breach never half-applies: the numbers are as before, and the instance waits for a person. */
function undo(state: LaneState, instance: Instance, breach: string): Refusal {
  instance.words.set(instance.saved);
  instance.refresh();
  pauseItself(state, instance, breach);
  return refused('instance_suspended', `the instance is suspended: ${breach}`);
}
