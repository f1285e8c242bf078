import { noAnswer, type PotstreamError } from './errors.ts';
import type { Pace } from './retry.ts';
import type { StreamConnection } from './stream-connection.ts';
import { type ConnectionEnd, errorOfMessage } from './stream-faults.ts';
import { MessageReader, type StreamMessage, unexpected } from './stream-messages.ts';
import type { StreamLimits } from './stream-types.ts';
import type { Entry, StreamWindow } from './stream-window.ts';

/** What an exchange needs of its stream. */
export interface ExchangeHost<Ref> {
  readonly window: StreamWindow<Ref>;
  readonly limits: StreamLimits;
  readonly pace: Pace;
  /** The result of a contribution; it may be one to send again. */
  answered(entry: Entry<Ref>, message: StreamMessage, characters: number): void;
  /** The results of a piece of the answer are there. */
  flush(): void;
}

const chunkCharacters = 32 * 1024;
const watchMs = { min: 5, max: 1_000 };
/** How often contributions that wait to be sent again are looked at. */
const deferredTickMs = 20;

/**
 * One connection's part of a stream: writes lines as fast as they are taken, and matches results with them by their number on
 * this connection, so that a second result for a line is recognized.
 */
export class StreamExchange<Ref> {
  readonly #host: ExchangeHost<Ref>;
  readonly #connection: StreamConnection;
  readonly #reader = new MessageReader();
  /** Sent and not answered, in order. */
  readonly #lines = new Map<number, Entry<Ref>>();
  #lastLine = 0;
  #isWritable = true;
  #isScheduled = false;
  #isReading = true;
  #isFinished = false;
  #end: ConnectionEnd | null = null;
  #heardMs: number;
  #wroteMs: number;
  #resumedMs = 0;
  #dueTimer: NodeJS.Timeout | null = null;

  constructor(host: ExchangeHost<Ref>, connection: StreamConnection) {
    this.#host = host;
    this.#connection = connection;
    this.#heardMs = host.pace.nowMs();
    this.#wroteMs = this.#heardMs;
  }

  /** Resolves when the connection is over. */
  async run(): Promise<ConnectionEnd> {
    const { silenceMs, idleLineMs } = this.#host.limits;
    const everyMs = Math.max(watchMs.min, Math.min(watchMs.max, silenceMs / 4, idleLineMs / 4));
    const watch = setInterval(() => this.#watch(), everyMs);
    const end = await new Promise<ConnectionEnd>((resolve) => {
      this.#connection.start({
        onText: (text) => this.#read(text),
        onDrain: () => {
          this.#isWritable = true;
          this.send();
        },
        // Nothing is taken for this connection any more.
        onOver: (error) => {
          this.#end ??= { error, line: null };
          resolve(this.#end);
        },
      });
      this.send();
    });
    clearInterval(watch);
    if (this.#dueTimer !== null) clearTimeout(this.#dueTimer);
    return end;
  }

  /** Contributions have come that may be sent. Those of one turn of the event loop go together. */
  send(): void {
    if (this.#isScheduled || !this.#isWritable || this.#end !== null || this.#isFinished) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#write();
    });
  }

  /** While the caller does not take results, no more of them are read. */
  read(more: boolean): void {
    if (more === this.#isReading) return;
    this.#isReading = more;
    if (more) {
      this.#resumedMs = this.#host.pace.nowMs();
      this.#heardMs = this.#resumedMs;
    }
    this.#connection.read(more);
  }

  /** All contributions are answered, and no more will come. */
  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#connection.finish();
  }

  destroy(error: PotstreamError): void {
    if (this.#isFinished) return;
    this.#end ??= { error, line: null };
    this.#connection.destroy(error);
  }

  /** Those without a result, with their number on this connection. */
  unanswered(): readonly (readonly [number, Entry<Ref>])[] {
    return [...this.#lines];
  }

  #write(): void {
    const { window, pace } = this.#host;
    const nowMs = pace.nowMs();
    while (this.#isWritable && this.#end === null) {
      let chunk = '';
      while (chunk.length < chunkCharacters) {
        const entry = window.take(nowMs);
        if (entry === undefined) break;
        this.#lastLine += 1;
        this.#lines.set(this.#lastLine, entry);
        entry.attempts += 1;
        entry.sentMs = nowMs;
        chunk += `{"ref":${this.#lastLine},${entry.text}\n`;
      }
      if (chunk === '') break;
      if (this.#lines.size === 1) this.#heardMs = nowMs;
      this.#wroteMs = nowMs;
      this.#isWritable = this.#connection.write(chunk);
    }
    this.#awaitDue();
  }

  #awaitDue(): void {
    if (this.#dueTimer !== null || this.#end !== null || !this.#host.window.hasDeferred) return;
    this.#dueTimer = setTimeout(() => {
      this.#dueTimer = null;
      this.send();
      this.#awaitDue();
    }, deferredTickMs);
  }

  #read(text: string): void {
    if (this.#end !== null) return;
    this.#heardMs = this.#host.pace.nowMs();
    try {
      this.#reader.read(text, (message, characters) => this.#take(message, characters));
    } catch (error) {
      this.destroy(noAnswer(error));
    }
    this.#awaitDue();
    this.#host.flush();
  }

  #take(message: StreamMessage, characters: number): void {
    if (this.#end !== null) return;
    if (message.end === true) {
      this.#end = { error: errorOfMessage(message), line: message.line ?? null };
      this.#connection.destroy(this.#end.error);
      return;
    }
    const number = (message.ref ?? message.line) as number;
    const entry = this.#lines.get(number);
    if (entry !== undefined) {
      this.#lines.delete(number);
      this.#host.answered(entry, message, characters);
      return;
    }
    // A line is answered once for the caller, however often the answer comes.
    if (number >= 1 && number <= this.#lastLine) return;
    throw unexpected('a result for a line that was not sent', JSON.stringify(message));
  }

  #watch(): void {
    const { limits, pace } = this.#host;
    const nowMs = pace.nowMs();
    const [oldest] = this.#lines.values();
    if (this.#isFinished) return;
    if (oldest === undefined) {
      if (nowMs - this.#wroteMs >= limits.idleLineMs && this.#isWritable) this.#writeEmptyLine(nowMs);
    } else if (!this.#isReading) return;
    else if (nowMs - this.#heardMs > limits.silenceMs)
      this.destroy(noAnswer(new Error(`Nothing came for ${limits.silenceMs} ms.`)));
    else if (nowMs - Math.max(oldest.sentMs, this.#resumedMs) > limits.answerTimeoutMs)
      this.destroy(noAnswer(new Error(`A result did not come within ${limits.answerTimeoutMs} ms.`)));
  }

  #writeEmptyLine(nowMs: number): void {
    // It is counted like any other.
    this.#lastLine += 1;
    this.#wroteMs = nowMs;
    this.#isWritable = this.#connection.write('\n');
  }
}
