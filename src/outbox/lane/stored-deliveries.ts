import { crash } from '../../lib/crash.ts';
import type { Clock, Random } from '../../ports.ts';
import { type Delivery, type Receiver, receiverOf } from '../delivery.ts';
import { maxTries, pauseAfter } from '../send/schedule.ts';
import type { Sender, TryResult } from '../send/sender.ts';
import type { DeliveryTable } from '../store/delivery-table.ts';
import { DueTimes } from '../store/due-times.ts';
import { Stopped } from '../store/persistently.ts';
import type { DeliveryProgress, StoredDelivery } from '../store/stored-delivery.ts';

/** A stored delivery in memory: everything but its content. */
export interface KnownDelivery extends DeliveryProgress {
  readonly id: string;
  readonly kind: Delivery['content']['kind'];
  readonly owner: string;
  readonly receiver: Receiver;
  readonly createdMs: number;
}

interface Entry extends KnownDelivery {
  readonly revision: number;
}

export interface StoredDeliveriesPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly sender: Sender;
  readonly table: DeliveryTable;
}

type Failed = Extract<TryResult, { kind: 'failed' }>;

/** The stored deliveries of one lane: tries each when it is due, until it arrives or there was the last try. */
export class StoredDeliveries {
  readonly #ports: StoredDeliveriesPorts;
  readonly #entries = new Map<string, Entry>();
  readonly #due = new DueTimes();
  #timer: { readonly atMs: number; cancel(): void } | null = null;
  #stopped = false;

  constructor(ports: StoredDeliveriesPorts) {
    this.#ports = ports;
  }

  known(): IterableIterator<KnownDelivery> {
    return this.#entries.values();
  }

  /** An entry that the table has. */
  take(stored: StoredDelivery, revision: number): void {
    const entry = entryOf(stored, revision);
    const { id, state, nextMs } = entry;
    this.#entries.set(id, entry);
    if (state === 'pending') this.#plan(id, nextMs);
  }

  /** Stores a delivery whose first try failed, or was not made. */
  async add(delivery: Delivery, result: Failed | { readonly kind: 'busy' }): Promise<void> {
    const progress = result.kind === 'busy' ? untried(this.#ports.clock) : this.#failed(0, result);
    const stored = { ...progress, delivery };
    const revision = await this.#ports.table.write(stored, 0);
    if (revision !== null) return this.take(stored, revision);
    // An earlier run stored it after this one had read the table.
    const present = await this.#ports.table.read(delivery.id);
    if (present !== null) this.take(present.stored, present.revision);
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #plan(id: string, atMs: number): void {
    this.#due.add(id, atMs);
    this.#wait();
  }

  #wait(): void {
    const atMs = this.#due.earliestMs;
    if (this.#stopped || atMs === null || (this.#timer !== null && this.#timer.atMs <= atMs)) return;
    this.#timer?.cancel();
    const cancel = this.#ports.clock.after(Math.max(0, atMs - this.#ports.clock.nowMs()), () => {
      this.#timer = null;
      this.#beginDue();
      this.#wait();
    });
    this.#timer = { atMs, cancel };
  }

  #beginDue(): void {
    const nowMs = this.#ports.clock.nowMs();
    for (let id = this.#due.takeDue(nowMs); id !== null; id = this.#due.takeDue(nowMs)) {
      const entry = this.#entries.get(id);
      if (entry === undefined || entry.state !== 'pending' || entry.nextMs > nowMs) continue;
      this.#try(entry).catch((error: unknown) => {
        if (!(error instanceof Stopped)) crash(error);
      });
    }
  }

  async #try(entry: Entry): Promise<void> {
    const { sender, table } = this.#ports;
    const { id } = entry;
    const result = await sender.repeat(
      entry.receiver,
      async () => (await table.read(id))?.stored.delivery ?? null,
    );
    if (this.#stopped || this.#entries.get(id) !== entry) return;
    if (result.kind === 'failed') return this.#keep(entry, result);
    this.#entries.delete(id);
    if (result.kind === 'delivered') await table.remove(id, entry.revision);
  }

  /**
   * A try that was not sent because the receiver is down counts, but is not written: a restart repeats it a little
   * sooner, and a dead receiver costs no write for each that waits.
   */
  async #keep(entry: Entry, result: Failed): Promise<void> {
    const { table } = this.#ports;
    const { id } = entry;
    const progress = this.#failed(entry.tries, result);
    if (result.error === 'receiver_down' && progress.state === 'pending') {
      this.#entries.set(id, { ...entry, ...progress });
      return this.#plan(id, progress.nextMs);
    }
    const found = await table.read(id);
    if (found === null) return void this.#entries.delete(id);
    const stored = { ...found.stored, ...progress };
    const revision = await table.write(stored, found.revision);
    if (revision === null) this.#entries.delete(id);
    else this.take(stored, revision);
  }

  #failed(triesBefore: number, { error, final }: Failed): DeliveryProgress {
    const nowMs = this.#ports.clock.nowMs();
    const tries = triesBefore + 1;
    const pauseMs = final || tries >= maxTries ? null : pauseAfter(tries, this.#ports.random);
    const state = pauseMs === null ? 'dead' : 'pending';
    return { state, tries, nextMs: nowMs + (pauseMs ?? 0), lastError: error, lastTryMs: nowMs };
  }
}

function untried(clock: Clock): DeliveryProgress {
  return { state: 'pending', tries: 0, nextMs: clock.nowMs(), lastError: '', lastTryMs: 0 };
}

function entryOf({ delivery, ...progress }: StoredDelivery, revision: number): Entry {
  const { id, owner, createdMs, content } = delivery;
  return { ...progress, id, owner, createdMs, kind: content.kind, receiver: receiverOf(delivery), revision };
}
