import { equalBytes } from '../../lib/bytes.ts';
import { type Clock, LogError, type Random, type Table } from '../../ports.ts';
import {
  type Backlog,
  decodeBacklog,
  decodeCursor,
  decodeReplayJob,
  decodeStoredDelivery,
  encodeBacklog,
  encodeCursor,
  encodeReplayJob,
  encodeStoredDelivery,
  type ReplayJob,
  type StoredDelivery,
} from './entries.ts';
import { persistently } from './persistently.ts';

interface DeliveryTablePorts {
  /** KV DELIVERIES. */
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  /** The lane is no longer this process's. */
  readonly stopped: () => boolean;
  readonly report: (message: string, error: unknown) => void;
}

interface EntryFormat<T> {
  /** The keys are `<prefix>.<id>`. */
  readonly prefix: string;
  readonly idOf: (value: T) => string;
  readonly encode: (value: T) => Uint8Array;
  /** null: the entry is left out. */
  readonly decode: (bytes: Uint8Array, key: string) => T | null;
}

interface Revised<T> {
  readonly value: T;
  readonly revision: number;
}

/**
 * The entries of one kind. Every access waits through outages; after a lost race another process has the
 * lane.
 */
export class TableEntries<T> {
  readonly #ports: DeliveryTablePorts;
  readonly #format: EntryFormat<T>;

  constructor(ports: DeliveryTablePorts, format: EntryFormat<T>) {
    this.#ports = ports;
    this.#format = format;
  }

  /** Reads the keys of this prefix only: the bucket has those of all lanes. */
  async each(take: (value: T, revision: number) => void): Promise<void> {
    let becomeCurrent: () => void = () => {};
    const current = new Promise<void>((resolve) => {
      becomeCurrent = resolve;
    });
    const entry = (key: string, bytes: Uint8Array | null, revision: number): void => {
      const value = bytes === null ? null : this.#format.decode(bytes, key);
      if (value !== null) take(value, revision);
    };
    const watch = await this.#ports.table.watch({ entry, current: becomeCurrent }, this.#format.prefix);
    await current;
    await watch.stop();
  }

  async read(id: string): Promise<Revised<T> | null> {
    const found = await persistently(this.#ports, () => this.#ports.table.get(this.#key(id)));
    const value = found === null ? null : this.#format.decode(found.value, found.key);
    return found === null || value === null ? null : { value, revision: found.revision };
  }

  /**
   * The entry's new revision; null: another process has changed it. A repeat after a lost acknowledgement
   * finds its own bytes.
   */
  write(value: T, expected: number): Promise<number | null> {
    const key = this.#key(this.#format.idOf(value));
    const bytes = this.#format.encode(value);
    return persistently(this.#ports, async () => {
      const { table } = this.#ports;
      const revision = await table.put(key, bytes, expected);
      if (revision !== null) return revision;
      const present = await table.get(key);
      return present !== null && equalBytes(present.value, bytes) ? present.revision : null;
    });
  }

  /** Stores a new entry, or gives what another run stored after this one had read the table. */
  async add(value: T): Promise<Revised<T> | null> {
    const revision = await this.write(value, 0);
    return revision === null ? this.read(this.#format.idOf(value)) : { value, revision };
  }

  async remove(id: string, expected: number): Promise<void> {
    await persistently(this.#ports, () => this.#ports.table.remove(this.#key(id), expected));
  }

  #key(id: string): string {
    return `${this.#format.prefix}.${id}`;
  }
}

/** What KV DELIVERIES holds of one lane. */
export class DeliveryTable {
  readonly deliveries: TableEntries<StoredDelivery>;
  readonly replays: TableEntries<ReplayJob>;
  readonly backlogs: TableEntries<Backlog>;
  readonly #cursor: TableEntries<number>;
  readonly #lane: string;
  #cursorRevision = 0;

  /** Events have keys of their own, which earlier releases leave alone. */
  constructor(lane: number, of: 'callbacks' | 'events', ports: DeliveryTablePorts) {
    this.#lane = String(lane);
    const under = of === 'events' ? 'event-' : '';
    // No other run has this number: equal bytes are this run's own.
    const run = Buffer.from(ports.random.bytes(6)).readUIntBE(0, 6);
    this.deliveries = new TableEntries(ports, {
      prefix: `${under}item.${lane}`,
      idOf: ({ delivery }) => delivery.id,
      encode: encodeStoredDelivery,
      decode(bytes, key) {
        try {
          return decodeStoredDelivery(bytes);
        } catch (error) {
          if (!(error instanceof LogError)) throw error;
          ports.report(`The delivery ${key} cannot be read and is left out.`, error);
          return null;
        }
      },
    });
    this.replays = new TableEntries(ports, {
      prefix: `${under}replay.${lane}`,
      idOf: ({ id }) => id,
      encode: encodeReplayJob,
      decode: decodeReplayJob,
    });
    this.backlogs = new TableEntries(ports, {
      prefix: `${under}backlog.${lane}`,
      idOf: ({ id }) => id,
      encode: (backlog) => encodeBacklog(backlog, run),
      decode: (bytes) => decodeBacklog(bytes, of),
    });
    this.#cursor = new TableEntries(ports, {
      prefix: `${under}cursor`,
      idOf: () => this.#lane,
      encode: (sequence) => encodeCursor(sequence, run),
      decode: decodeCursor,
    });
  }

  /** null: there was none yet. It is read before the entries: what it leaves out was stored before it. */
  async readCursor(): Promise<number | null> {
    const cursor = await this.#cursor.read(this.#lane);
    this.#cursorRevision = cursor?.revision ?? 0;
    return cursor?.value ?? null;
  }

  /** False: another run has written it. What this one believes may be wrong by now (docs/decisions/0320). */
  async writeCursor(sequence: number): Promise<boolean> {
    const revision = await this.#cursor.write(sequence, this.#cursorRevision);
    if (revision !== null) this.#cursorRevision = revision;
    return revision !== null;
  }
}
