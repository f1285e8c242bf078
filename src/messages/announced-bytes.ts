import { utf8Length } from '../lib/bytes.ts';
import type { Document } from '../lib/document-reader.ts';
import type { WinSize } from './bus-messages.ts';
import type { LaneEvent, WinShare, WonEvent } from './events.ts';
import type { LaneWork } from './settlements.ts';

/**
 * About how many bytes an announcement takes in the OUT record (docs/decisions/0062). Outcomes in the log
 * follow from these figures: never change them; change `maximumMessageBytes` instead.
 */
const eventBytes = {
  InstanceChanged: 16_384,
  StatusChanged: 4_096,
  BindingsChanged: 1_024,
  OptInChanged: 4_096,
  PayoutChanged: 4_096,
  TicketsAwarded: 512,
  RaffleWon: 512,
  EpochStarted: 256,
  EpochEnded: 256,
  EpochRevealed: 256,
} as const satisfies Record<Exclude<LaneEvent['kind'], 'Won'>, number>;

const workBytes = { DebitDue: 1_024, CreditDue: 2_048, CreditsDue: 512, FlushDue: 4_096 } as const;
const bindingBytes = 96;

/** All events but an instance's, which `bytesOfInstance` measures. */
export function bytesOfEvent(event: LaneEvent): number {
  if (event.kind === 'Won') return bytesOfWin(event);
  const bytes = eventBytes[event.kind];
  switch (event.kind) {
    case 'RaffleWon':
      return bytes + event.winners.reduce((sum, prize) => sum + bytesOfShare(prize), 0);
    case 'BindingsChanged':
      return bytes + bindingBytes * event.bindings.length;
    case 'EpochStarted':
      return bytes + utf8Length(event.header);
    default:
      return bytes;
  }
}

interface Documented {
  readonly document: Document;
}

/** An event has a configuration twice: as a whole, and as it is in force pot by pot. */
export function bytesOfInstance(configuration: Documented, pendingConfiguration: Documented | null): number {
  const pending = pendingConfiguration === null ? 0 : bytesOfDocument(pendingConfiguration.document);
  return eventBytes.InstanceChanged + 2 * (bytesOfDocument(configuration.document) + pending);
}

/** Work for the wallet or the outbox. */
export function bytesOfWork({ kind }: LaneWork): number {
  return workBytes[kind];
}

const measured = new WeakMap<Document, number>();

/** As JSON. A document is measured once: it never changes. */
export function bytesOfDocument(document: Document): number {
  let bytes = measured.get(document);
  if (bytes === undefined) {
    const json = JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    bytes = utf8Length(json);
    measured.set(document, bytes);
  }
  return bytes;
}

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
function bytesOfWin({ gameround, eventMetadata, winner, community }: WonEvent): number {
  let bytes = wonBytes + utf8Length(gameround) + utf8Length(eventMetadata ?? '');
  bytes += bytesOfShare(winner);
  for (const share of community) bytes += bytesOfShare(share);
  return bytes;
}

/** One recipient of a win or a raffle round. */
function bytesOfShare({ brand, player }: Pick<WinShare, 'brand' | 'player'>): number {
  return shareBytes + utf8Length(brand) + utf8Length(player);
}
