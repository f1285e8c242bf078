import { createHash, type Hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { nuid } from '@nats-io/nats-core';
import { type Archive, type ArchiveName, LogError } from '../../ports.ts';
import { archiveBucket, archiveChunks, archiveEntries, archiveEntry, archiveStream } from '../base/names.ts';
import { readMessage, readStoredBatch } from './direct-read.ts';
import { publish } from './publish.ts';
import type { Requester } from './requester.ts';
import type { StoredMessage } from './stored-message.ts';

/** The entry of an object, as every object store of NATS has it. */
interface ObjectEntry {
  readonly name: string;
  readonly bucket: string;
  /** Its chunks are stored under it. */
  readonly nuid: string;
  readonly size: number;
  readonly chunks: number;
  readonly mtime: string;
  readonly digest: string;
  readonly deleted?: boolean;
  readonly options?: { readonly max_chunk_size: number };
}

/** An entry, and the message that has it. */
export interface StoredEntry {
  readonly entry: ObjectEntry;
  readonly stored: StoredMessage;
}

const putTimeoutMs = 60_000;
const chunkBytes = 128 * 1024;
const digestPrefix = 'SHA-256=';
/** A replica may be behind the leader, and an object may be replaced while it is read. */
const readTries = 4;
const rereadDelayMs = 50;

/**
 * Objects of a bucket, in the form of NATS's object stores. The client's own ones purge, roll up, and leave
 * consumers: here only `storage` can remove what is stored (docs/decisions/0464).
 */
export class JetStreamArchive implements Archive {
  readonly #requester: Requester;
  readonly #name: ArchiveName;
  readonly #replicas: number;

  constructor(requester: Requester, name: ArchiveName, replicas: number) {
    this.#requester = requester;
    this.#name = name;
    this.#replicas = replicas;
  }

  /** The chunks first: an object is there when its entry is. */
  async put(name: string, bytes: Uint8Array | readonly Uint8Array[]): Promise<void> {
    const id = nuid.next();
    const hash = createHash('sha256');
    let [size, chunks] = [0, 0];
    for (const chunk of chunksOf(bytes instanceof Uint8Array ? [bytes] : bytes)) {
      hash.update(chunk);
      await this.#store(archiveChunks(this.#name, id), chunk);
      size += chunk.length;
      chunks += 1;
    }
    await this.#storeEntry({
      ...{ name, bucket: archiveBucket(this.#name), nuid: id, size, chunks },
      ...{ mtime: new Date().toISOString(), digest: digestOf(hash), deleted: false },
      options: { max_chunk_size: chunkBytes },
    });
  }

  async get(name: string): Promise<Uint8Array | null> {
    for (let tries = 1; ; tries += 1) {
      const entry = await this.#entryOf(name);
      if (entry === null) return null;
      const bytes = await this.#read(entry);
      if (bytes !== null) return bytes;
      if (tries === readTries) throw new LogError('corrupt', `${name} of the archive is incomplete.`);
      await delay(rereadDelayMs);
    }
  }

  async has(name: string): Promise<boolean> {
    return (await this.#entryOf(name)) !== null;
  }

  /** The newest entry of a name counts: it may say that the object was removed. */
  async list(): Promise<string[]> {
    const names = new Set<string>();
    for await (const { entry } of entriesOf(this.#requester, this.#name)) {
      if (entry.deleted === true) names.delete(entry.name);
      else names.add(entry.name);
    }
    return [...names].sort();
  }

  async remove(name: string): Promise<void> {
    const entry = await this.#entryOf(name);
    if (entry !== null) await this.#storeEntry({ ...entry, size: 0, chunks: 0, digest: '', deleted: true });
  }

  #storeEntry(entry: ObjectEntry): Promise<void> {
    return this.#store(archiveEntry(this.#name, entry.name), Buffer.from(JSON.stringify(entry), 'utf8'));
  }

  async #store(subject: string, bytes: Uint8Array): Promise<void> {
    try {
      await publish(this.#requester, subject, bytes, { timeoutMs: putTimeoutMs });
    } catch (cause) {
      if (!(cause instanceof LogError)) throw cause;
      // Also where it is full: room is made, and then the same can be stored.
      throw new LogError('unavailable', `The archive takes nothing: ${cause.message}`, { cause });
    }
  }

  async #entryOf(name: string): Promise<ObjectEntry | null> {
    const request = { last_by_subj: archiveEntry(this.#name, name) };
    const stored = await readMessage(this.#requester, archiveStream(this.#name), request, this.#replicas);
    const entry = stored === null ? null : readEntry(stored);
    return entry === null || entry.deleted === true ? null : entry;
  }

  async #read(entry: ObjectEntry): Promise<Uint8Array | null> {
    const bytes = new Uint8Array(entry.size);
    const subject = archiveChunks(this.#name, entry.nuid);
    let next = 1;
    for (let at = 0; at < bytes.length; ) {
      const chunks = await readStoredBatch(this.#requester, archiveStream(this.#name), next, subject);
      for (const chunk of chunks) {
        // What was added after the object belongs to none.
        if (at === bytes.length) break;
        if (at + chunk.bytes.length > bytes.length) return null;
        bytes.set(chunk.bytes, at);
        at += chunk.bytes.length;
        next = chunk.sequence + 1;
      }
      if (chunks.length === 0) return null;
    }
    return isWhole(bytes, entry) ? bytes : null;
  }
}

/** The entries of an archive in stored order, those of replaced and removed objects too. */
export async function* entriesOf(requester: Requester, archive: ArchiveName): AsyncGenerator<StoredEntry> {
  for (let next = 1; ; ) {
    const messages = await readStoredBatch(requester, archiveStream(archive), next, archiveEntries(archive));
    for (const stored of messages) {
      const entry = readEntry(stored);
      if (entry !== null) yield { entry, stored };
      next = stored.sequence + 1;
    }
    if (messages.length === 0) return;
  }
}

/** null: unreadable, written without permission, or naming more than one object. */
function readEntry({ bytes, relayed }: StoredMessage): ObjectEntry | null {
  if (relayed) return null;
  try {
    const entry = JSON.parse(Buffer.from(bytes).toString('utf8')) as ObjectEntry;
    return /^[A-Za-z0-9]{1,64}$/.test(entry.nuid) && typeof entry.name === 'string' ? entry : null;
  } catch {
    return null;
  }
}

function isWhole(bytes: Uint8Array, { digest }: ObjectEntry): boolean {
  const unpadded = (text: string): string => text.replaceAll('=', '');
  return unpadded(digestOf(createHash('sha256').update(bytes))) === unpadded(digest);
}

/** In base64url with its padding, as the clients write it. */
function digestOf(hash: Hash): string {
  const text = hash.digest('base64url');
  return `${digestPrefix}${text.padEnd(4 * Math.ceil(text.length / 4), '=')}`;
}

function* chunksOf(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of parts)
    for (let at = 0; at < part.length; at += chunkBytes) yield part.subarray(at, at + chunkBytes);
}
