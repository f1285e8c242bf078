import { type ObjectStore, setSha256Backend } from '@nats-io/obj';
import { type Archive, LogError } from '../../lib/ports.ts';

const PUT_TIMEOUT_MS = 60_000;

// The client's own SHA-256 takes a millisecond a chunk, in which a lane waits.
setSha256Backend('native');

/** Objects of a bucket, through the client's own implementation: they are few and large. */
export class JetStreamArchive implements Archive {
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  async put(name: string, bytes: Uint8Array | readonly Uint8Array[]): Promise<void> {
    const parts = bytes instanceof Uint8Array ? [bytes] : bytes;
    await outages(() => this.#store.put({ name }, streamOf(parts), { timeout: PUT_TIMEOUT_MS }));
  }

  get(name: string): Promise<Uint8Array | null> {
    return outages(async () => {
      const info = await this.#store.info(name);
      if (info === null || info.deleted) return null;
      const blob = await this.#store.getBlob(name);
      return blob === null ? null : new Uint8Array(blob.buffer, blob.byteOffset, blob.length);
    });
  }

  has(name: string): Promise<boolean> {
    return outages(async () => {
      const info = await this.#store.info(name);
      return info !== null && !info.deleted;
    });
  }

  async list(): Promise<string[]> {
    const objects = await outages(() => this.#store.list());
    return objects
      .filter((object) => !object.deleted)
      .map((object) => object.name)
      .sort();
  }

  async remove(name: string): Promise<void> {
    await outages(async () => {
      const info = await this.#store.info(name);
      if (info !== null && !info.deleted) await this.#store.delete(name);
    });
  }
}

/** Part by part, so that large objects are never copied in one go. */
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

async function outages<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new LogError('unavailable', `The archive cannot be used: ${message}`, { cause });
  }
}
