import { type Books, copyBooks, openBooks } from './books.ts';
import { join, toHex, u64, utf8 } from './bytes.ts';
import { canonical } from './canonical.ts';
import { MinorUnit } from './currencies.ts';
import { Disagreement, expectSame, expectThat } from './disagreement.ts';
import type { PublicEpoch, PublicGroup, PublicRecord } from './document.ts';
import { recomputeDraw } from './draw.ts';
import { applyEvent } from './event.ts';
import { feed } from './feed.ts';
import { Followed } from './followed.ts';
import type { VerifierHashing } from './hashing.ts';
import type { Header } from './header.ts';
import { type EpochKey, purposes, type Stream } from './key-stream.ts';
import { changeParameters } from './parameter-change.ts';
import { checkPayer } from './payer.ts';
import type { Players } from './players.ts';
import type { Progress } from './progress.ts';
import { outcomeBytes } from './record-bytes.ts';
import { RecordIds } from './record-ids.ts';
import type { RoundFacts } from './round.ts';
import type { Members } from './shape.ts';
import { recomputePayout, selectHit, type WinFacts } from './win.ts';

/** Bytes of one contribution in a message's inputs: id 16, base wager 8, pseudonym 16. */
const inputBytes = 40;
/** Places in a message at which a change of parameters is tried. */
const maxPlaces = 1024;
/** No number is as high: the change is behind all of them. */
const behindAll = Number.POSITIVE_INFINITY;

/** Follows an epoch message by message: everything is computed anew, and compared. */
export class Replay {
  books: Books;
  /** Every head of the epoch, its opening one included. */
  readonly heads = new Set<string>();
  head: Uint8Array;
  nextSequence: number;
  readonly #epoch: PublicEpoch;
  readonly #hashing: VerifierHashing;
  readonly #key: EpochKey;
  readonly #followed: Followed;
  /** Whether every player and their shares are known. */
  readonly #knowsPlayers: boolean;
  readonly #raffleRules: Members;
  readonly #progress: Progress;
  readonly #minorUnit: MinorUnit;
  readonly #noInputs: Uint8Array;
  readonly #ids = new RecordIds();
  #timestampMs: number;
  /** The last message so far, because a change of parameters may be in the last one. */
  #last: PublicGroup[] = [];
  /** From which number on the next epoch's parameters wait for the pots' cycles; null: they never do. */
  #changesAt: number | null = null;

  constructor(
    epoch: PublicEpoch,
    hashing: VerifierHashing,
    key: EpochKey,
    opened: Uint8Array,
    followed: Followed | null,
    progress: Progress,
  ) {
    const { header } = epoch;
    this.books = openBooks(header);
    this.head = opened;
    this.heads.add(toHex(opened));
    this.nextSequence = header.firstSequence;
    this.#epoch = epoch;
    this.#hashing = hashing;
    this.#key = key;
    this.#followed = followed ?? new Followed();
    this.#knowsPlayers = followed !== null || header.epoch === 0;
    this.#raffleRules = this.books.rules.raffle;
    this.#followed.tickets.openEpoch(header, this.#raffleRules);
    this.#progress = progress;
    this.#minorUnit = new MinorUnit(this.books.rules.currency);
    this.#noInputs = hashing.sha256(new Uint8Array(0));
    this.#timestampMs = Math.max(latestOf(header), this.#followed.timestampMs);
  }

  /** Follows a group. Where the epoch ends with a change of parameters, the last message is kept for `finish`. */
  take(group: PublicGroup): void {
    if (this.#epoch.closing.config === null) {
      this.#group(group);
      return;
    }
    const timestampMs = group.records[0]!.timestampMs;
    if (this.#last[0] !== undefined && this.#last[0].records[0]!.timestampMs !== timestampMs) {
      for (const before of this.#last) this.#group(before);
      this.#last = [];
    }
    this.#last.push(group);
  }

  /** `end` compares what the epoch ends with. */
  finish(end: () => void): void {
    if (this.#epoch.closing.config === null) end();
    else this.#lastMessage(this.#last, end);
  }

  /** Whether parameters were changed in the epoch. */
  get isChanged(): boolean {
    return this.#changesAt !== null;
  }

  get timestampMs(): number {
    return this.#timestampMs;
  }

  get players(): Players | null {
    return this.#knowsPlayers ? this.#followed.players : null;
  }

  get tickets() {
    return this.#followed.tickets;
  }

  /**
   * It may contain a change of parameters. The place is not public: it is where the earlier rules stop holding, or
   * before a payout after which a pot continues by the new ones, or before any contribution to a pot whose value no
   * trigger shows, because a higher maximum applies to it at once.
   */
  #lastMessage(groups: readonly PublicGroup[], end: () => void): void {
    const goBack = this.#mark();
    const payouts = groups.flatMap(({ details }) => details.map(({ seq }) => seq as number));
    const all = groups.flatMap(({ records }) => records.map(({ sequence }) => sequence));
    const places: (number | null)[] = [null, behindAll, ...[...payouts, ...all].slice(0, maxPlaces)];
    let first: Disagreement | null = null;
    for (let place = places.shift(); place !== undefined; place = places.shift()) {
      this.#changesAt = place;
      try {
        for (const group of groups) this.#group(group);
        if (place === behindAll) this.#changeParameters();
        end();
        return;
      } catch (error) {
        if (!(error instanceof Disagreement)) throw error;
        first ??= error;
        if (place === null && error.sequence !== null) places.unshift(error.sequence);
        goBack();
      }
    }
    if (first !== null) throw first;
  }

  #changeParameters(): void {
    changeParameters(this.books, this.#epoch.closing.config!);
  }

  #mark(): () => void {
    const { head, nextSequence } = this;
    const books = copyBooks(this.books);
    const followed = this.#followed.copy();
    const timestampMs = this.#timestampMs;
    const progress = this.#progress.mark();
    this.#ids.mark();
    return () => {
      this.#ids.mark();
      this.books = copyBooks(books);
      this.head = head;
      this.nextSequence = nextSequence;
      this.#followed.become(followed.copy());
      this.#timestampMs = timestampMs;
      progress();
    };
  }

  #group(group: PublicGroup): void {
    try {
      expectSame('order', 'first_seq', group.firstSequence, this.nextSequence);
      expectSame('order', 'the length of inputs', group.inputs.length % inputBytes, 0);
      const inputsHash = this.#hashing.sha256(group.inputs);
      if (group.inputs.length === 0) this.#event(group);
      else this.#contributions(group, inputsHash);
      this.#chain(group, inputsHash);
    } catch (error) {
      if (error instanceof Disagreement) error.sequence ??= this.nextSequence;
      throw error;
    }
    this.#progress.counts.messages += 1;
  }

  #chain(group: PublicGroup, inputsHash: Uint8Array): void {
    const parts = [this.head, u64(group.firstSequence), inputsHash, outcomeBytes(group.records)];
    if (group.details.length > 0) parts.push(this.#hashing.sha256(utf8(canonical(group.details))));
    const head = this.#hashing.sha256(join(...parts));
    try {
      expectSame('heads', 'head', toHex(group.head), toHex(head));
    } catch (error) {
      if (error instanceof Disagreement) error.sequence = group.firstSequence;
      throw error;
    }
    this.head = head;
    this.heads.add(toHex(head));
    this.#progress.chained(group, toHex(head));
  }

  #contributions(group: PublicGroup, inputsHash: Uint8Array): void {
    let stream: Stream | null = null;
    const opened = () => {
      stream ??= this.#key.stream(purposes.pots, group.firstSequence, inputsHash);
      return stream;
    };
    let lastInput = -1;
    let details = 0;
    for (const record of group.records) {
      this.#place(group, record);
      if (record.sequence === this.#changesAt) this.#changeParameters();
      expectThat('order', record.input > lastInput, 'inputs are not used in their order');
      lastInput = record.input;
      const input = this.#inputOf(group, record);
      if (this.#progress.isWatched(record.sequence))
        this.#progress.watch(group, record, input, inputsHash, opened().key);
      const isNew = this.#ids.add(input.subarray(0, 16));
      expectThat('order', isNew, 'a contribution has two records');
      const won = this.#contribution(record, input.subarray(24), opened, group.details[details]);
      if (won) details += 1;
      this.#compareSeeds(record);
      this.nextSequence += 1;
    }
    expectSame('wins', 'the number of wins in the message', group.details.length, details);
  }

  /** Returns whether it won. */
  #contribution(
    record: PublicRecord,
    pseudonym: Uint8Array,
    stream: () => Stream,
    detail: Members | undefined,
  ): boolean {
    const { books } = this;
    const { counts } = this.#progress;
    counts.contributions += 1;
    const cycles = books.pots.map(({ cycle }) => cycle);
    checkPayer(books.rules, record, this.#minorUnit);
    const { qualified, gross } = feed(books, record.contribution, record.player, record.wager);
    if (this.#knowsPlayers) this.#followed.players.note(pseudonym, record, gross, cycles);
    const hits = recomputeDraw(books, record, qualified, stream, (evaluation) => {
      counts.draws += evaluation.entry.den > 0n ? 1 : 0;
      this.#progress.evaluated(record, evaluation);
    });
    counts.hits += hits.length;
    this.#followed.tickets.award(pseudonym, record);
    if (hits.length === 0) return false;
    const { pot, entries } = selectHit(books.rules.selector, hits);
    expectThat('wins', detail !== undefined, 'a hit has no win');
    const paying = {
      pot,
      triggers: entries.map(({ trigger }) => trigger),
      winner: pseudonym,
      isOwnCurrency: !record.converted,
      sequence: record.sequence,
      timestampMs: record.timestampMs,
      detail: detail!,
    };
    const kind = pot.rules.triggers[entries[0]!.trigger]!.name;
    const amount = recomputePayout(books, paying, this.#factsOf(record));
    this.#progress.won(record, pot.id, kind, amount, detail!);
    return true;
  }

  /** A22, A30, resumes and rounds are separate messages: no inputs, one record without entries. */
  #event(group: PublicGroup): void {
    const [record] = group.records;
    const [detail] = group.details;
    const isAlone = group.records.length === 1 && group.details.length === 1;
    expectThat('order', isAlone, 'an event is not one record with one detail');
    this.#place(group, record!);
    if (record!.sequence === this.#changesAt) this.#changeParameters();
    for (const name of ['contribution', 'wager', 'player'] as const)
      expectSame('money', `${name} of an event`, record![name], 0n);
    expectSame('order', 'input of an event', record!.input, 0);
    const isPriced = record!.repriced || record!.converted || record!.pricedBefore;
    expectThat('order', !isPriced, 'an event is priced');
    expectSame('draws', 'the number of entries of an event', record!.entries.length, 0);
    if (this.#progress.isWatched(record!.sequence))
      this.#progress.watch(group, record!, null, this.#noInputs, null);
    this.#apply(record!, detail!);
    this.#compareSeeds(record!);
    this.nextSequence += 1;
  }

  #apply(record: PublicRecord, detail: Members): void {
    const { counts } = this.#progress;
    const result = applyEvent(this.books, record, detail, this.#factsOf(record), this.#roundOf(record));
    if (result.kind === 'adjustment') counts.adjustments += 1;
    if (result.kind === 'round') counts.rounds += 1;
    if (result.kind === 'win') this.#progress.won(record, result.pot, 'External', result.amount, detail);
    if (result.kind === 'round' && result.amount > 0n)
      this.#progress.won(record, result.pot, 'Raffle', result.amount, detail);
  }

  #place(group: PublicGroup, record: PublicRecord): void {
    expectSame('order', 'seq', record.sequence, this.nextSequence);
    expectThat('order', record.timestampMs >= this.#timestampMs, 'time runs backwards');
    expectSame('order', 't within a message', record.timestampMs, group.records[0]!.timestampMs);
    this.#timestampMs = record.timestampMs;
  }

  #inputOf(group: PublicGroup, record: PublicRecord): Uint8Array {
    const at = record.input * inputBytes;
    expectThat('order', at < group.inputs.length, 'input names none of the inputs');
    const input = group.inputs.subarray(at, at + inputBytes);
    const wager = new DataView(input.buffer, input.byteOffset).getBigUint64(16);
    const { accounts, epoch, received } = this.#epoch.header;
    const isEarlier = record.pricedBefore && epoch === 0;
    // Another instance may have priced it, before it was switched to this one.
    const isFirst = accounts.transfer >= 0n && !received;
    expectThat('money', !isEarlier || !isFirst, 'nothing was priced before the first epoch');
    if (!record.repriced) expectSame('money', 'wager', record.wager, wager);
    else expectThat('money', record.wager !== wager, 'a wager is called repriced and is not');
    return input;
  }

  #compareSeeds(record: PublicRecord): void {
    for (const { index, id, seed } of this.books.pots)
      expectSame('money', `seed of pot ${id} after the step`, record.seeds[index]!, seed);
  }

  #factsOf({ sequence }: PublicRecord): WinFacts {
    return {
      hashing: this.#hashing,
      players: this.players,
      minorUnit: this.#minorUnit,
      stream: this.#streamOf(purposes.community, sequence),
    };
  }

  #roundOf({ sequence, timestampMs }: PublicRecord): RoundFacts {
    return {
      sequence,
      timestampMs,
      tickets: this.#followed.tickets,
      players: this.players,
      opening: this.#epoch.header.raffle,
      rules: this.#raffleRules,
      minorUnit: this.#minorUnit,
      stream: this.#streamOf(purposes.raffle, sequence),
    };
  }

  /** A stream without inputs, made when it is first asked for. */
  #streamOf(purpose: number, sequence: number): () => Stream {
    let stream: Stream | null = null;
    return () => {
      stream ??= this.#key.stream(purpose, sequence, this.#noInputs);
      return stream;
    };
  }
}

/** The latest moment that a header names as past. */
function latestOf({ pots, raffle, resumed }: Header): number {
  const moments = pots.flatMap(({ cycleStart, windows }) => [
    cycleStart,
    ...windows.map(({ lastEvaluated }) => lastEvaluated ?? 0),
  ]);
  return Math.max(0, raffle?.start ?? 0, resumed ?? 0, ...moments);
}
