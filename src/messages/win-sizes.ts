import { utf8Length } from '../lib/bytes.ts';
import type { WinSize } from './bus-messages.ts';
import type { LaneEvent, WinShare, WonEvent } from './events.ts';

const eventBytes = 256;
const shareBytes = 96;

/** The sizes of the wins among the events of a message, as the lane itself counts them (docs/decisions/0062). */
export function winSizesOf(events: readonly LaneEvent[]): readonly WinSize[] {
  const sizes: WinSize[] = [];
  for (const event of events)
    if (event.kind === 'Won') sizes.push({ brand: event.winner.brand, bytes: winBytes(event) });
  return sizes;
}

function winBytes({ gameround, eventMetadata, winner, community }: WonEvent): number {
  let bytes = eventBytes + utf8Length(gameround) + utf8Length(eventMetadata ?? '');
  bytes += bytesOf(winner);
  for (const share of community) bytes += bytesOf(share);
  return bytes;
}

function bytesOf({ brand, player }: WinShare): number {
  return shareBytes + utf8Length(brand) + utf8Length(player);
}
