import type { Principal, ServicePrincipal } from '../../access/rights/principal.ts';
import { answerOf } from '../api/contribution/contribute.ts';
import type { OperatorQuotas } from '../api/contribution/operator-quotas.ts';
import type { GatewayContext } from '../api/operation/operation.ts';
import { PublicError } from '../base/errors.ts';
import { requestDurations } from '../base/request-durations.ts';
import type { RefusalDelays } from '../http/refusal-delays.ts';
import { streamLimits } from './limits.ts';
import { NdjsonReader } from './ndjson-reader.ts';
import { NdjsonWriter, streamedLines } from './ndjson-writer.ts';
import type { OpenStreams } from './open-streams.ts';
import { type LineOwner, StreamLine, submitLine } from './stream-line.ts';

/** What all streams of a gateway share. */
export interface StreamHost {
  readonly context: GatewayContext;
  readonly quotas: OperatorQuotas;
  readonly refusalDelays: RefusalDelays;
  readonly open: OpenStreams;
  /** A bug of ours that a line met. */
  readonly report: (error: unknown) => void;
}

/** The connection of a stream. */
export interface StreamTransport {
  /** Bytes that wait for the caller to read. */
  readonly unwritten: number;
  /** Whether more of the stream comes. */
  read(more: boolean): void;
  write(results: string): void;
  /** All results of the whole input are written. */
  end(): void;
  /** So is the last message of a stream that ends before its input. */
  close(): void;
}

/**
 * Takes lines while few enough are under way and the caller reads its results, gives each to its lane as O16
 * would, and writes results as they come (docs/rules/streams.md "Back-pressure"). No line costs a promise.
 */
export class ContributionStream implements LineOwner {
  readonly #host: StreamHost;
  readonly #transport: StreamTransport;
  readonly #reader = new NdjsonReader();
  readonly #writer = new NdjsonWriter();
  readonly #operator: string;
  /** The caller as its token says now. @throws PublicError */
  readonly #identify: () => Principal | Promise<Principal>;
  #caller: ServicePrincipal;
  /** Under way: taken, and without a written result. */
  #lines = 0;
  #bytes = 0;
  #slow = 0;
  #answered: StreamLine[] = [];
  #writeScheduled = false;
  #linesScheduled = false;
  /** What has to be over before another line is taken. */
  #pauses = 0;
  #isBackingOff = false;
  #inputEnded = false;
  /** All lines of the whole input are taken. */
  #isRead = false;
  /** Why it ends before its input. */
  #fault: PublicError | null = null;
  #isOver = false;

  constructor(
    host: StreamHost,
    transport: StreamTransport,
    caller: ServicePrincipal,
    identify: () => Principal | Promise<Principal>,
  ) {
    this.#host = host;
    this.#transport = transport;
    this.#caller = caller;
    this.#operator = caller.operator;
    this.#identify = identify;
    host.open.enter(this.#operator, this);
  }

  push(chunk: Buffer): void {
    if (this.#isEnding()) return;
    this.#reader.push(chunk);
    this.#takeLines();
  }

  /** The input is whole. */
  finish(): void {
    if (this.#isEnding()) return;
    this.#inputEnded = true;
    this.#reader.end();
    this.#takeLines();
  }

  /** Takes no more lines, and ends with the reason once those it took have their results. */
  stop(fault: PublicError): void {
    if (this.#isEnding()) return;
    this.#fault = fault;
    this.#endIfDone();
  }

  drain(): void {
    this.stop(new PublicError('shutting_down'));
  }

  /** The caller has gone; lines under way go on without a reader. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#lines === 0) this.#host.open.leave(this.#operator, this);
  }

  /** The caller has read on. */
  resume(): void {
    this.#takeLines();
  }

  /** Nothing came or left for a while. @returns false: results wait for a caller who does not read */
  expire(): boolean {
    if (this.#transport.unwritten > 0) return false;
    if (this.#lines === 0) this.stop(new PublicError('request_timeout'));
    return true;
  }

  #isEnding(): boolean {
    return this.#isOver || this.#fault !== null;
  }

  #takeLines(): void {
    if (this.#linesScheduled || this.#isEnding() || !this.#knowsCaller()) return;
    const nowMs = performance.now();
    const maxLines = this.#host.open.linesOf(this.#operator);
    for (let taken = 0; this.#hasRoom(maxLines); taken += 1) {
      if (taken >= streamLimits.linesPerTurn) {
        this.#takeLinesSoon();
        return;
      }
      if (!this.#reader.next()) {
        this.#awaitMore();
        return;
      }
      this.#take(nowMs);
      if (this.#isEnding()) return;
    }
    this.#transport.read(false);
  }

  #takeLinesSoon(): void {
    this.#transport.read(false);
    this.#linesScheduled = true;
    setImmediate(() => {
      this.#linesScheduled = false;
      this.#takeLines();
    });
  }

  #awaitMore(): void {
    const { fault } = this.#reader;
    if (fault !== null) this.stop(fault);
    else if (!this.#inputEnded) this.#transport.read(true);
    else {
      this.#isRead = true;
      this.#endIfDone();
    }
  }

  #hasRoom(maxLines: number): boolean {
    return (
      this.#lines < maxLines &&
      this.#bytes < streamLimits.bytes &&
      this.#slow < streamLimits.slowLines &&
      this.#pauses === 0 &&
      this.#transport.unwritten <= streamLimits.unwrittenBytes
    );
  }

  /** Whether the token is still good: a token that ends, ends its streams. */
  #knowsCaller(): boolean {
    try {
      const caller = this.#identify();
      if (!(caller instanceof Promise)) {
        this.#caller = caller as ServicePrincipal;
        return true;
      }
      this.#pauses += 1;
      this.#transport.read(false);
      caller.then(
        (known) => {
          this.#caller = known as ServicePrincipal;
          this.#unpause();
        },
        (error) => {
          this.stop(publicErrorOf(error, this.#host.report));
          this.#unpause();
        },
      );
    } catch (error) {
      this.stop(publicErrorOf(error, this.#host.report));
    }
    return false;
  }

  #unpause(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) this.#takeLines();
  }

  #take(nowMs: number): void {
    const { open } = this.#host;
    const { line: number, bytes } = this.#reader;
    const line = new StreamLine(this, number, bytes, nowMs);
    if (this.#lines === 0) open.becameBusy(this.#operator);
    this.#lines += 1;
    this.#bytes += line.bytes;
    try {
      const asked = submitLine(line, this.#reader, this.#writer.form, this.#caller, this.#host);
      if (asked !== null) this.#await(line, asked);
    } catch (error) {
      line.error = error;
      // The quota is asked first, as for a request.
      line.ref ??= this.#reader.ref();
      this.answered(line);
    } finally {
      this.#bytes += line.resultBytes;
    }
  }

  /** The result comes from a wallet or from the log. */
  #await(line: StreamLine, result: Promise<string>): void {
    this.#slow += 1;
    result.then(
      (value) => {
        this.#slow -= 1;
        line.result = value;
        this.answered(line);
      },
      (error) => {
        this.#slow -= 1;
        line.error = error;
        this.answered(line);
      },
    );
  }

  answered(line: StreamLine): void {
    this.#answered.push(line);
    this.#writeSoon();
  }

  /** Results that come in one turn of the event loop are written at once. */
  #writeSoon(): void {
    if (this.#writeScheduled) return;
    this.#writeScheduled = true;
    setImmediate(this.#writeResults);
  }

  readonly #writeResults = (): void => {
    this.#writeScheduled = false;
    const lines = this.#answered;
    this.#answered = [];
    const nowMs = performance.now();
    for (const line of lines) this.#conclude(line, nowMs);
    this.#flush();
    this.#takeLines();
    this.#endIfDone();
  };

  #conclude(line: StreamLine, nowMs: number): void {
    const { answer, command, draft } = line;
    try {
      if (line.error !== null) throw line.error;
      if (answer !== null && command !== null && draft !== null) {
        line.answer = null;
        const result = answerOf(answer, command, draft, this.#host.context);
        if (result instanceof Promise) {
          this.#await(line, result);
          return;
        }
        line.result = result;
      }
      this.#writer.result(line.ref, line.result);
      streamedLines.results += 1;
      this.#done(line, nowMs);
    } catch (error) {
      this.#refuse(line, publicErrorOf(error, this.#host.report), nowMs);
    }
  }

  #refuse(line: StreamLine, error: PublicError, nowMs: number): void {
    const { limitedCaller } = error;
    if (limitedCaller === null) {
      this.#writeError(line, error, nowMs);
      if (isLackOfRoom(error)) this.#backOff();
      return;
    }
    // As on a connection of requests, the next one waits for this answer.
    this.#pauses += 1;
    this.#host.refusalDelays.send(limitedCaller, (closes) => {
      this.#writeError(line, error, nowMs);
      this.#pauses -= 1;
      if (closes) this.stop(error);
      this.#writeSoon();
    });
  }

  #writeError(line: StreamLine, error: PublicError, nowMs: number): void {
    this.#writer.error(line.ref, line.number, error);
    streamedLines.errors += 1;
    this.#done(line, nowMs);
  }

  /** Lines that follow would be refused like the last one, as fast as they come. */
  #backOff(): void {
    if (this.#isBackingOff) return;
    this.#isBackingOff = true;
    this.#pauses += 1;
    this.#host.context.clock.after(streamLimits.refusalPauseMs, () => {
      this.#isBackingOff = false;
      this.#unpause();
    });
  }

  #done(line: StreamLine, nowMs: number): void {
    const { quotas, open } = this.#host;
    if (line.reservedBytes > 0) quotas.release(this.#operator, line.reservedBytes);
    requestDurations.contribution.observe((nowMs - line.beganMs) / 1000);
    this.#lines -= 1;
    this.#bytes -= line.bytes + line.resultBytes;
    if (this.#lines > 0) return;
    open.becameIdle(this.#operator);
    if (this.#isOver) open.leave(this.#operator, this);
  }

  #flush(): void {
    const results = this.#writer.take();
    if (results !== null && !this.#isOver) this.#transport.write(results);
  }

  #endIfDone(): void {
    if (this.#isOver || this.#lines > 0) return;
    const fault = this.#fault;
    if (fault === null && !this.#isRead) return;
    if (fault !== null) this.#writer.last(this.#reader.nextLine(), fault);
    this.#flush();
    this.#isOver = true;
    this.#host.open.leave(this.#operator, this);
    if (fault === null) this.#transport.end();
    else this.#transport.close();
  }
}

function isLackOfRoom({ code }: PublicError): boolean {
  return code === 'overloaded' || code === 'storage_unavailable';
}

function publicErrorOf(error: unknown, report: (error: unknown) => void): PublicError {
  if (error instanceof PublicError) return error;
  report(error);
  return new PublicError('internal_error');
}
