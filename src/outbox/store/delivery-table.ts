import { equalBytes } from '../../lib/bytes.ts';
import { type Clock, LogError, type Table } from '../../ports.ts';
import { decodeReplayJob, encodeReplayJob, type ReplayJob } from '../replay/replay-job.ts';
import { persistently } from './persistently.ts';
import {
  decodeCursor,
  decodeStoredDelivery,
  encodeCursor,
  encodeStoredDelivery,
  type StoredDelivery,
} from './stored-delivery.ts';

export interface DeliveryTablePorts {
  /** KV DELIVERIES. */
  readonly table: Table;
  readonly clock: Clock;
  /** The lane is no longer this process's. */
  readonly stopped: () => boolean;
  readonly report: (message: string, error: unknown) => void;
}

/** What KV DELIVERIES holds of one lane. Every write waits through outages; a lost race means another process's lane. */
export class DeliveryTable {
  readonly #lane: number;
  readonly #ports: DeliveryTablePorts;
  #cursorRevision = 0;

  constructor(lane: number, ports: DeliveryTablePorts) {
    this.#lane = lane;
    this.#ports = ports;
  }

  /** Delivers every entry, and resolves to the cursor; null: there was none yet. */
  async load(
    entry: (stored: StoredDelivery, revision: number) => void,
    replay: (job: ReplayJob, revision: number) => void,
  ): Promise<number | null> {
    const prefix = this.#itemKey('');
    const replays = this.#replayKey('');
    let cursor: number | null = null;
    const take = (key: string, value: Uint8Array | null, revision: number): void => {
      if (value === null) return;
      if (key === this.#cursorKey) {
        cursor = decodeCursor(value);
        this.#cursorRevision = revision;
      }
      if (key.startsWith(replays)) replay(decodeReplayJob(value), revision);
      if (!key.startsWith(prefix)) return;
      const stored = this.#decoded(key, value);
      if (stored !== null) entry(stored, revision);
    };
    let becomeCurrent: () => void = () => {};
    const current = new Promise<void>((resolve) => {
      becomeCurrent = resolve;
    });
    const watch = await this.#ports.table.watch({ entry: take, current: becomeCurrent });
    await current;
    await watch.stop();
    return cursor;
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

  async removeReplay(id: string, expected: number): Promise<void> {
    await this.#persistently(() => this.#ports.table.remove(this.#replayKey(id), expected));
  }

  async writeCursor(sequence: number): Promise<void> {
    const revision = await this.#put(this.#cursorKey, encodeCursor(sequence), this.#cursorRevision);
    if (revision !== null) this.#cursorRevision = revision;
    else await this.#adoptCursor();
  }

  /** Another run wrote it: what it says is true as well, and the next write goes over it. */
  async #adoptCursor(): Promise<void> {
    const present = await this.#persistently(() => this.#ports.table.get(this.#cursorKey));
    this.#cursorRevision = present?.revision ?? 0;
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

  #replayKey(id: string): string {
    return `replay.${this.#lane}.${id}`;
  }

  #itemKey(id: string): string {
    return `item.${this.#lane}.${id}`;
  }
}
