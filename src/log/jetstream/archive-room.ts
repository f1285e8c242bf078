import type { ArchiveName } from '../../ports.ts';
import { archiveChunks, archiveStream } from '../base/names.ts';
import { asking, askServer, describeStream, storedSubjects, streamState } from './api.ts';
import { readMessage } from './direct-read.ts';
import { entriesOf, type StoredEntry } from './jetstream-archive.ts';
import type { Requester } from './requester.ts';
import { toLogError } from './server-errors.ts';

interface StoredObject {
  readonly earlier: readonly StoredEntry[];
  readonly newest: StoredEntry;
}

/** An upload takes less. */
const orphanedAfterMs = 3_600_000;

/** Frees the room of objects that were replaced or removed, and of uploads that were never completed. */
export class ArchiveRoom {
  readonly #requester: Requester;
  /** By archive, where its stream ended when room was freed last. */
  readonly #freed = new Map<ArchiveName, number>();

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * Frees what no newest entry names any more; only what was stored before `beforeMs`, by the server's time.
   * The first time, also chunks of which no entry has ever said that they are an object.
   * @throws LogError
   */
  async free(archive: ArchiveName, beforeMs: number): Promise<void> {
    const { last_seq: last } = await streamState(this.#requester, archiveStream(archive));
    if (this.#freed.get(archive) === last && beforeMs === Number.POSITIVE_INFINITY) return;
    if (!this.#freed.has(archive)) await this.#freeOrphans(archive);
    const objects = await this.#objects(archive);
    const isDue = ({ earlier }: StoredObject): boolean =>
      earlier.length > 0 && earlier.every(({ stored }) => stored.timestampMs < beforeMs);
    const kept = new Set<string>();
    for (const object of objects.values()) {
      const { earlier, newest } = object;
      // A role that may write entries can name the chunks of any object in them.
      if (!isDue(object)) for (const { entry } of earlier) kept.add(entry.nuid);
      if (!isDue(object) || newest.entry.deleted !== true) kept.add(newest.entry.nuid);
    }
    for (const [subject, object] of objects) {
      const { earlier, newest } = object;
      if (!isDue(object)) continue;
      for (const { entry } of earlier)
        if (!kept.has(entry.nuid)) await this.#purge(archive, archiveChunks(archive, entry.nuid));
      const { sequence } = newest.stored;
      await this.#purge(archive, subject, newest.entry.deleted === true ? sequence + 1 : sequence);
    }
    this.#freed.set(archive, last);
  }

  async #freeOrphans(archive: ArchiveName): Promise<void> {
    const stream = archiveStream(archive);
    const stored = await storedSubjects(this.#requester, stream, archiveChunks(archive, '>'));
    const nowMs = Date.parse((await describeStream(this.#requester, stream)).ts);
    const named = new Set<string>();
    for await (const { entry } of entriesOf(this.#requester, archive))
      named.add(archiveChunks(archive, entry.nuid));
    for (const subject of stored.filter((each) => !named.has(each))) {
      const newest = await readMessage(this.#requester, stream, { last_by_subj: subject }, 1);
      if (newest !== null && nowMs - newest.timestampMs > orphanedAfterMs)
        await this.#purge(archive, subject);
    }
  }

  /** By the subject of their entries. */
  async #objects(archive: ArchiveName): Promise<ReadonlyMap<string, StoredObject>> {
    const objects = new Map<string, StoredObject>();
    for await (const each of entriesOf(this.#requester, archive)) {
      const { subject } = each.stored;
      const before = objects.get(subject);
      objects.set(subject, {
        earlier: before === undefined ? [] : [...before.earlier, before.newest],
        newest: each,
      });
    }
    return objects;
  }

  /** Drops the messages of a subject; with `before`, only those with lower sequences. */
  async #purge(archive: ArchiveName, filter: string, before?: number): Promise<void> {
    const operation = `STREAM.PURGE.${archiveStream(archive)}`;
    const request = before === undefined ? { filter } : { filter, seq: before };
    const answer = await asking(() => askServer(this.#requester, operation, request));
    if (answer.error !== undefined) throw toLogError(answer.error, `Freeing room of ${archive}`);
  }
}
