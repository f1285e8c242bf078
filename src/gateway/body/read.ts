import type { IncomingMessage } from 'node:http';
import { PublicError } from '../errors.ts';
import { httpLimits } from '../http/limits.ts';

type Done = (error: Error | null, bytes: Buffer | null) => void;

interface OpenRead {
  readonly startedMs: number;
  readonly expire: () => void;
}

/** Reads bodies, within a size each and a time that one sweep watches over for all of them. */
export class BodyReader {
  readonly #open = new Set<OpenRead>();
  readonly #sweep: NodeJS.Timeout;
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#sweep = setInterval(() => this.#expireLate(), httpLimits.timeoutCheckMs);
    this.#sweep.unref();
  }

  read(request: IncomingMessage, mostBytes: number, done: Done): void {
    let first: Buffer | null = null;
    let more: Buffer[] | null = null;
    let size = 0;
    const open: OpenRead = {
      startedMs: this.#nowMs(),
      expire: () => finish(new PublicError('request_timeout')),
    };
    const finish = (error: Error | null): void => {
      if (!this.#open.delete(open)) return;
      request.removeListener('data', onData);
      request.removeListener('end', onEnd);
      request.removeListener('error', onError);
      if (error !== null) done(error, null);
      else done(null, more === null ? first : Buffer.concat(more));
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > mostBytes) finish(new PublicError('payload_too_large'));
      else if (first === null) first = chunk;
      else if (more === null) more = [first, chunk];
      else more.push(chunk);
    };
    const onEnd = (): void => finish(null);
    const onError = (): void => finish(new PublicError('malformed_http'));
    this.#open.add(open);
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('error', onError);
  }

  stop(): void {
    clearInterval(this.#sweep);
  }

  #expireLate(): void {
    const beforeMs = this.#nowMs() - httpLimits.bodyTimeoutMs;
    // In order of their start: the first young one ends the sweep.
    for (const open of this.#open) {
      if (open.startedMs > beforeMs) return;
      open.expire();
    }
  }
}
