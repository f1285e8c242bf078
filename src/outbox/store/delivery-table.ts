import { equalBytes } from '../../lib/bytes.ts';
import { type Clock, LogError, type Random, type Table } from '../../ports.ts';
import { type Backlog, decodeBacklog, encodeBacklog } from './backlog.ts';
import { persistently } from './persistently.ts';
import { decodeReplayJob, encodeReplayJob, type ReplayJob } from './replay-job.ts';
import {
  decodeCursor,
  decodeStoredDelivery,
  encodeCursor,
  encodeStoredDelivery,
  type StoredDelivery,
} from './stored-delivery.ts';

interface DeliveryTablePorts {
  /** KV DELIVERIES. */
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  /** The lane is no longer this process's. */
  readonly stopped: () => boolean;
  readonly report: (message: string, error: unknown) => void;
}

/** What takes the entries of a lane, each with its revision. */
interface LoadedEntries {
  delivery(stored: StoredDelivery, revision: number): void;
  replay(job: ReplayJob, revision: number): void;
  backlog(backlog: Backlog, revision: number): void;
}

/** What KV DELIVERIES holds of one lane. Every write waits through outages; a lost race means another process's lane. */
export class DeliveryTable {
  readonly #lane: number;
  readonly #ports: DeliveryTablePorts;
  /** Of no other run: equal bytes are this run's own. */
  readonly #run: number;
  #cursorRevision = 0;

  constructor(lane: number, ports: DeliveryTablePorts) {
    this.#lane = lane;
    this.#ports = ports;
    this.#run = Buffer.from(ports.random.bytes(6)).readUIntBE(0, 6);
  }

  /**
   * Delivers every entry of the lane, and resolves to the cursor; null: there was none yet. The cursor is read first: what it
   * leaves out was stored before it.
   */
  async load(take: LoadedEntries): Promise<number | null> {
    const cursor = await this.#persistently(() => this.#ports.table.get(this.#cursorKey));
    await this.#each(`replay.${this.#lane}`, (_, value, revision) => {
      take.replay(decodeReplayJob(value), revision);
    });
    await this.#each(`backlog.${this.#lane}`, (_, value, revision) => {
      take.backlog(decodeBacklog(value), revision);
    });
    await this.#each(`item.${this.#lane}`, (key, value, revision) => {
      const stored = this.#decoded(key, value);
      if (stored !== null) take.delivery(stored, revision);
    });
    if (cursor === null) return null;
    this.#cursorRevision = cursor.revision;
    return decodeCursor(cursor.value);
  }

  /** Reads the lane's own keys only: the bucket has those of all lanes. */
  async #each(
    under: string,
    take: (key: string, value: Uint8Array, revision: number) => void,
  ): Promise<void> {
    let becomeCurrent: () => void = () => {};
    const current = new Promise<void>((resolve) => {
      becomeCurrent = resolve;
    });
    const entry = (key: string, value: Uint8Array | null, revision: number): void => {
      if (value !== null) take(key, value, revision);
    };
    const watch = await this.#ports.table.watch({ entry, current: becomeCurrent }, under);
    await current;
    await watch.stop();
  }

  async read(id: string): Promise<{ readonly stored: StoredDelivery; readonly revision: number } | null> {
    const found = await this.#persistently(() => this.#ports.table.get(this.#itemKey(id)));
    if (found === null) return null;
    const stored = this.#decoded(found.key, found.value);
    return stored === null ? null : { stored, revision: found.revision };
  }

  /** The entry's new revision; null: another process has changed it. */
  write(stored: StoredDelivery, expected: number): Promise<number | null> {
    const key = this.#itemKey(stored.delivery.id);
    return this.#put(key, encodeStoredDelivery(stored), expected);
  }

  async remove(id: string, expected: number): Promise<void> {
    await this.#persistently(() => this.#ports.table.remove(this.#itemKey(id), expected));
  }

  /** The entry's new revision; null: another process has changed it. */
  writeReplay(job: ReplayJob, expected: number): Promise<number | null> {
    return this.#put(this.#replayKey(job.id), encodeReplayJob(job), expected);
  }

  async readReplay(id: string): Promise<{ readonly job: ReplayJob; readonly revision: number } | null> {
    const found = await this.#persistently(() => this.#ports.table.get(this.#replayKey(id)));
    return found === null ? null : { job: decodeReplayJob(found.value), revision: found.revision };
  }

  async removeReplay(id: string, expected: number): Promise<void> {
    await this.#persistently(() => this.#ports.table.remove(this.#replayKey(id), expected));
  }

  /** The entry's new revision; null: another process has changed it. */
  writeBacklog(backlog: Backlog, expected: number): Promise<number | null> {
    return this.#put(this.#backlogKey(backlog.id), encodeBacklog(backlog, this.#run), expected);
  }

  async readBacklog(id: string): Promise<{ readonly backlog: Backlog; readonly revision: number } | null> {
    const found = await this.#persistently(() => this.#ports.table.get(this.#backlogKey(id)));
    return found === null ? null : { backlog: decodeBacklog(found.value), revision: found.revision };
  }

  async removeBacklog(id: string, expected: number): Promise<void> {
    await this.#persistently(() => this.#ports.table.remove(this.#backlogKey(id), expected));
  }

  /** False: another run has written it. What this one believes may be wrong by now (docs/decisions/0320). */
  async writeCursor(sequence: number): Promise<boolean> {
    const revision = await this.#put(
      this.#cursorKey,
      encodeCursor(sequence, this.#run),
      this.#cursorRevision,
    );
    if (revision !== null) this.#cursorRevision = revision;
    return revision !== null;
  }

  #decoded(key: string, value: Uint8Array): StoredDelivery | null {
    try {
      return decodeStoredDelivery(value);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      this.#ports.report(`The delivery ${key} cannot be read and is left out.`, error);
      return null;
    }
  }

  /** A write whose acknowledgement was lost finds its own bytes. */
  #put(key: string, bytes: Uint8Array, expected: number): Promise<number | null> {
    return this.#persistently(async () => {
      const { table } = this.#ports;
      const revision = await table.put(key, bytes, expected);
      if (revision !== null) return revision;
      const present = await table.get(key);
      return present !== null && equalBytes(present.value, bytes) ? present.revision : null;
    });
  }

  #persistently<T>(work: () => Promise<T>): Promise<T> {
    return persistently(this.#ports, work);
  }

  get #cursorKey(): string {
    return `cursor.${this.#lane}`;
  }

  #backlogKey(id: string): string {
    return `backlog.${this.#lane}.${id}`;
  }

  #replayKey(id: string): string {
    return `replay.${this.#lane}.${id}`;
  }

  #itemKey(id: string): string {
    return `item.${this.#lane}.${id}`;
  }
}
