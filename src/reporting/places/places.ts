import { type KeptSnapshot, keptSnapshots } from '../../actors/audit/kept-snapshots.ts';
import type { LogPlace, PlaceQuestion } from '../../contracts/reports/questions.ts';
import { type Clock, LogError, type StoredCommand } from '../../ports.ts';
import { reportingLimits } from '../base/limits.ts';
import { BooksError } from '../books/books-error.ts';
import type { BooksCopy, LaneBooks } from '../books/lane-books.ts';
import {
  advanceBooks,
  type BooksPorts,
  booksOfCopy,
  booksOfSnapshot,
  emptyBooks,
  isOfLog,
} from '../books/open-books.ts';

interface PlacesPorts extends BooksPorts {
  readonly clock: Pick<Clock, 'elapsedMs'>;
}

type Limits = Readonly<
  Record<'placeWithinMs' | 'placeCopyMs' | 'placeCopiesBytes' | 'placeSnapshotsMs', number>
>;

type Moment = NonNullable<PlaceQuestion['moment']>;

interface Place {
  readonly lane: number;
  readonly sequence: number;
  readonly timestampMs: number;
}

interface Copy extends Place, BooksCopy {
  readonly bytes: number;
}

type Found =
  /** `oldest` null: log and archive lead to every place. */
  | { readonly kind: 'there'; readonly books: LaneBooks; readonly oldest: LogPlace | null }
  | { readonly kind: 'too_far'; readonly reached: LogPlace }
  | { readonly kind: 'not_kept'; readonly oldest: LogPlace | null }
  | { readonly kind: 'ahead'; readonly last: number };

/**
 * Lanes as they were, by replays without draw keys: from the snapshot before a place, or from a nearer state
 * that an earlier question left. One question at a time; the state of one lane and some copies are in memory.
 */
export class LanePlaces {
  readonly #ports: PlacesPorts;
  readonly #limits: Limits;
  #open: { readonly lane: number; readonly books: LaneBooks } | null = null;
  #copies: readonly Copy[] = [];
  /** Which snapshots there are, by lane: a list of the whole archive. */
  readonly #snapshots = new Map<number, { readonly atMs: number; readonly kept: readonly KeptSnapshot[] }>();

  constructor(ports: PlacesPorts, limits: Limits = reportingLimits) {
    this.#ports = ports;
    this.#limits = limits;
  }

  /**
   * The lane behind the newest message at a moment or before it; null: behind its last one. The books are to
   * be read before the next question.
   * @throws LogError, BooksError, UnsupportedEngineVersion: nothing of the lane is in memory then
   */
  async at(
    lane: number,
    moment: Moment | null,
    withinMs: number = this.#limits.placeWithinMs,
  ): Promise<Found> {
    try {
      return await this.#at(lane, moment, withinMs);
    } catch (error) {
      // What is in memory may be of a log that is there no more.
      if (this.#open?.lane === lane) this.#open = null;
      this.#snapshots.delete(lane);
      this.#copies = this.#copies.filter((copy) => copy.lane !== lane);
      if (error instanceof BooksError && error.code === 'stream_keys_missing')
        return { kind: 'not_kept', oldest: null };
      throw error;
    }
  }

  async #at(lane: number, asked: Moment | null, withinMs: number): Promise<Found> {
    const { log, clock } = this.#ports;
    const untilMs = clock.elapsedMs() + withinMs;
    const { commands, outcomes } = await log.extents(lane);
    const last = outcomes.lastSequence;
    const moment: Moment = asked ?? { kind: 'message', sequence: last };
    if (moment.kind === 'message' && moment.sequence > last) return { kind: 'ahead', last };
    const isWhole = commands.firstSequence <= 1;
    const kept = (await this.#keptSnapshots(lane)).filter(
      ({ sequence }) => sequence <= last && sequence >= commands.firstSequence - 1,
    );
    const first = kept.at(-1);
    const oldest =
      isWhole || first === undefined ? null : { sequence: first.sequence, timestamp: first.timestampMs };
    const books = await this.#nearest(lane, moment, kept, isWhole);
    if (books === null) {
      if (oldest === null)
        throw new LogError('hole', `The log of lane ${lane} begins at ${commands.firstSequence}.`);
      return { kind: 'not_kept', oldest };
    }
    const isOver = await this.#replay(lane, books, moment, last, untilMs);
    if (isOver)
      return { kind: 'too_far', reached: { sequence: books.sequence, timestamp: books.timestampMs } };
    if (!(await isOfLog(books, lane, this.#ports)))
      throw new BooksError('books_differ', lane, books.sequence, 'the replay has another head than OUT');
    return { kind: 'there', books, oldest };
  }

  async #keptSnapshots(lane: number): Promise<readonly KeptSnapshot[]> {
    const atMs = this.#ports.clock.elapsedMs();
    const known = this.#snapshots.get(lane);
    if (known !== undefined && atMs - known.atMs < this.#limits.placeSnapshotsMs) return known.kept;
    const kept = await keptSnapshots(lane, { stores: [], log: this.#ports.log });
    this.#snapshots.set(lane, { atMs, kept });
    return kept;
  }

  /** The newest state that is not behind the moment; null: there is none. */
  async #nearest(
    lane: number,
    moment: Moment,
    kept: readonly KeptSnapshot[],
    isWhole: boolean,
  ): Promise<LaneBooks | null> {
    const present = this.#open;
    const open =
      present?.lane === lane ? [{ ...placeOf(lane, present.books), books: async () => present.books }] : [];
    const states: readonly (Place & { readonly books: () => Promise<LaneBooks | null> })[] = [
      ...open,
      ...this.#copies
        .filter((copy) => copy.lane === lane)
        .map((copy) => ({ ...copy, books: () => booksOfCopy(lane, copy, this.#ports) })),
      ...kept.map((each) => ({ ...each, lane, books: () => booksOfSnapshot(lane, each, this.#ports) })),
      ...(isWhole
        ? [{ lane, sequence: 0, timestampMs: 0, books: async () => emptyBooks(lane, this.#ports) }]
        : []),
    ];
    const before = states.filter((state) => !isBehind(state, moment));
    // What is in memory comes first of one sequence.
    for (const state of before.toSorted((one, other) => other.sequence - one.sequence)) {
      const isOpen = state === open[0];
      // Only one lane's state is whole in memory at a time.
      if (!isOpen && this.#open !== null) {
        this.#remember(this.#open.lane, this.#open.books);
        this.#open = null;
      }
      const books = await state.books();
      if (books === null) continue;
      this.#open = { lane, books };
      return books;
    }
    return null;
  }

  /** Whether the time was over before the moment. */
  async #replay(
    lane: number,
    books: LaneBooks,
    moment: Moment,
    last: number,
    untilMs: number,
  ): Promise<boolean> {
    const { clock } = this.#ports;
    const to = moment.kind === 'message' ? moment.sequence : last;
    let copiedMs = clock.elapsedMs();
    let isOver = false;
    await advanceBooks(books, lane, to, this.#ports, (next) => {
      if (isBehind(next, moment)) return true;
      const nowMs = clock.elapsedMs();
      if (nowMs - copiedMs >= this.#limits.placeCopyMs) {
        this.#remember(lane, books);
        copiedMs = nowMs;
      }
      isOver = nowMs >= untilMs;
      return isOver;
    });
    return isOver;
  }

  /** Makes a copy, in place of the oldest ones where there is no room. */
  #remember(lane: number, books: LaneBooks): void {
    const place = placeOf(lane, books);
    if (this.#copies.some((copy) => copy.lane === lane && copy.sequence === place.sequence)) return;
    const copy = books.copy();
    const bytes = copy.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const copies = [...this.#copies, { ...place, ...copy, bytes }];
    let sum = copies.reduce((total, each) => total + each.bytes, 0);
    while (sum > this.#limits.placeCopiesBytes) sum -= copies.shift()?.bytes ?? 0;
    this.#copies = copies;
  }
}

function placeOf(lane: number, { sequence, timestampMs }: LaneBooks): Place {
  return { lane, sequence, timestampMs };
}

function isBehind({ sequence, timestampMs }: Place | StoredCommand, moment: Moment): boolean {
  return moment.kind === 'time' ? timestampMs > moment.timeMs : sequence > moment.sequence;
}
