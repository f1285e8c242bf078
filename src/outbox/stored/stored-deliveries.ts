import { crash } from '../../lib/crash.ts';
import type { FlushRecord } from '../../messages/settlements.ts';
import { type Clock, isUnreadable, type LogError, type Random } from '../../ports.ts';
import { type Delivery, lineOf, type Receiver, receiverOf } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import type { DeliverySender } from '../send/sender.ts';
import type { TableEntries } from '../store/delivery-table.ts';
import { DueTimer } from '../store/due-timer.ts';
import type { DeliveryProgress, StoredDelivery } from '../store/entries.ts';
import { Stopped } from '../store/persistently.ts';
import { EntryCounts, type EntryLimits } from './entry-counts.ts';
import type { LaneFlushes } from './flushes.ts';
import { Lines, type Place } from './lines.ts';
import { afterFailure, type FailedTry, untried } from './progress.ts';

/** A stored delivery in memory: everything but its content. */
export interface KnownDelivery extends DeliveryProgress {
  readonly id: string;
  /** A backlog has callbacks of its receiver without an entry for each. */
  readonly kind: Delivery['content']['kind'] | 'ReceiverBacklog';
  readonly owner: string;
  /** Empty: a refused contribution names none. */
  readonly instance: string;
  /** The subscription that has the event, or the backlog's events; absent: there is none. */
  readonly subscription?: string;
  readonly eventType?: string;
  readonly receiver: Receiver;
  readonly createdMs: number;
  /** null: it is a callback. */
  readonly flush: FlushRecord | null;
  /** About how many callbacks of a backlog wait. */
  readonly deliveries?: number;
}

interface Entry extends KnownDelivery {
  readonly kind: Delivery['content']['kind'];
  readonly revision: number;
  /** The place of an event; null: of no line. */
  readonly place: Place | null;
}

interface StoredDeliveriesPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly sender: Pick<DeliverySender, 'repeat'>;
  readonly table: TableEntries<StoredDelivery>;
  readonly flushes: Pick<LaneFlushes, 'settle'>;
  readonly report: (message: string, error: unknown) => void;
  /** A delivery as it is sent now; null: its subscription is gone. Absent: as it was stored. */
  readonly current?: (delivery: Delivery) => Delivery | null;
  /** Absent: as everywhere. */
  readonly room?: EntryLimits | undefined;
}

/** The stored deliveries of a lane: tries each when it is due, until it arrives or the last try failed. */
export class StoredDeliveries {
  readonly #ports: StoredDeliveriesPorts;
  readonly #entries = new Map<string, Entry>();
  /** Entries of callbacks. A flush always gets one. */
  readonly #counts: EntryCounts;
  readonly #lines = new Lines();
  readonly #due: DueTimer;
  readonly #underWay = new Set<string>();
  /** Flushes that the lane has settled, while an older answer of it may show them open. */
  readonly #settled = new Set<string>();
  #stopped = false;

  constructor(ports: StoredDeliveriesPorts) {
    this.#ports = ports;
    this.#due = new DueTimer(ports.clock, () => this.#beginDue());
    this.#counts = new EntryCounts(ports.room);
  }

  known(): IterableIterator<KnownDelivery> {
    return this.#entries.values();
  }

  /** An entry that the table has. */
  take(stored: StoredDelivery, revision: number): void {
    const entry = entryOf(stored, revision);
    this.#set(entry);
    if (!this.#underWay.has(entry.id)) this.#plan(entry);
  }

  /** Whether a delivery has to wait for others of its line. */
  holds(delivery: Delivery): boolean {
    const line = lineOf(delivery);
    return line !== null && !this.#lines.isEmpty(line);
  }

  /** Forgets the events of subscriptions that are gone. */
  async forget(isGone: (subscription: string) => boolean): Promise<void> {
    for (const { id, subscription, revision } of [...this.#entries.values()]) {
      if (subscription === undefined || !isGone(subscription)) continue;
      this.#drop(id);
      await this.#ports.table.remove(id, revision);
    }
  }

  /** Whether one more callback of the delivery's receiver may get an entry. */
  hasRoom(delivery: Delivery): boolean {
    return this.#counts.hasRoom(receiverOf(delivery));
  }

  /** Stores a delivery whose try failed, after `triesBefore` failed tries, or was not made. */
  async add(
    delivery: Delivery,
    result: FailedTry | { readonly kind: 'busy' },
    triesBefore = 0,
  ): Promise<void> {
    const progress = this.#begun(delivery, result, triesBefore);
    const receiver = receiverOf(delivery);
    // Others must see the place as taken while it is written.
    this.#counts.add(receiver);
    try {
      const present = await this.#ports.table.add({ ...progress, delivery });
      if (present !== null) this.take(present.value, present.revision);
    } finally {
      this.#counts.remove(receiver);
    }
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  find(id: string): KnownDelivery | null {
    return this.#entries.get(id) ?? null;
  }

  /** A person wants it: all tries are ahead again, the first one now. null: it is gone. */
  async replay(id: string): Promise<KnownDelivery | null> {
    // A try is under way, or waits for its turn.
    if (this.#underWay.has(id)) return this.find(id);
    return this.#change(id, (stored) => ({ ...stored, state: 'pending', tries: 0 }));
  }

  /** A person has ended it: the lane gets a flush's result, a callback is forgotten. null: it is gone. */
  async resolve(id: string, outcome: 'confirmed' | 'failed'): Promise<KnownDelivery | null> {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.flush !== null)
      return this.#change(id, (stored) => ({ ...stored, state: 'pending', outcome }));
    this.#drop(id);
    await this.#ports.table.remove(id, entry.revision);
    return entry;
  }

  wasSettled(flushId: string): boolean {
    return this.#settled.has(flushId);
  }

  /** Before a question to the lane whose answer knows of all that is settled now. */
  forgetSettled(): void {
    this.#settled.clear();
  }

  stop(): void {
    this.#stopped = true;
    this.#due.stop();
  }

  #beginDue(): void {
    for (let id = this.#due.takeDue(); id !== null; id = this.#due.takeDue()) {
      const entry = this.#entries.get(id);
      if (entry === undefined || entry.state !== 'pending') continue;
      if (!this.#underWay.has(id) && this.#isFirst(entry)) this.#begin(entry);
    }
    this.#due.wait();
  }

  #begin(entry: Entry): void {
    this.#underWay.add(entry.id);
    this.#try(entry)
      .catch((error: unknown) => {
        if (isUnreadable(error)) this.#later(entry, error);
        else if (!(error instanceof Stopped)) crash(error);
      })
      .finally(() => this.#ended(entry.id));
  }

  /** What the lane answered to a settlement cannot be read: the same settlement again changes nothing. */
  #later(entry: Entry, error: LogError): void {
    this.#ports.report(`The lane's answer about ${entry.id} cannot be read.`, error);
    if (this.#entries.get(entry.id) !== entry) return;
    this.#set({ ...entry, nextMs: this.#ports.clock.nowMs() + outboxLimits.flushesEveryMs });
  }

  /** The delivery may have become due again meanwhile. */
  #ended(id: string): void {
    this.#underWay.delete(id);
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#plan(entry);
  }

  /** One that waits for others of its line is planned when they have left. */
  #plan(entry: Entry): void {
    if (entry.state === 'pending' && this.#isFirst(entry)) this.#due.plan(entry.id, entry.nextMs);
  }

  #isFirst({ id, place }: Entry): boolean {
    return place === null || this.#lines.first(place.line) === id;
  }

  async #try(entry: Entry): Promise<void> {
    const { sender, table } = this.#ports;
    const { id } = entry;
    if (entry.outcome !== '') return this.#settle(id, entry.outcome);
    let { revision } = entry;
    const result = await sender.repeat(entry.receiver, async () => {
      const found = await this.#beforeTry(entry);
      if (found !== null) revision = found.revision;
      const { current = (delivery) => delivery } = this.#ports;
      return found === null ? null : current(found.value.delivery);
    });
    if (this.#stopped || this.#entries.get(id) !== entry) return;
    if (result.kind === 'failed') return this.#keep(entry, result);
    if (result.kind === 'delivered' && entry.kind === 'DiversionFlush') return this.#settle(id, 'confirmed');
    this.#drop(id);
    if (result.kind === 'delivered') await table.remove(id, revision);
  }

  /**
   * What the table has. That a flush may arrive is written before the try: its money must not go back then.
   */
  async #beforeTry({ id, kind }: Entry): Promise<Found | null> {
    const { table } = this.#ports;
    const found = await table.read(id);
    if (found === null || kind !== 'DiversionFlush' || found.value.mayHaveArrived) return found;
    const stored = { ...found.value, mayHaveArrived: true };
    const revision = await table.write(stored, found.revision);
    return revision === null ? null : { value: stored, revision };
  }

  /** The flush has ended. It is known until the lane has booked it. */
  async #settle(id: string, outcome: 'confirmed' | 'failed'): Promise<void> {
    const { table, flushes, clock } = this.#ports;
    const found = await table.read(id);
    const content = found?.value.delivery.content;
    if (found === null || content?.kind !== 'DiversionFlush') return void this.#drop(id);
    const isBooked = await flushes.settle(content.flush, outcome);
    if (isBooked) {
      this.#settled.add(id);
      this.#drop(id);
      return table.remove(id, found.revision);
    }
    const nextMs = clock.nowMs();
    await this.#write({ ...found.value, state: 'dead', lastError: 'lane_refused', nextMs, outcome }, found);
  }

  /**
   * A try that was not sent because the receiver is down counts, but is not written: a dead receiver would
   * cost a write for each delivery that waits.
   */
  async #keep(entry: Entry, result: FailedTry): Promise<void> {
    const { table, clock } = this.#ports;
    const { id } = entry;
    // Others of its line wait for it: it is tried no longer than a backlog is.
    const isOld = entry.place !== null && clock.nowMs() - entry.createdMs >= outboxLimits.backlogLifeMs;
    const failed = isOld ? { ...result, final: true } : result;
    const progress = afterFailure(entry.kind, entry, failed, this.#now());
    if (result.error === 'receiver_down' && progress.state === 'pending' && progress.outcome === '') {
      return this.#set({ ...entry, ...progress });
    }
    const found = await table.read(id);
    if (found === null) return void this.#drop(id);
    await this.#write({ ...found.value, ...progress }, found);
  }

  /** A decision of a person: it is due now. */
  async #change(
    id: string,
    change: (stored: StoredDelivery) => StoredDelivery,
  ): Promise<KnownDelivery | null> {
    const found = this.#entries.has(id) ? await this.#ports.table.read(id) : null;
    if (found === null) return null;
    await this.#write({ ...change(found.value), nextMs: this.#ports.clock.nowMs() }, found);
    return this.find(id);
  }

  /** What another process has changed meanwhile holds. */
  async #write(stored: StoredDelivery, { revision: expected }: Found): Promise<void> {
    const { id } = stored.delivery;
    const revision = await this.#ports.table.write(stored, expected);
    if (revision !== null) return this.take(stored, revision);
    const present = await this.#ports.table.read(id);
    if (present === null) this.#drop(id);
    else this.take(present.value, present.revision);
  }

  #set(entry: Entry): void {
    if (!this.#entries.has(entry.id) && entry.flush === null) this.#counts.add(entry.receiver);
    this.#entries.set(entry.id, entry);
    if (entry.place === null) return;
    if (entry.state === 'pending') this.#lines.add(entry.place);
    else this.#leaveLine(entry.place);
  }

  #leaveLine(place: Place): void {
    this.#lines.remove(place);
    const next = this.#entries.get(this.#lines.first(place.line) ?? '');
    if (next !== undefined && !this.#underWay.has(next.id)) this.#plan(next);
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.flush === null) this.#counts.remove(entry.receiver);
    this.#entries.delete(id);
    if (entry?.place != null) this.#leaveLine(entry.place);
  }

  #begun(
    { content }: Delivery,
    result: FailedTry | { readonly kind: 'busy' },
    tries: number,
  ): DeliveryProgress {
    const now = this.#now();
    const before = { ...untried(now.nowMs), tries };
    return result.kind === 'busy' ? before : afterFailure(content.kind, before, result, now);
  }

  #now() {
    const { clock, random } = this.#ports;
    return { nowMs: clock.nowMs(), random };
  }
}

/** A delivery as the table has it. */
type Found = NonNullable<Awaited<ReturnType<TableEntries<StoredDelivery>['read']>>>;

function entryOf({ delivery, ...progress }: StoredDelivery, revision: number): Entry {
  const { id, owner, createdMs, content, sequence } = delivery;
  const line = lineOf(delivery);
  return {
    ...progress,
    id,
    owner,
    createdMs,
    instance: instanceOf(content),
    ...(content.kind === 'Event' ? { subscription: content.subscription, eventType: content.type } : {}),
    flush: content.kind === 'DiversionFlush' ? content.flush : null,
    kind: content.kind,
    receiver: receiverOf(delivery),
    revision,
    place: line === null || content.kind !== 'Event' ? null : { id, line, order: [sequence, content.index] },
  };
}

function instanceOf(content: Delivery['content']): string {
  if (content.kind === 'DiversionFlush') return content.flush.instance;
  if (content.kind === 'Event') return content.instance;
  return content.result.kind === 'Refused' ? '' : (content.result.results[0]?.instance ?? '');
}
