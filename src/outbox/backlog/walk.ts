import type { OutcomeRecord } from '../../messages/outcomes.ts';
import { type Clock, type Log, LogError, type OutcomeRouting } from '../../ports.ts';
import type { Delivery, RecordDeliveries } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import { undamagedRecord } from '../delivery/record-callbacks.ts';
import type { TryResult } from '../send/sender.ts';
import { type Backlog, hasDelivery } from '../store/entries.ts';
import type { FailedTry } from '../stored/progress.ts';

/** `held`: another delivery of its line has to leave first. `stored`: it has an entry now. */
type SentResult = TryResult | { readonly kind: 'held' | 'stored' };

export interface WalkPorts {
  readonly lane: number;
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly log: Pick<Log, 'followOutcomes'>;
  readonly filter: Partial<OutcomeRouting>;
  readonly deliveriesOf: DeliveriesOf;
  /** Does the work when deliveries of the same line that came before have left. */
  readonly inTurn: (delivery: Delivery, work: () => Promise<void>) => Promise<void>;
  readonly send: (delivery: Delivery) => Promise<SentResult>;
  /** The walk ends before this record, which only a newer release can read. */
  readonly unsupported: (sequence: number, error: LogError) => void;
  /** Callbacks whose commands the log has lost. */
  readonly lost: (callbacks: number) => void;
}

/**
 * What a record brings; a replay also has what an address had not subscribed to yet.
 * @throws LogError `unsupported`
 */
export type DeliveriesOf = (record: OutcomeRecord, isReplay?: boolean) => Promise<RecordDeliveries>;

/** What a walk needs to know of its backlog. */
interface WalkedBacklog {
  readonly backlog: Backlog;
  /** The last record that is the backlog's now. */
  readonly target: () => number;
  /** Callbacks after `next` that need no try any more. */
  readonly settled: Set<string>;
  /** The callback has an entry, which delivers it. */
  readonly isStored: (id: string) => boolean;
}

export type WalkEnd =
  | { readonly kind: 'caught_up' }
  /** Its next delivery waits for one that is stored. */
  | { readonly kind: 'held' }
  /** Others have their turn. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly delivery: Delivery; readonly result: FailedTry };

interface OpenRecord {
  readonly timestampMs: number;
  readonly ids: readonly string[];
  left: number;
}

/** One reading of the log for a backlog: sends its callbacks in order, some at a time, until one fails. */
export class Walk {
  readonly #ports: WalkPorts;
  readonly #of: WalkedBacklog;
  /** Records with callbacks that are not settled, in their order. */
  readonly #open = new Map<number, OpenRecord>();
  #position: number;
  #positionMs: number;
  #inFlight = 0;
  #accepted = 0;
  #end: WalkEnd | null = null;
  #error: unknown = null;
  /** Ends the pause of the reader, and of `run`. */
  #wake: () => void = () => {};
  #over: () => void = () => {};

  constructor(ports: WalkPorts, of: WalkedBacklog) {
    this.#ports = ports;
    this.#of = of;
    this.#position = of.backlog.next;
    this.#positionMs = of.backlog.oldestMs;
  }

  /** Everything before this record is settled. */
  get next(): number {
    for (const sequence of this.#open.keys()) return sequence;
    return this.#position;
  }

  get oldestMs(): number {
    for (const { timestampMs } of this.#open.values()) return timestampMs;
    return this.#positionMs;
  }

  /** Callbacks that the receiver has accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  /** @throws LogError when the log breaks */
  async run(): Promise<WalkEnd> {
    const untilMs = this.#ports.clock.elapsedMs() + outboxLimits.backlogTurnMs;
    const over = new Promise<void>((resolve) => {
      this.#over = resolve;
    });
    const follower = this.#ports.log.followOutcomes(this.#ports.lane, this.#position, this.#ports.filter, {
      message: ({ bytes, sequence }) => this.#take(sequence, bytes, untilMs).catch(this.#refuse(sequence)),
      caughtUp: (last) => {
        if (last >= this.#of.target()) this.#caughtUp();
      },
    });
    await Promise.race([over, follower.done]);
    await follower.stop();
    while (this.#inFlight > 0) await this.#settledOne();
    if (this.#error !== null) throw this.#error;
    return this.#end ?? { kind: 'interrupted' };
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#stop({ kind: 'interrupted' });
  }

  async #take(sequence: number, bytes: Uint8Array, untilMs: number): Promise<void> {
    if (this.#end !== null) return;
    if (sequence > this.#of.target()) return this.#caughtUp();
    const record = undamagedRecord(bytes);
    if (record === null) {
      this.#ports.lost(1);
      return this.#pass(sequence, this.#positionMs);
    }
    const { backlog, settled, isStored } = this.#of;
    const { deliveries, lost } = await this.#ports.deliveriesOf(record, backlog.replay !== '');
    if (lost > 0) this.#ports.lost(lost);
    const wanted = deliveries.filter(
      (each) => hasDelivery(backlog, each) && !settled.has(each.id) && !isStored(each.id),
    );
    this.#pass(sequence, record.timestampMs);
    if (wanted.length > 0) await this.#sendAll(sequence, record.timestampMs, wanted);
    if (sequence >= this.#of.target()) this.#caughtUp();
    else if (this.#ports.clock.elapsedMs() >= untilMs) this.#stop({ kind: 'interrupted' });
  }

  #refuse(sequence: number): (error: unknown) => never {
    return (error) => {
      if (error instanceof LogError && error.code === 'unsupported') this.#ports.unsupported(sequence, error);
      throw error;
    };
  }

  async #sendAll(sequence: number, timestampMs: number, wanted: readonly Delivery[]): Promise<void> {
    const open = { timestampMs, ids: wanted.map(({ id }) => id), left: wanted.length };
    this.#open.set(sequence, open);
    for (const delivery of wanted) {
      while (this.#end === null && this.#inFlight >= outboxLimits.backlogSendsAtOnce)
        await this.#settledOne();
      if (this.#end !== null) return;
      this.#inFlight += 1;
      this.#send(delivery, sequence, open)
        .catch((error: unknown) => {
          this.#error = error;
          this.#stop({ kind: 'interrupted' });
        })
        .finally(() => {
          this.#inFlight -= 1;
          this.#wake();
        });
    }
  }

  #send(delivery: Delivery, sequence: number, open: OpenRecord): Promise<void> {
    return this.#ports.inTurn(delivery, async () => {
      // One of its line has failed before it.
      if (this.#end === null) await this.#sendNow(delivery, sequence, open);
    });
  }

  async #sendNow(delivery: Delivery, sequence: number, open: OpenRecord): Promise<void> {
    const result = await this.#ports.send(delivery);
    if (result.kind === 'failed') return this.#stop({ kind: 'failed', delivery, result });
    if (result.kind === 'held') return this.#stop({ kind: 'held' });
    if (result.kind === 'delivered') this.#accepted += 1;
    this.#of.settled.add(delivery.id);
    open.left -= 1;
    if (open.left > 0) return;
    this.#open.delete(sequence);
    for (const id of open.ids) this.#of.settled.delete(id);
  }

  #pass(sequence: number, timestampMs: number): void {
    this.#position = sequence + 1;
    this.#positionMs = timestampMs;
  }

  /** Records after the target are not the backlog's, however far the log goes. */
  #caughtUp(): void {
    // Once it ends, records are passed over without a try.
    if (this.#end !== null) return;
    this.#position = Math.max(this.#position, this.#of.target() + 1);
    this.#stop({ kind: 'caught_up' });
  }

  #stop(end: WalkEnd): void {
    if (this.#end === null || (this.#end.kind !== 'failed' && end.kind === 'failed')) this.#end = end;
    this.#over();
    this.#wake();
  }

  #settledOne(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
