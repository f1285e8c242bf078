import type { IncomingMessage, ServerResponse } from 'node:http';
import { ndjsonMediaType } from '../../contracts/bodies/body-formats.ts';
import type { PublicError } from '../base/errors.ts';
import { countAnswer, guardHeaders, requestIdOf } from '../http/answer.ts';
import { endGently } from '../http/raw-answer.ts';
import { bodyRefused, refusedBody, sayContinue } from '../http/read-body.ts';
import { endRequestSpan, spanOf } from '../http/request-observation.ts';
import type { ContributionStream, StreamTransport } from './contribution-stream.ts';

/** A stream of lines in the body of a request, and of results in that of its answer, at the same time. */
export class HttpStreamTransport implements StreamTransport {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #reads = true;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  /** Answers at once, before any line has come: the caller learns that its stream is open. */
  begin(stream: ContributionStream): void {
    const request = this.#request;
    const response = this.#response;
    sayContinue(request);
    countAnswer(200);
    endRequestSpan(spanOf(response), 200);
    response.writeHead(200, [
      ...guardHeaders,
      'X-Request-Id',
      requestIdOf(response),
      'Content-Type',
      ndjsonMediaType,
      // Proxies that buffer would make it wait for its end.
      'X-Accel-Buffering',
      'no',
    ]);
    response.flushHeaders();
    // The connection may be cut between two writes.
    response.on('error', () => {});
    response.on('drain', () => stream.resume());
    response.on('close', () => stream.abandon());
    response.on('timeout', () => {
      if (!stream.expire()) response.destroy();
    });
    request.on(bodyRefused, (error: PublicError) => stream.stop(error));
    request.on('data', (chunk: Buffer) => stream.push(chunk));
    request.on('end', () => stream.finish());
    request.on('error', () => {});
    // What came with the head may be malformed.
    const refused = refusedBody(request);
    if (refused !== null) setImmediate(() => stream.stop(refused));
  }

  get unwritten(): number {
    return this.#response.writableLength;
  }

  read(more: boolean): void {
    if (more === this.#reads) return;
    this.#reads = more;
    if (more) this.#request.resume();
    else this.#request.pause();
  }

  write(results: string): void {
    // As many bytes as characters: ASCII, which needs no encoding.
    const isAscii = Buffer.byteLength(results) === results.length;
    this.#response.write(results, isAscii ? 'latin1' : 'utf8');
  }

  end(): void {
    this.#response.end();
  }

  /** Ends the connection with the answer: the rest of the body would be read for as long as it comes. */
  close(): void {
    const { socket } = this.#request;
    this.#request.removeAllListeners('data');
    this.#response.once('finish', () => endGently(socket));
    this.#response.end();
  }
}
