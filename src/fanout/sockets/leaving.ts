import { pause } from '../../lib/pauses.ts';
import type { Clock, Random } from '../../ports.ts';
import {
  comingBackPerSecond,
  feedHandOverMs,
  minSlice,
  sliceEveryMs,
  waitingBytesOfAll,
} from '../base/limits.ts';
import type { Connection } from '../connections/connection.ts';

/**
 * Closes all sockets a slice at a time, those that still open among them. The rest goes on getting its events
 * meanwhile (docs/rules/feeds.md "Several fan-outs").
 */
export async function closeInSlices(
  connections: ReadonlySet<Connection>,
  close: (connection: Connection) => void,
  clock: Clock,
): Promise<void> {
  const open = (): Connection[] => [...connections].filter(({ closing }) => closing === null);
  const slices = Math.min(feedHandOverMs / sliceEveryMs, Math.ceil(open().length / minSlice));
  for (let left = slices; left > 0; left -= 1) {
    const waiting = open();
    for (const connection of waiting.slice(0, Math.ceil(waiting.length / left))) close(connection);
    if (left > 1) await pause(clock, sliceEveryMs);
  }
}

/** How long a socket is told to wait where all are closed at once: they come back evenly. */
export function retryAfterMs(sockets: number, random: Pick<Random, 'bytes'>): number {
  if (sockets <= comingBackPerSecond) return 0;
  const chance = Buffer.from(random.bytes(4)).readUInt32LE() / 2 ** 32;
  return Math.ceil(chance * (sockets / comingBackPerSecond) * 1_000);
}

/** Sockets with most waiting bytes, without which the others' are few enough. */
export function tooSlowTogether(
  connections: Iterable<Connection>,
  limitBytes = waitingBytesOfAll,
): Connection[] {
  const waiting: { readonly connection: Connection; readonly bytes: number }[] = [];
  let allBytes = 0;
  for (const connection of connections) {
    const bytes = connection.socket?.getBufferedAmount() ?? 0;
    if (bytes === 0) continue;
    waiting.push({ connection, bytes });
    allBytes += bytes;
  }
  if (allBytes <= limitBytes) return [];
  waiting.sort((one, other) => other.bytes - one.bytes);
  return waiting.flatMap(({ connection, bytes }) => {
    if (allBytes <= limitBytes) return [];
    allBytes -= bytes;
    return [connection];
  });
}
