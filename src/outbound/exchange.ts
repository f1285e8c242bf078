import { isUtf8 } from 'node:buffer';
import type { Dispatcher } from 'undici';
import { NoAnswer } from './checked-addresses.ts';
import type { Connections } from './connections.ts';

/** `text` null: longer than `answerBytes`. A redirect is an answer like others, and is not followed. */
export interface EndpointAnswer {
  readonly status: number;
  readonly text: string | null;
}

interface ExchangeLimits {
  /** From the request to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly answerBytes: number;
}

/**
 * One request and its answer as text, without the stream of undici's `request` and without a signal, which
 * would live on until its time has passed.
 * @throws NoAnswer, and what undici throws
 */
export function exchange(
  connections: Connections,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<EndpointAnswer> {
  return new Promise((resolve, reject) => {
    const answering = new Exchange(limits, resolve, reject);
    connections.request((client) => {
      const released = (): void => connections.release(client);
      if (answering.isOver) released();
      else client.dispatch(request, answering.on(released));
    });
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #answerBytes: number;
  readonly #resolve: (answer: EndpointAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  /** Null until the request is on a connection. */
  #controller: Dispatcher.DispatchController | null = null;
  /** Why the caller does not wait any more. */
  #over: Error | null = null;
  /** For a connection that is free. */
  #isWaiting = true;
  #released = () => {};

  constructor(
    { timeoutMs, answerBytes }: ExchangeLimits,
    resolve: (answer: EndpointAnswer) => void,
    reject: (error: Error) => void,
  ) {
    this.#answerBytes = answerBytes;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#abort(new NoAnswer('No answer in time.')), timeoutMs);
  }

  get isOver(): boolean {
    return this.#over !== null;
  }

  /** `released`: called once, when the connection takes the next request. */
  on(released: () => void): this {
    this.#released = released;
    this.#isWaiting = false;
    return this;
  }

  /** A request that got its connection too late is not sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over === null) this.#controller = controller;
    else controller.abort(this.#over);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#answerBytes) {
      this.#chunks.push(chunk);
      return;
    }
    this.#resolve({ status: this.#status, text: null });
    this.#abort(new NoAnswer('The answer is too long.'));
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    const [first, ...more] = this.#chunks;
    const bytes = first === undefined || more.length > 0 ? Buffer.concat(this.#chunks) : first;
    // What is not UTF-8 says nothing: read anyway, two of its names could be one.
    this.#resolve({ status: this.#status, text: isUtf8(bytes) ? bytes.toString('utf8') : '' });
    this.#released();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#timer);
    this.#reject(error);
    this.#released();
  }

  /** While a connection is made, its own time limit ends the request, and says why. */
  #abort(error: Error): void {
    clearTimeout(this.#timer);
    this.#over = error;
    if (this.#isWaiting) this.#reject(error);
    else this.#controller?.abort(error);
  }
}
