import type { BookedMessage, Posting } from '../base/booked-message.ts';
import type { RowOf } from '../base/tables.ts';
import type { LaneFacts } from './facts.ts';
import { reasonOf, userOf } from './payments.ts';
import { ofMessage, type RowPlaces } from './row-places.ts';
import { splitOf } from './split.ts';

/** Whose win a posting pays; null: it pays none, or that of many. */
export type PaidWinner = Pick<RowOf<'wins'>, 'brand' | 'player' | 'contribution_id'> | null;

/** The row of a posting that is no contribution's. */
export function entryRow(
  message: BookedMessage,
  posting: Posting,
  winner: PaidWinner,
  places: RowPlaces,
  facts: LaneFacts,
): RowOf<'entries'> {
  const { index, instance, phase } = posting;
  const command = message.batch.commands[index];
  return {
    ...places.next(index),
    operator: facts.of(message, instance).operator,
    instance,
    phase,
    kind: index === ofMessage || command === undefined ? 'Round' : command.kind,
    brand: winner?.brand ?? null,
    player: winner?.player ?? null,
    contribution_id: winner?.contribution_id ?? null,
    changed_by: userOf(command),
    reason: reasonOf(command),
    split: splitOf(posting),
  };
}
