import { assert } from '../../../lib/assert.ts';
import type { Instance } from '../../state/instance/instance.ts';
import { TicketBook } from '../../state/instance/ticket-book.ts';
import { roundTimes } from './schedule.ts';

/** Begins the next round, or the first: tickets of the last round no longer count. */
export function beginRound(instance: Instance, fromMs: number, nowMs: number): void {
  const { raffle, configuration, facts } = instance;
  const rules = configuration.raffle;
  assert(raffle !== null && rules !== null, 'rounds belong to a raffle');
  raffle.round = {
    number: (raffle.round?.number ?? 0) + 1,
    rules,
    tickets: 0,
    ...roundTimes(rules.duration, fromMs, nowMs, facts.endMs),
  };
  raffle.phase = { kind: 'Open' };
  raffle.book = new TicketBook();
}
