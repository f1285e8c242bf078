import { type Document, Reader } from '../../../lib/document-reader.ts';
import { asStored, restored } from '../../../lib/json-chunks.ts';
import { readRaffleRules } from '../../rules/configuration/raffle-rules.ts';
import type { Announcing, Raffle, RoundPhase } from '../../state/instance/raffle.ts';
import type { StoredBlock } from '../../state/instance/ticket-book.ts';

/** Blocks of tickets that one chunk holds: about a megabyte. */
const blocksPerChunk = 256;

type StoredRaffle = ReturnType<typeof raffleFacts>;

/** Facts of a raffle in a snapshot, beside its tickets and players. */
export function raffleFacts(raffle: Raffle) {
  const { round, phase } = raffle;
  return {
    round: round === null ? null : { ...round, rules: round.rules.document },
    phase: storedPhase(phase),
    nextTicket: raffle.book.next,
    step: raffle.step,
    /** Steps that wait for the end of the next message; absent in older snapshots. */
    requested: raffle.requested as number | undefined,
    wasPaused: raffle.wasPaused,
  };
}

export function restoreRaffle(raffle: Raffle, from: StoredRaffle): void {
  const { round, phase } = from;
  raffle.round = round === null ? null : { ...round, rules: rulesFrom(round.rules) };
  raffle.phase = phaseFrom(phase);
  raffle.book.resume(from.nextTicket);
  raffle.step = from.step;
  raffle.requested = from.requested ?? 0;
  raffle.wasPaused = from.wasPaused;
}

export interface StoredTickets {
  readonly type: 'tickets';
  readonly instance: string;
  readonly blocks: readonly { readonly first: number; readonly ranges: number; readonly bytes: number }[];
}

/** Facts and bytes of the chunks that tickets take. */
export function* ticketChunks(
  instance: string,
  blocks: readonly StoredBlock[],
): Iterable<readonly [StoredTickets, readonly Uint8Array[]]> {
  for (let from = 0; from < blocks.length; from += blocksPerChunk) {
    const part = blocks.slice(from, from + blocksPerChunk);
    const facts = part.map(({ first, ranges, bytes }) => ({ first, ranges, bytes: bytes.length }));
    yield [{ type: 'tickets', instance, blocks: facts }, part.map((each) => each.bytes)];
  }
}

export function restoreTickets(raffle: Raffle, tickets: StoredTickets, payload: Uint8Array): void {
  let at = 0;
  const blocks = tickets.blocks.map(({ first, ranges, bytes }) => {
    at += bytes;
    return { first, ranges, bytes: payload.subarray(at - bytes, at) };
  });
  raffle.book.adopt(blocks);
}

function rulesFrom(document: Document) {
  return readRaffleRules(new Reader(document, '', []), document);
}

type StoredPhase = ReturnType<typeof storedPhase>;

/** Work left for an ended round; amounts as texts. Stored snapshots have older names. */
function storedPhase(phase: RoundPhase) {
  if (phase.kind === 'Announcing') return storedAnnouncing(phase);
  if (phase.kind !== 'Recording') return phase;
  const { announcing, ...recording } = phase;
  return { ...recording, telling: storedAnnouncing(announcing) };
}

function phaseFrom(stored: StoredPhase): RoundPhase {
  if (stored.kind === 'Telling') return announcingFrom(stored);
  if (stored.kind !== 'Recording') return stored;
  const { telling, ...recording } = stored;
  return { ...recording, announcing: announcingFrom(telling) };
}

function storedAnnouncing(announcing: Announcing) {
  const prizes = announcing.prizes.map((prize) => asStored(prize));
  return { ...asStored(announcing), kind: 'Telling' as const, prizes };
}

function announcingFrom(announcing: ReturnType<typeof storedAnnouncing>): Announcing {
  const prizes = announcing.prizes.map((prize) => restored(prize, ['amountAtoms']));
  return { ...restored(announcing, ['seedAtoms', 'seedDeficitAtoms']), kind: 'Announcing', prizes };
}
