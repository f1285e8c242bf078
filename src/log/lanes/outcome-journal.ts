import { equalBytes } from '../../lib/bytes.ts';
import { WakeablePauses } from '../../lib/pauses.ts';
import { type AppendResult, type Clock, type Log, LogError, type OutcomeRouting } from '../../ports.ts';

/** Messages on their way at the same time, and records that may wait before the lane must pause. */
const maxInFlight = 64;
/** What a block holds at most. A larger record is alone in its block. */
const maxBlockRecords = 256;
const maxBlockBytes = 128 * 1024;
/**
 * Records without work, callbacks or events wait for more, up to these bytes and times. The next command ends
 * the wait rather than its timer: it comes when the disk has just synced, and the next sync is a while off.
 */
const waitingBytes = 4_096;
const waitMs = 8;
const maxWaitMs = 10;
const maxPending = 1_024;
const resumeBelow = 512;
const maxPendingBytes = 64 * 1024 * 1024;
const resumeBelowBytes = maxPendingBytes / 2;
const retryMinMs = 20;
const retryMaxMs = 1_000;
/** A newly elected server may not know its whole stream; after this many looks its end is lost. */
const lostEndAttempts = 10;

/** A record of a lane's owner, which OUT is to hold. */
export interface JournalledRecord {
  readonly sequence: number;
  readonly routing: OutcomeRouting;
  readonly bytes: Uint8Array;
  /** Whether the lane stores records in blocks; later ones are too. */
  readonly inBlock: boolean;
  readonly traces?: RecordTraces | undefined;
}

/** The traces of a record with sampled parts. */
export interface RecordTraces {
  readonly header: string;
  stored(): void;
}

interface OutcomeJournalOptions {
  readonly log: Pick<Log, 'appendOutcome' | 'appendBlock' | 'lastOutcome' | 'readOutcome'>;
  readonly clock: Clock;
  readonly lane: number;
  readonly storedSequence: number;
  readonly onStored?: ((storedSequence: number) => void) | undefined;
  /**
   * Called once if the journal ends: `corrupt` if OUT holds other bytes than this owner made, `hole` if it
   * has lost records that were stored.
   */
  onFailure(error: Error): void;
  /** True: OUT is full, and the journal keeps trying. False: it takes records again. */
  onFull?(full: boolean): void;
}

/** Opens the outcome journals of an actor host's lanes. */
export function journalOpener(
  log: OutcomeJournalOptions['log'],
  clock: Clock,
): (
  lane: number,
  storedSequence: number,
  onFailure: (error: Error) => void,
  onFull: (full: boolean) => void,
  onStored?: (storedSequence: number) => void,
) => OutcomeJournal {
  return (lane, storedSequence, onFailure, onFull, onStored) =>
    new OutcomeJournal({ log, clock, lane, storedSequence, onFailure, onFull, onStored });
}

/**
 * Stores a lane's outcome records in order, many on their way at the same time. OUT's expected sequence is
 * the fence: the journal compares a refused record with the stored one. Equal bytes count as stored (a lost
 * acknowledgement, or another owner with the same result); other bytes end the journal. While the stream is
 * full, it sends the same records again (docs/decisions/0058).
 */
export class OutcomeJournal {
  readonly #options: OutcomeJournalOptions;
  #pending: JournalledRecord[] = [];
  #pendingBytes = 0;
  #full = false;
  #stored: number;
  /** Acknowledged sequences after one whose fate is unknown: that one may be another owner's. */
  readonly #acknowledged = new Set<number>();
  #sent: number;
  #inFlight = 0;
  #last: number;
  #isDue = false;
  #waitsSinceMs = 0;
  #endWait: (() => void) | null = null;
  /** A refusal of a record that was sent before the last comparison says nothing new. */
  #generation = 0;
  #comparing = false;
  #stopped = false;
  #failure: Error | null = null;
  #delayMs = retryMinMs;
  /** How often in a row OUT ended before what is stored. */
  #lostEndAttempts = 0;
  #capacityWaiters: (() => void)[] = [];
  #drainWaiters: { resolve(): void; reject(error: Error): void }[] = [];
  readonly #pauses: WakeablePauses;

  constructor(options: OutcomeJournalOptions) {
    this.#options = options;
    this.#stored = options.storedSequence;
    this.#sent = options.storedSequence;
    this.#last = options.storedSequence;
    this.#pauses = new WakeablePauses(options.clock);
  }

  /** Everything up to here is stored in OUT. */
  get storedSequence(): number {
    return this.#stored;
  }

  get pendingCount(): number {
    return this.#pending.length;
  }

  get pending(): readonly JournalledRecord[] {
    return this.#pending;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Takes the next record. @throws Error if its sequence does not follow the last one */
  append(record: JournalledRecord): void {
    const { sequence, bytes } = record;
    if (sequence !== this.#last + 1) {
      throw new Error(`outcome ${sequence} does not follow ${this.#last} of lane ${this.#options.lane}`);
    }
    this.#last = sequence;
    this.#pending.push(record);
    this.#pendingBytes += bytes.length;
    this.#send();
  }

  get #isFull(): boolean {
    return this.#pending.length >= maxPending || this.#pendingBytes >= maxPendingBytes;
  }

  /** Resolves when there is room again; null while there is. */
  room(): Promise<void> | null {
    if (!this.#isFull || this.#failure !== null) return null;
    return new Promise((resolve) => {
      this.#capacityWaiters.push(resolve);
    });
  }

  /** Resolves when everything is stored; rejects with the error that ended the journal. */
  drained(): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#pending.length === 0) return Promise.resolve();
    if (this.#stopped) return Promise.reject(stoppedError());
    return new Promise((resolve, reject) => {
      this.#drainWaiters.push({ resolve, reject });
      this.#send();
    });
  }

  /** Sends what waits for more. */
  flush(): void {
    this.#isDue = true;
    this.#send();
    this.#isDue = false;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#endWait?.();
    this.#pauses.wake();
    this.#releaseWaiters(this.#failure ?? stoppedError());
  }

  #send(): void {
    if (this.#comparing || this.#stopped || this.#failure !== null) return;
    while (this.#sent < this.#last && this.#inFlight < maxInFlight) {
      const records = this.#nextMessage();
      if (records === null) {
        this.#wait();
        return;
      }
      this.#endWait?.();
      this.#endWait = null;
      this.#sent += records.length;
      this.#inFlight += 1;
      this.#sendOne(records, this.#generation).catch((error) => this.#fail(error));
    }
  }

  /**
   * The records of the next message. One with work, callbacks or events closes its block, because roles wait
   * for it. null: those that are there wait for more.
   */
  #nextMessage(): readonly JournalledRecord[] | null {
    const from = this.#sent - this.#stored;
    let to = from;
    let size = 0;
    for (; to < this.#pending.length; to += 1) {
      const { routing, bytes, traces, inBlock } = this.#pending[to]!;
      const isAlone = !inBlock || traces !== undefined;
      size += bytes.length;
      if (to > from && (isAlone || to - from >= maxBlockRecords || size > maxBlockBytes))
        return this.#pending.slice(from, to);
      if (isAlone || routing.wallet || routing.hooks || routing.events)
        return this.#pending.slice(from, to + 1);
    }
    return this.#isDue ||
      size >= waitingBytes ||
      this.#hasWaited ||
      this.#isFull ||
      this.#drainWaiters.length > 0
      ? this.#pending.slice(from, to)
      : null;
  }

  get #hasWaited(): boolean {
    return this.#endWait !== null && this.#options.clock.elapsedMs() - this.#waitsSinceMs >= waitMs;
  }

  #wait(): void {
    if (this.#endWait !== null) return;
    const { clock } = this.#options;
    this.#waitsSinceMs = clock.elapsedMs();
    this.#endWait = clock.after(maxWaitMs, () => {
      this.#endWait = null;
      this.flush();
    });
  }

  #append(records: readonly JournalledRecord[]): Promise<AppendResult> {
    const { log, lane } = this.#options;
    const { sequence, routing, bytes, traces, inBlock } = records[0]!;
    if (!inBlock) return log.appendOutcome(lane, sequence, routing, bytes, traces?.header);
    const block = records.map((record) => ({ ...record, traces: record.traces?.header }));
    return log.appendBlock(lane, sequence, block);
  }

  async #sendOne(records: readonly JournalledRecord[], generation: number): Promise<void> {
    let result: AppendResult;
    try {
      result = await this.#append(records);
    } catch (error) {
      const isFull = error instanceof LogError && error.code === 'full';
      if (isFull) this.#setFull(true);
      if (!isFull && !(error instanceof LogError && error.retryable)) this.#fail(error as Error);
      else if (generation === this.#generation) this.#beginToCompare();
      return;
    } finally {
      if (generation === this.#generation) this.#inFlight -= 1;
    }
    if (result.kind === 'stored') {
      this.#delayMs = retryMinMs;
      // A record stored before the refusal says nothing about room.
      if (generation === this.#generation) this.#setFull(false);
      for (const { traces } of records) traces?.stored();
      this.#acknowledge(records[0]!.sequence, records.at(-1)!.sequence);
      this.#send();
    } else if (generation === this.#generation) {
      this.#beginToCompare();
    }
  }

  #beginToCompare(): void {
    this.#compare().catch((error) => this.#fail(error));
  }

  /** Finds out which sent records OUT holds, and continues after them. */
  async #compare(): Promise<void> {
    this.#generation += 1;
    this.#inFlight = 0;
    this.#comparing = true;
    while (!this.#stopped && this.#failure === null) {
      try {
        await this.#compareOnce();
        break;
      } catch (error) {
        if (!(error instanceof LogError) || !error.retryable) return this.#fail(error as Error);
      }
      await this.#pause();
    }
    this.#comparing = false;
    this.#sent = this.#stored;
    this.#send();
  }

  async #compareOnce(): Promise<void> {
    const { log, lane } = this.#options;
    const before = this.#stored;
    const last = await log.lastOutcome(lane);
    this.#requireWhatWasStored(last, before);
    while (this.#stored < last && this.#pending.length > 0) {
      const record = this.#pending[0]!;
      const stored = await log.readOutcome(lane, record.sequence);
      if (stored === null)
        throw new LogError('unavailable', `outcome ${record.sequence} is not readable yet`);
      // An acknowledgement may have come in the meantime.
      if (record.sequence <= this.#stored) continue;
      if (!equalBytes(stored.bytes, record.bytes)) {
        throw new LogError('corrupt', `OUT of lane ${lane} holds another record ${record.sequence}`);
      }
      this.#acknowledge(record.sequence, record.sequence);
    }
    if (this.#stored === before && this.#pending.length > 0) await this.#pause();
    else this.#delayMs = retryMinMs;
  }

  /** Lost records are not kept here, and nothing fits after the gap: only a new life recomputes them. */
  #requireWhatWasStored(last: number, stored: number): void {
    this.#lostEndAttempts = last < stored ? this.#lostEndAttempts + 1 : 0;
    if (this.#lostEndAttempts < lostEndAttempts) return;
    throw new LogError(
      'hole',
      `OUT of lane ${this.#options.lane} ends at ${last}, but record ${stored} was stored: its last records are gone. ` +
        `A restart of the actors recomputes them from the commands.`,
    );
  }

  /**
   * A stored record proves that those before it are stored, but not that they are ours: each needs its
   * acknowledgement.
   */
  #acknowledge(first: number, last: number): void {
    for (let sequence = Math.max(first, this.#stored + 1); sequence <= last; sequence += 1)
      this.#acknowledged.add(sequence);
    let stored = this.#stored;
    while (this.#acknowledged.delete(stored + 1)) stored += 1;
    if (stored > this.#stored) this.#advance(stored);
  }

  #advance(sequence: number): void {
    for (const { bytes } of this.#pending.splice(0, sequence - this.#stored))
      this.#pendingBytes -= bytes.length;
    this.#stored = sequence;
    if (this.#sent < sequence) this.#sent = sequence;
    this.#options.onStored?.(sequence);
    if (this.#pending.length < resumeBelow && this.#pendingBytes < resumeBelowBytes) this.#releaseCapacity();
    if (this.#pending.length === 0) for (const { resolve } of this.#drainWaiters.splice(0)) resolve();
  }

  #setFull(full: boolean): void {
    if (this.#full === full || this.#stopped) return;
    this.#full = full;
    this.#options.onFull?.(full);
  }

  #pause(): Promise<void> {
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(retryMaxMs, delayMs * 2);
    return this.#pauses.pause(delayMs);
  }

  #fail(error: Error): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    this.#releaseWaiters(error);
    if (!this.#stopped) this.#options.onFailure(error);
  }

  #releaseWaiters(error: Error): void {
    this.#releaseCapacity();
    for (const { reject } of this.#drainWaiters.splice(0)) reject(error);
  }

  #releaseCapacity(): void {
    for (const resolve of this.#capacityWaiters.splice(0)) resolve();
  }
}

function stoppedError(): LogError {
  return new LogError('stopped', 'The journal was stopped.');
}
