import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ObjectInfo, type ObjectStore, setSha256Backend } from '@nats-io/obj';
import { type Archive, type ArchiveName, LogError } from '../../ports.ts';
import { archiveChunks, archiveEntries, archiveStream } from '../names.ts';
import type { LogConnection } from './connection.ts';
import { readBatch } from './direct-read.ts';

/** The entry of an object, of what the client writes. */
interface Entry {
  readonly name: string;
  readonly deleted?: boolean;
}

const putTimeoutMs = 60_000;
/** A replica may be behind the leader, and an object may be replaced while it is read. */
const readTries = 4;
const rereadDelayMs = 50;

// The SHA-256 of the client blocks a lane for a millisecond a chunk.
setSha256Backend('native');

/**
 * Objects of a bucket, stored through the client. Reading and listing are ours: the client leaves a consumer behind for minutes
 * after each read, until the server refuses more.
 */
export class JetStreamArchive implements Archive {
  readonly #store: ObjectStore;
  readonly #connection: LogConnection;
  readonly #name: ArchiveName;

  constructor(store: ObjectStore, connection: LogConnection, name: ArchiveName) {
    this.#store = store;
    this.#connection = connection;
    this.#name = name;
  }

  async put(name: string, bytes: Uint8Array | readonly Uint8Array[]): Promise<void> {
    const parts = bytes instanceof Uint8Array ? [bytes] : bytes;
    await outages(() => this.#store.put({ name }, streamOf(parts), { timeout: putTimeoutMs }));
  }

  get(name: string): Promise<Uint8Array | null> {
    return outages(async () => {
      for (let tries = 1; ; tries += 1) {
        const info = await this.#store.info(name);
        if (info === null || info.deleted) return null;
        const bytes = await this.#chunksOf(info);
        if (bytes !== null) return bytes;
        if (tries === readTries) throw new LogError('corrupt', `${name} of the archive is incomplete.`);
        await delay(rereadDelayMs);
      }
    });
  }

  has(name: string): Promise<boolean> {
    return outages(async () => {
      const info = await this.#store.info(name);
      return info !== null && !info.deleted;
    });
  }

  /** Of each name there is one entry: the newest, which may say that the object was removed. */
  async list(): Promise<string[]> {
    const stream = archiveStream(this.#name);
    const names: string[] = [];
    for (let next = 1; ; ) {
      const from = next;
      const entries = await outages(() =>
        readBatch(this.#connection, stream, from, archiveEntries(this.#name)),
      );
      for (const { bytes, sequence } of entries) {
        const { name, deleted } = JSON.parse(Buffer.from(bytes).toString('utf8')) as Entry;
        if (deleted !== true) names.push(name);
        next = sequence + 1;
      }
      if (entries.length === 0) return names.sort();
    }
  }

  async remove(name: string): Promise<void> {
    await outages(async () => {
      const info = await this.#store.info(name);
      if (info !== null && !info.deleted) await this.#store.delete(name);
    });
  }

  /** null if a chunk is missing. */
  async #chunksOf(info: ObjectInfo): Promise<Uint8Array | null> {
    const bytes = new Uint8Array(info.size);
    const stream = archiveStream(this.#name);
    const subject = archiveChunks(this.#name, info.nuid);
    let next = 1;
    for (let at = 0; at < bytes.length; ) {
      const chunks = await readBatch(this.#connection, stream, next, subject);
      for (const chunk of chunks) {
        if (at + chunk.bytes.length > bytes.length) return null;
        bytes.set(chunk.bytes, at);
        at += chunk.bytes.length;
        next = chunk.sequence + 1;
      }
      if (chunks.length === 0) return null;
    }
    return isWhole(bytes, info) ? bytes : null;
  }
}

function isWhole(bytes: Uint8Array, { digest }: ObjectInfo): boolean {
  const [, expected] = digest.split('=', 2);
  const found = createHash('sha256').update(bytes).digest('base64url');
  return found === expected?.replaceAll('=', '');
}

/** Part by part: large objects are never copied at once. */
function streamOf(parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const part = parts[next];
      next += 1;
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
}

/** Runs work of the client. @throws LogError `unavailable` for any failure that is not a final LogError */
export async function outages<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof LogError && !cause.retryable) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new LogError('unavailable', `The archive cannot be used: ${message}`, { cause });
  }
}
