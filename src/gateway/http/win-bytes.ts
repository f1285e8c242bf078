import type { LaneEvent, WinShare } from '../../messages/events.ts';

type Won = Extract<LaneEvent, { readonly kind: 'Won' }>;

const eventBytes = 256;
const shareBytes = 96;

/** About how many bytes of the log a win takes, as the lane itself counts them (docs/decisions/0062). */
export function winBytes({ gameround, eventMetadata, winner, community }: Won): number {
  let bytes = eventBytes + Buffer.byteLength(gameround) + Buffer.byteLength(eventMetadata ?? '');
  bytes += bytesOf(winner);
  for (const share of community) bytes += bytesOf(share);
  return bytes;
}

function bytesOf({ brand, player }: WinShare): number {
  return shareBytes + Buffer.byteLength(brand) + Buffer.byteLength(player);
}
