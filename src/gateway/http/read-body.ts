import type { IncomingMessage } from 'node:http';
import { PublicError } from '../base/errors.ts';
import { httpLimits } from './limits.ts';

type Done = (error: Error | null, bytes: Buffer | null) => void;

/** A body that is being read. It hangs on its request, so all requests share the listeners. */
interface OpenRead {
  readonly reader: BodyReader;
  readonly request: ReadRequest;
  readonly startedMs: number;
  readonly maxBytes: number;
  readonly done: Done;
  first: Buffer | null;
  more: Buffer[] | null;
  size: number;
}

const openRead = Symbol('openRead');
const refusal = Symbol('refusal');
/** A request's event: its caller has ended its side before the body was whole. */
export const bodyLost = Symbol('bodyLost');
/** A request's event: its caller has ended its side after the request was whole, and may still read. */
export const callerEnded = Symbol('callerEnded');
/** A request's event: the rest of its body will not come, with the reason. */
export const bodyRefused = Symbol('bodyRefused');
const continuation = Symbol('continuation');
type ReadRequest = IncomingMessage & {
  [openRead]?: OpenRead;
  [refusal]?: PublicError;
  [continuation]?: () => void;
};

/** Reads bodies, within a size each and a time that one sweep watches over for all of them. */
export class BodyReader {
  readonly #open = new Set<OpenRead>();
  readonly #expiryTimer: NodeJS.Timeout;
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#expiryTimer = setInterval(() => this.#expireLate(), httpLimits.timeoutCheckMs);
    this.#expiryTimer.unref();
  }

  /** `done` is called once; with null bytes where there was no body. */
  read(request: ReadRequest, maxBytes: number, done: Done): void {
    const read: OpenRead = {
      reader: this,
      request,
      startedMs: this.#nowMs(),
      maxBytes,
      done,
      first: null,
      more: null,
      size: 0,
    };
    request[openRead] = read;
    this.#open.add(read);
    if (request[refusal] !== undefined) {
      this.finish(read, request[refusal]);
      return;
    }
    sayContinue(request);
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('error', onError);
  }

  finish(read: OpenRead, error: Error | null): void {
    if (!this.#open.delete(read)) return;
    if (error === null) {
      read.done(null, read.more === null ? read.first : Buffer.concat(read.more));
      return;
    }
    read.request.removeListener('data', onData);
    read.request.removeListener('end', onEnd);
    read.done(error, null);
  }

  stop(): void {
    clearInterval(this.#expiryTimer);
  }

  #expireLate(): void {
    const beforeMs = this.#nowMs() - httpLimits.bodyTimeoutMs;
    // In order of their start: the first young one ends the sweep.
    for (const read of this.#open) {
      if (read.startedMs > beforeMs) return;
      this.finish(read, new PublicError('request_timeout'));
    }
  }
}

/** The caller sends the body once it is told to: `say` does, if the head is not refused before. */
export function expectContinue(request: ReadRequest, say: () => void): void {
  request[continuation] = say;
}

export function sayContinue(request: ReadRequest): void {
  request[continuation]?.();
}

/** Why the rest of the request's body will not come; null: it may. */
export function refusedBody(request: ReadRequest): PublicError | null {
  return request[refusal] ?? null;
}

/** The rest of the request's body will not come: its readers, now or later, get the reason. */
export function refuseBody(request: ReadRequest, error: PublicError): void {
  request[refusal] = error;
  const read = request[openRead];
  if (read !== undefined) read.reader.finish(read, error);
  request.emit(bodyRefused, error);
}

function onData(this: ReadRequest, chunk: Buffer): void {
  const read = this[openRead] as OpenRead;
  read.size += chunk.length;
  if (read.size > read.maxBytes) read.reader.finish(read, new PublicError('payload_too_large'));
  else if (read.first === null) read.first = chunk;
  else if (read.more === null) read.more = [read.first, chunk];
  else read.more.push(chunk);
}

function onEnd(this: ReadRequest): void {
  const read = this[openRead] as OpenRead;
  read.reader.finish(read, null);
}

function onError(this: ReadRequest): void {
  const read = this[openRead] as OpenRead;
  read.reader.finish(read, new PublicError('malformed_http'));
}

const openEnded = new WeakSet<IncomingMessage>();

/** No time is set for the body of the request from now on. */
export function markOpenEnded(request: IncomingMessage): void {
  openEnded.add(request);
}

export function isOpenEnded(request: IncomingMessage): boolean {
  return openEnded.has(request);
}
