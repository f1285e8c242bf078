import { noAnswer, PotstreamError } from './errors.ts';
import { type SessionSettings, StreamSession } from './stream-session.ts';
import type { StreamItem, StreamResult } from './stream-types.ts';
import { entryOf } from './stream-window.ts';

/** Contributions one after another; it is asked for the next one while there is room. */
export type StreamInput<Ref> = AsyncIterable<StreamItem<Ref>> | Iterable<StreamItem<Ref>>;

/** With its number in front, a line has 64 KiB at most. */
const maxTextBytes = 64 * 1024 - 32;

/**
 * Sends contributions and yields a result for each, in the order of completion. Only what is under way is in memory.
 * @throws StreamError what ends the stream; what the input throws, once everything taken from it is answered
 */
export async function* streamContributions<Ref>(
  input: StreamInput<Ref>,
  settings: SessionSettings,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamResult<Ref>, void, undefined> {
  const session = new StreamSession<Ref>(settings);
  const feed = new Feed(input, session);
  const abort = () => session.fail(aborted(signal?.reason));
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  const failed = (error: unknown) => session.fail(noAnswer(error));
  feed.run().catch(failed);
  session.run().catch(failed);
  try {
    for (;;) {
      const result = session.next();
      if (result !== null) yield result;
      else if (session.failure !== null) throw session.failure;
      else if (session.isDone) break;
      else await session.news.wait();
    }
    if (feed.fault !== null) throw feed.fault.reason;
  } finally {
    signal?.removeEventListener('abort', abort);
    session.close();
    feed.stop();
  }
}

/** Takes contributions from the input as long as there is room for them. */
class Feed<Ref> {
  readonly #session: StreamSession<Ref>;
  readonly #iterator: AsyncIterator<StreamItem<Ref>> | Iterator<StreamItem<Ref>>;
  #isEnded = false;
  /** What the input threw. */
  fault: { readonly reason: unknown } | null = null;

  constructor(input: StreamInput<Ref>, session: StreamSession<Ref>) {
    this.#session = session;
    this.#iterator = Symbol.asyncIterator in input ? input[Symbol.asyncIterator]() : input[Symbol.iterator]();
  }

  async run(): Promise<void> {
    const { window, room } = this.#session;
    try {
      while (!this.#session.isOver) {
        if (!window.hasRoom) {
          await room.wait();
          continue;
        }
        const item = await this.#next();
        if (item === null) break;
        const entry = entryOf(item);
        if (entry.bytes <= maxTextBytes) this.#session.add(entry);
        else this.#session.refuse(entry, tooLarge());
      }
    } catch (reason) {
      this.fault = { reason };
    }
    this.#session.endInput();
  }

  /** Whoever makes the input may end what it uses. */
  stop(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    // The stream is over: nobody is left to be told of a fault.
    new Promise((resolve) => resolve(this.#iterator.return?.())).catch(() => undefined);
  }

  async #next(): Promise<StreamItem<Ref> | null> {
    try {
      const next = await this.#iterator.next();
      if (next.done !== true) return next.value;
      this.#isEnded = true;
      return null;
    } catch (reason) {
      this.#isEnded = true;
      throw reason;
    }
  }
}

function tooLarge(): PotstreamError {
  const message = 'A line of the stream has 64 KiB at most.';
  return new PotstreamError({
    status_code: 413,
    code: 'payload_too_large',
    message,
    request_id: null,
    retry_after_ms: null,
  });
}

function aborted(reason: unknown): PotstreamError {
  const message = `The stream was aborted: ${reason instanceof Error ? reason.message : String(reason)}`;
  return new PotstreamError({
    status_code: null,
    code: 'aborted',
    message,
    request_id: null,
    retry_after_ms: null,
    cause: reason,
  });
}
