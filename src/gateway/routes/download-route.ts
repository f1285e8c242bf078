import type { ServerResponse } from 'node:http';
import type { Principal } from '../../access/rights/principal.ts';
import { pause } from '../../lib/pauses.ts';
import type { Clock } from '../../ports.ts';
import type { GatewayContext, Operation } from '../api/operation/operation.ts';
import { PublicError } from '../base/errors.ts';
import type { Download, Reply } from '../base/reply.ts';
import { countAnswer, guardHeaders, requestIdOf, sendReply } from '../http/answer.ts';
import type { HttpRequest } from '../http/mount.ts';
import { Places } from '../http/places.ts';
import { markOpenEnded } from '../http/read-body.ts';
import { endRequestSpan, spanOf } from '../http/request-observation.ts';
import { authenticate } from './callers.ts';

const limits = {
  /** Downloads of a gateway, and of an operator or an administrator of all. */
  open: 8,
  openOfParty: 2,
  /** A caller that does not read for so long has gone. */
  readWithinMs: 60_000,
  /** How often, and for how long, a part is asked for again where the books do not answer. */
  againMs: 1_000,
  againWithinMs: 60_000,
  /** The lifetime of a token: who signs each request has none. */
  lastsMs: 900_000,
} as const;

/** Answers that are written while they are read: what a gateway has of each in memory is one part. */
export class Downloads {
  readonly #open = new Set<ServerResponse>();
  readonly #places = new Places(limits.open, limits.openOfParty);

  get open(): number {
    return this.#open.size;
  }

  /** Takes a place until the answer is over. @throws PublicError */
  enter(party: string, response: ServerResponse): void {
    const refusal = this.#places.take(party);
    if (refusal !== null) throw refusal;
    this.#open.add(response);
    response.once('close', () => {
      this.#open.delete(response);
      this.#places.release(party);
    });
  }

  /** They are broken off: their callers go on behind the last line elsewhere. */
  drain(): void {
    for (const response of this.#open) response.destroy();
  }
}

interface DownloadTools {
  readonly context: GatewayContext;
  readonly downloads: Downloads;
  readonly fail: (response: ServerResponse, error: unknown) => void;
}

/** Answers a request with parts, the next of which is made when the caller has read the one before. */
export function downloadHandler(
  { authentication }: Operation,
  ask: (request: HttpRequest<Principal>, response: ServerResponse) => Promise<Reply>,
  { context, downloads, fail }: DownloadTools,
) {
  const begin = async (request: HttpRequest<Principal>, response: ServerResponse): Promise<void> => {
    const reply = await ask(request, response);
    const { download } = reply;
    if (download === undefined || request.raw.method === 'HEAD')
      return sendReply(response, { ...reply, body: undefined });
    if (response.destroyed) return;
    downloads.enter(download.party, response);
    markOpenEnded(request.raw);
    countAnswer(200);
    endRequestSpan(spanOf(response), 200);
    const own = ['Content-Type', download.mediaType, 'X-Accel-Buffering', 'no'];
    const name = ['Content-Disposition', `attachment; filename="${download.name}"`];
    const all = [...guardHeaders, 'X-Request-Id', requestIdOf(response), ...own, ...name];
    response.writeHead(200, [...all, ...(reply.headers ?? [])]);
    response.on('error', () => {});
    const { authorization } = request.raw.headers;
    const mayGoOn = async (): Promise<void> => {
      if (authorization !== undefined) await authenticate(context.access, authentication, authorization);
    };
    await write(download, response, context.clock, mayGoOn);
  };
  return (request: HttpRequest<Principal>, response: ServerResponse): void => {
    // Behind the head, which has said that it went well, a broken answer says that it did not.
    begin(request, response).catch((error) => fail(response, error));
  };
}

/** @throws PublicError where the caller may not go on, or the books do not answer for long */
async function write(
  download: Download,
  response: ServerResponse,
  clock: Clock,
  mayGoOn: () => Promise<void>,
): Promise<void> {
  const endsMs = clock.elapsedMs() + limits.lastsMs;
  let { text, next } = download.first;
  for (;;) {
    if (!response.write(text)) await drained(response);
    if (response.destroyed) return;
    if (next === null) break;
    if (clock.elapsedMs() > endsMs) throw new PublicError('unauthenticated');
    await mayGoOn();
    ({ text, next } = await patiently(clock, response, () => download.more(next as string)));
  }
  response.end();
}

async function patiently<T>(clock: Clock, response: ServerResponse, work: () => Promise<T>): Promise<T> {
  const endsMs = clock.elapsedMs() + limits.againWithinMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const passes = error instanceof PublicError && error.code === 'overloaded';
      if (!passes || clock.elapsedMs() > endsMs || response.destroyed) throw error;
    }
    await pause(clock, limits.againMs);
  }
}

/** Until the caller has read what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), limits.readWithinMs);
    const end = (): void => {
      clearTimeout(timer);
      response.off('drain', end).off('close', end);
      resolve();
    };
    response.once('drain', end).once('close', end);
    if (response.destroyed) end();
  });
}
