import { assert } from '../../../lib/assert.ts';
import type { RaffleDuration } from '../../state/configuration/configuration.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { RoundTimes } from '../../state/instance/raffle.ts';
import { TicketBook } from '../../state/instance/ticket-book.ts';

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

/** The round after `fromMs` that `nowMs` is in; timestamp_end ends the round that it falls into. */
export function roundTimes(
  duration: RaffleDuration,
  fromMs: number,
  nowMs: number,
  timestampEndMs: number | null,
): RoundTimes {
  const next = duration.kind === 'Length' ? ofLength(duration.lengthMs, fromMs, nowMs) : null;
  const found = next ?? scheduled(duration as Scheduled, fromMs, nowMs, timestampEndMs);
  if (timestampEndMs === null || found.endMs < timestampEndMs) return found;
  return { startMs: Math.min(found.startMs, timestampEndMs), endMs: timestampEndMs, isLast: true };
}

type Scheduled = Extract<RaffleDuration, { kind: 'Scheduled' }>;

function ofLength(lengthMs: number, fromMs: number, nowMs: number): RoundTimes {
  const passed = Math.max(0, Math.floor((nowMs - fromMs) / lengthMs));
  const startMs = fromMs + passed * lengthMs;
  return { startMs, endMs: startMs + lengthMs, isLast: false };
}

function scheduled(
  { endsMs }: Scheduled,
  fromMs: number,
  nowMs: number,
  timestampEndMs: number | null,
): RoundTimes {
  const ahead = endsMs.filter((each) => each > Math.max(fromMs, nowMs));
  const passed = endsMs.filter((each) => each > fromMs && each <= nowMs);
  const startMs = passed[passed.length - 1] ?? fromMs;
  const endMs = ahead[0] ?? timestampEndMs ?? startMs;
  // After the last scheduled end one more round follows only where timestamp_end is later.
  const isLast = ahead.length <= 1 && (timestampEndMs === null || timestampEndMs <= endMs);
  return { startMs, endMs, isLast };
}
