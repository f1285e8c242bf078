import { assert } from '../../../lib/assert.ts';
import type { TicketsAwardedEvent } from '../../../messages/events.ts';
import type { TicketRecord } from '../../../messages/records.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { Round } from '../../state/instance/raffle.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { type Holding, holdingOf } from './holding.ts';

/** A player's numbers first … first + count − 1, and what the player has in the round now. */
export function ticketEvent(
  state: LaneState,
  instance: Instance,
  row: number,
  first: number,
  count: number,
): TicketsAwardedEvent {
  const record = ticketRecord(state, instance, row);
  const holding = holdingOf(instance, row);
  assert(record !== null && holding !== null, 'tickets are given to players of the round');
  return { kind: 'TicketsAwarded', first, count, record: { ...record, ticketCount: holding.tickets } };
}

/** The player's record of the current round; null where the player takes no part in it. */
export function ticketRecord(state: LaneState, instance: Instance, row: number): TicketRecord | null {
  const holding = holdingOf(instance, row);
  const round = instance.raffle?.round ?? null;
  if (holding === null || round === null) return null;
  return {
    instance: instance.id,
    brand: state.brands.byNumber(instance.players.brandOf(row)).command.brand,
    player: instance.players.playerId(row),
    ticketCount: shownTickets(instance, round, row, holding),
    accumulatedAtoms: holding.costAtoms,
    startMs: round.startMs,
    endMs: round.endMs,
  };
}

/** Deferred tickets count once they have their numbers. */
export function shownTickets(instance: Instance, round: Round, row: number, { tickets }: Holding): number {
  return !round.rules.isDeferred || isBehindNumbering(instance, row) ? tickets : 0;
}

function isBehindNumbering(instance: Instance, row: number): boolean {
  const { players, raffle } = instance;
  const phase = raffle!.phase;
  if (phase.kind === 'Open') return false;
  if (phase.kind !== 'Numbering') return true;
  return players.ordinalOf(row) < phase.nextOrdinal;
}
