import { utf8Length } from '../lib/bytes.ts';
import type { WinSize } from './bus-messages.ts';
import type { LaneEvent, WinShare, WonEvent } from './events.ts';

/**
 * About how many bytes a win takes in the OUT record (docs/decisions/0062). Outcomes in the log follow from
 * these figures: never use others.
 */
const wonBytes = 256;
const shareBytes = 96;

/** The sizes of the wins among the events of a message. */
export function winSizesOf(events: readonly LaneEvent[]): readonly WinSize[] {
  const sizes: WinSize[] = [];
  for (const event of events)
    if (event.kind === 'Won') sizes.push({ brand: event.winner.brand, bytes: bytesOfWin(event) });
  return sizes;
}

/** A win with all its shares. */
export function bytesOfWin({ gameround, eventMetadata, winner, community }: WonEvent): number {
  let bytes = wonBytes + utf8Length(gameround) + utf8Length(eventMetadata ?? '');
  bytes += bytesOfShare(winner);
  for (const share of community) bytes += bytesOfShare(share);
  return bytes;
}

/** One recipient of a win or a raffle round. */
export function bytesOfShare({ brand, player }: Pick<WinShare, 'brand' | 'player'>): number {
  return shareBytes + utf8Length(brand) + utf8Length(player);
}
