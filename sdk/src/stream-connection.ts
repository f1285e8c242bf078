import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { errorOf, noAnswer, type PotstreamError } from './errors.ts';
import { unexpected } from './stream-messages.ts';

export interface StreamTarget {
  readonly url: URL;
  readonly agent: Agent | undefined;
  readonly openTimeoutMs: number;
}

/** What happens on a connection. */
export interface ConnectionEvents {
  onText(text: string): void;
  /** More can be written. */
  onDrain(): void;
  /** It is over, once. */
  onOver(cause: PotstreamError): void;
}

const mediaType = 'application/x-ndjson';
const maxErrorBytes = 64 * 1024;
const lingerMs = 1_000;

/**
 * Opens a stream, and waits for the head of its answer: until then nothing is sent that could have an effect. `node:http`,
 * because `fetch` gives no answer before its body has ended.
 * @throws PotstreamError
 */
export function openConnection(
  { url, agent, openTimeoutMs }: StreamTarget,
  token: string,
  signal: AbortSignal,
): Promise<StreamConnection> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const headers = { authorization: `Bearer ${token}`, 'content-type': mediaType, accept: mediaType };
    const request = send(url, { method: 'POST', agent: agent ?? false, headers });
    const timer = setTimeout(() => {
      const hint = 'A proxy that collects requests has to pass them on at once.';
      request.destroy(new Error(`The stream was not opened within ${openTimeoutMs} ms. ${hint}`));
    }, openTimeoutMs);
    const abort = () => void request.destroy(new Error('The stream was ended.'));
    const fail = (error: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      request.destroy();
      reject(noAnswer(error));
    };
    signal.addEventListener('abort', abort, { once: true });
    request.on('error', fail);
    request.once('response', (response) => {
      if (response.statusCode !== 200) {
        refusalOf(response).then(fail, fail);
        return;
      }
      const { 'content-type': type = '' } = response.headers;
      if (!type.startsWith(mediaType)) {
        fail(unexpected('the type', type));
        return;
      }
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      request.off('error', fail);
      resolve(new StreamConnection(request, response));
    });
    request.flushHeaders();
    if (signal.aborted) abort();
  });
}

/** An open stream: text both ways at once. */
export class StreamConnection {
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  #isOver = false;

  constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.#response = response;
    // Without a listener an error would end the process.
    request.on('error', () => {});
    response.on('error', () => {});
  }

  start({ onText, onDrain, onOver }: ConnectionEvents): void {
    const over = (cause: PotstreamError) => {
      if (this.#isOver) return;
      this.#isOver = true;
      onOver(cause);
      this.#request.destroy();
    };
    this.#request.on('drain', onDrain);
    this.#request.on('error', (error) => over(noAnswer(error)));
    this.#response.on('error', (error) => over(noAnswer(error)));
    this.#response.once('end', () => over(noAnswer(new Error('The answer ended before its results.'))));
    this.#response.once('close', () => over(noAnswer(new Error('The connection was lost.'))));
    this.#response.setEncoding('utf8').on('data', onText);
    if (this.#response.destroyed) over(noAnswer(new Error('The connection was lost.')));
  }

  /** @returns whether more may be written before `onDrain` */
  write(text: string): boolean {
    return this.#request.write(text);
  }

  read(more: boolean): void {
    if (more) this.#response.resume();
    else this.#response.pause();
  }

  /** Nothing more will be sent, and all of it is answered. */
  finish(): void {
    if (this.#isOver) return;
    this.#request.end();
    this.#response.resume();
    const timer = setTimeout(() => this.#request.destroy(), lingerMs);
    this.#response.once('close', () => clearTimeout(timer));
  }

  destroy(cause: Error): void {
    this.#request.destroy(cause);
  }
}

async function refusalOf(response: IncomingMessage): Promise<PotstreamError> {
  let text = '';
  response.setEncoding('utf8');
  for await (const part of response) {
    text += part;
    if (text.length > maxErrorBytes) break;
  }
  const { statusCode: status = 502, headers } = response;
  const kept = Object.entries(headers).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  return errorOf({ status, headers: new Headers(kept) }, text);
}
