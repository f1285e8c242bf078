import {
  type AuditPorts,
  emptyReplica,
  type KeptSnapshot,
  keptSnapshots,
  restoreSnapshot,
} from '../../actors/audit/kept-snapshots.ts';
import { commandPages, outcomePages } from '../../actors/audit/pages.ts';
import type { Engines } from '../../actors/ports/actor-ports.ts';
import { Replica } from '../../actors/replica/replica.ts';
import { equalBytes, toHex } from '../../lib/bytes.ts';
import type { Hashing } from '../../lib/hashing.ts';
import { inTurns, type LoopTurn } from '../../lib/turns.ts';
import { recordHead } from '../../messages/codec/record-head.ts';
import { LogError, type StoredCommand } from '../../ports.ts';
import { BooksError } from './books-error.ts';
import { type BooksCopy, LaneBooks } from './lane-books.ts';
import { OutcomeGuide } from './outcome-guide.ts';

/** What books read: the log with its archive, and the archived snapshots. */
export interface BooksPorts {
  readonly log: AuditPorts['log'];
  readonly engines: (hashing: Hashing) => Engines;
  readonly turn: LoopTurn;
}

/**
 * Where the books of a lane go on: behind this message, whose lane head they know. Or where they begin: at
 * the newest place of the log behind which records name all keys, or at the oldest.
 */
export type BooksStart = { readonly sequence: number; readonly head: string } | 'newest' | 'oldest';

/**
 * The books of a lane at a place, in steps: the event loop turns between them.
 * @throws BooksError; LogError, `hole` where the log does not reach back far enough
 */
export async function openBooks(lane: number, place: BooksStart, ports: BooksPorts): Promise<LaneBooks> {
  const { commands, outcomes } = await ports.log.extents(lane);
  const isWhole = commands.firstSequence <= 1;
  const to = outcomes.lastSequence;
  const fits = ({ sequence }: KeptSnapshot) => sequence <= to && sequence >= commands.firstSequence - 1;
  const snapshots = (await keptSnapshots(lane, { stores: [], log: ports.log })).filter(fits);
  if (typeof place !== 'string') return resumed(lane, place, snapshots, isWhole, to, ports);
  const beginsWhole = isWhole && (await hasAllKeys(lane, to, ports));
  if (place === 'oldest' && beginsWhole) return emptyBooks(lane, ports);
  for (const kept of place === 'oldest' ? snapshots.toReversed() : snapshots) {
    const books = await booksOfSnapshot(lane, kept, ports);
    if (books?.namesStreamKeys === true) return books;
  }
  if (beginsWhole) return emptyBooks(lane, ports);
  const what = 'no snapshot is of an engine version that names the keys of draws';
  throw new BooksError('stream_keys_missing', lane, to, what);
}

async function resumed(
  lane: number,
  { sequence, head }: Exclude<BooksStart, string>,
  snapshots: readonly KeptSnapshot[],
  isWhole: boolean,
  to: number,
  ports: BooksPorts,
): Promise<LaneBooks> {
  if (sequence > to)
    throw new BooksError('books_ahead', lane, sequence, `the outcome records of the lane end at ${to}`);
  const before = snapshots.filter((kept) => kept.sequence <= sequence);
  for (const kept of [...before, ...(isWhole ? [null] : [])]) {
    const books = kept === null ? emptyBooks(lane, ports) : await booksOfSnapshot(lane, kept, ports);
    if (books === null) continue;
    await advanceBooks(books, lane, sequence, ports);
    if (toHex(books.head) === head) return books;
    throw new BooksError('books_differ', lane, sequence, 'the books were written from another log');
  }
  throw new LogError('hole', `The log of lane ${lane} and its snapshots do not reach back to ${sequence}.`);
}

/** Whether nothing was drawn before the lane had a version that names keys. */
async function hasAllKeys(lane: number, to: number, ports: BooksPorts): Promise<boolean> {
  const books = emptyBooks(lane, ports);
  try {
    await advanceBooks(books, lane, to, ports, () => books.namesStreamKeys);
    return books.namesStreamKeys;
  } catch (error) {
    if (error instanceof BooksError && error.code === 'stream_keys_missing') return false;
    throw error;
  }
}

/** Applies messages up to `to`, or until it is enough before the next one. @throws as `openBooks` */
export async function advanceBooks(
  books: LaneBooks,
  lane: number,
  to: number,
  { log, turn }: BooksPorts,
  isEnough: (next: StoredCommand) => boolean = () => false,
): Promise<void> {
  const commands = commandPages(log, lane);
  const outcomes = outcomePages(log, lane);
  turn.begin();
  while (books.sequence < to) {
    const next = books.sequence + 1;
    const [command, outcome] = [await commands.at(next), await outcomes.at(next)];
    if (command === null || outcome === null)
      throw new LogError('hole', `Message ${next} of lane ${lane} or its record cannot be read.`);
    if (isEnough(command)) return;
    books.apply(command, outcome);
    if (turn.isOver) await turn.next();
  }
}

/** The books of a lane before its first message. */
export function emptyBooks(lane: number, { engines }: BooksPorts): LaneBooks {
  const guide = new OutcomeGuide();
  const { hashing } = guide;
  return new LaneBooks(emptyReplica(lane, guide, { hashing, engines: engines(hashing) }), guide);
}

/** null: the snapshot cannot be read, or is not of this log. */
export async function booksOfSnapshot(
  lane: number,
  kept: KeptSnapshot,
  ports: BooksPorts,
): Promise<LaneBooks | null> {
  const { log, engines, turn } = ports;
  const guide = new OutcomeGuide();
  const { hashing } = guide;
  const read = { log, stores: [], maxAgeMs: 0, hashing, engines: engines(hashing) };
  const found = await restoreSnapshot(lane, kept, guide, read, turn);
  if (found.kind !== 'restored') return null;
  const books = new LaneBooks(found.replica, guide);
  return (await isOfLog(books, lane, ports)) ? books : null;
}

/** The same from a copy of the state in memory. */
export async function booksOfCopy(
  lane: number,
  { chunks, head }: BooksCopy,
  { engines, turn }: BooksPorts,
): Promise<LaneBooks> {
  const guide = new OutcomeGuide();
  const { hashing } = guide;
  const engine = await inTurns(engines(hashing).restore(chunks), turn);
  return new LaneBooks(new Replica(lane, engine, hashing, head, guide), guide);
}

/** Whether OUT has the head of the books; a record that is gone proves nothing. */
export async function isOfLog(
  { sequence, head }: LaneBooks,
  lane: number,
  { log }: BooksPorts,
): Promise<boolean> {
  const stored = sequence === 0 ? null : await log.readOutcome(lane, sequence);
  const record = stored === null ? null : recordHead(stored.bytes);
  return record === null || equalBytes(record.laneHead, head);
}
