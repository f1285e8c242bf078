import { operatorOf } from '../../contracts/fields/identifiers.ts';
import type { LaneEvent, RafflePrize, WinShare, WonEvent } from '../../messages/events.ts';
import { creditId } from '../../messages/transaction-ids.ts';
import type { BookedContribution, BookedMessage } from '../base/booked-message.ts';
import type { RowOf } from '../base/tables.ts';
import { ofMessage, type RowPlaces } from './row-places.ts';

type RaffleWonEvent = Extract<LaneEvent, { readonly kind: 'RaffleWon' }>;
type WinRow = RowOf<'wins'>;

/** A row for each winner, in the order of the events. */
export function winRows(message: BookedMessage, places: RowPlaces): readonly WinRow[] {
  const contributions = new Map(
    message.contributions.map((each) => [placeOf(each.instance, each.instanceSequence), each] as const),
  );
  // A trigger pays one pot, and its event comes in the order of the commands.
  const triggers = message.outcome.outcomes.flatMap(({ kind }, index) =>
    kind === 'Triggered' ? [index] : [],
  );
  return message.outcome.events.flatMap((event) => {
    if (event.kind === 'RaffleWon')
      return event.winners.map((prize, number) => prizeRow(event, prize, number === 0, places));
    if (event.kind !== 'Won') return [];
    const contribution = event.external
      ? null
      : (contributions.get(placeOf(event.instance, event.sequence)) ?? null);
    const index = event.external ? (triggers.shift() ?? ofMessage) : (contribution?.index ?? ofMessage);
    return wonRows(event, contribution, index, places);
  });
}

function wonRows(
  event: WonEvent,
  contribution: BookedContribution | null,
  index: number,
  places: RowPlaces,
): readonly WinRow[] {
  const row = (share: WinShare, kind: 'main' | 'community'): WinRow => ({
    ...places.next(index),
    kind: kind === 'main' && event.external ? 'external' : kind,
    instance: event.instance,
    counter: event.counter,
    instance_sequence: event.sequence,
    pot: event.pot,
    cycle: event.instanceCount,
    epoch: contribution?.epoch ?? null,
    operator: operatorOf(share.brand),
    brand: share.brand,
    player: share.player,
    currency: event.currency,
    amount: share.amountAtoms,
    paid_currency: share.paidCurrency,
    paid_amount: share.paidAtoms,
    is_withheld: kind === 'main' && event.withheld,
    transaction_id: creditId(event.instance, event.pot, event.instanceCount, share.brand, share.player, kind),
    contribution_id: contribution?.contributionId ?? null,
    gameround: event.gameround === '' ? null : event.gameround,
    ...{ round: null, tier: null, ticket: null },
    seed_amount: kind === 'main' ? event.seedAtoms : null,
    seed_deficit_amount: kind === 'main' ? event.seedDeficitAtoms : null,
    event_metadata: event.eventMetadata,
  });
  return [row(event.winner, 'main'), ...event.community.map((share) => row(share, 'community'))];
}

/** The prizes of a player are one credit, in the player's currency: `payments` has it. */
function prizeRow(event: RaffleWonEvent, prize: RafflePrize, isFirst: boolean, places: RowPlaces): WinRow {
  const { instance, pot, instanceCount: cycle } = event;
  const { brand, player } = prize;
  return {
    ...places.next(ofMessage),
    kind: 'raffle',
    instance,
    counter: event.counter,
    instance_sequence: event.sequence,
    pot,
    cycle,
    epoch: null,
    operator: operatorOf(brand),
    brand,
    player,
    currency: event.currency,
    amount: prize.amountAtoms,
    paid_currency: null,
    paid_amount: null,
    is_withheld: prize.withheld,
    transaction_id: creditId(instance, pot, cycle, brand, player, 'raffle'),
    contribution_id: null,
    gameround: null,
    round: event.round,
    tier: prize.tier,
    ticket: prize.ticket,
    seed_amount: isFirst ? event.seedAtoms : null,
    seed_deficit_amount: isFirst ? event.seedDeficitAtoms : null,
    event_metadata: null,
  };
}

function placeOf(instance: string, sequence: number): string {
  return `${instance} ${sequence}`;
}
