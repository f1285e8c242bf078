import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bodyLost, refuseBody } from '../body/read.ts';
import { PublicError } from '../errors.ts';
import { httpLimits } from './limits.ts';
import { isOpenEnded } from './open-ended.ts';
import { endGently, sendRawError } from './raw-answer.ts';

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The requests of one connection of Node's HTTP server, one at a time and in order: a request begins when the answer before it has left.
 * So an error about the bytes behind them is written after all answers under way, nothing behind a refusal that ends the connection is
 * done, and a caller that does not read gets nothing more to read (docs/decisions/0075, 0200).
 */
export class Pipeline {
  readonly #socket: Socket;
  readonly #serve: Serve;
  #running: ServerResponse | null = null;
  readonly #waiting: ServerResponse[] = [];
  #last: ServerResponse | null = null;
  /** What is done once the answers under way have left. Set: nothing more is taken. */
  #ending: (() => void) | null = null;
  #paused = false;

  constructor(socket: Socket, serve: Serve) {
    this.#socket = socket;
    this.#serve = serve;
  }

  /** Of an answer that is made, some bytes are still with us. */
  get unwritten(): boolean {
    return this.#running?.writableEnded === true && !this.#running.writableFinished;
  }

  /** The request whose body is arriving has no time to arrive in. */
  get isOpenEnded(): boolean {
    return this.#last !== null && isOpenEnded(this.#last.req);
  }

  take(response: ServerResponse): void {
    if (this.#ending !== null) return;
    this.#last = response;
    if (this.#running === null) {
      this.#begin(response);
      return;
    }
    if (this.#waiting.length + 1 < httpLimits.pipelinedRequests) {
      this.#waiting.push(response);
      // What was read already still comes.
      if (this.#waiting.length >= httpLimits.pipelinedRequests / 2) this.#pause();
      return;
    }
    this.#pause();
    this.#end(() => {
      sendRawError(this.#socket, new PublicError('overloaded'));
      this.#socket.destroySoon();
    });
  }

  /** Node's parser cannot continue. null: no answer. */
  fail(error: PublicError | null): void {
    if (this.#ending !== null) return;
    const last = this.#last;
    const isOfLast = last !== null && !last.req.complete;
    // A request gets one answer: where its own body is malformed the error is that answer, unless it has another.
    if (isOfLast) refuseBody(last.req, error ?? new PublicError('malformed_http'));
    const socket = this.#socket;
    if (isOfLast && socket.readableEnded) last.req.emit(bodyLost);
    forgetEnd(socket);
    this.#pause();
    this.#end(() => {
      this.#resume();
      if (isOfLast || error === null) endGently(socket);
      else sendRawError(socket, error);
    });
  }

  /** The connection leaves Node's server. */
  leave(begin: () => void): void {
    const socket = this.#socket;
    // Node reads no more of it, and has taken its own listener of errors away.
    socket.off('resume', this.#onResume);
    const onError = () => socket.destroy();
    socket.on('error', onError);
    this.#end(() => {
      socket.off('error', onError);
      begin();
    });
  }

  #begin(response: ServerResponse): void {
    this.#running = response;
    response.once('close', this.#onAnswered);
    this.#serve(response.req, response);
  }

  readonly #onAnswered = (): void => {
    // Connections take turns: the next request begins in the next turn of the event loop.
    if (this.#waiting.length > 0) setImmediate(this.#goOn);
    else this.#goOn();
  };

  readonly #goOn = (): void => {
    this.#running = null;
    // The answer ended the connection, or the caller did.
    if (!this.#socket.writable) {
      this.#waiting.length = 0;
      this.#ending = nothing;
      return;
    }
    const next = this.#waiting.shift();
    if (next !== undefined) {
      this.#begin(next);
    } else if (this.#ending !== null) {
      this.#ending();
    }
    if (this.#ending === null && this.#waiting.length < httpLimits.pipelinedRequests / 4) this.#resume();
  };

  #end(ending: () => void): void {
    this.#ending = ending;
    if (this.#running === null) ending();
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#socket.on('resume', this.#onResume).pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket.off('resume', this.#onResume).resume();
  }

  /** Node resumes a socket with every request whose body has been read. */
  readonly #onResume = (): void => {
    this.#socket.pause();
  };
}

/** Where the other side has ended, Node ends the connection with the answer under way; but the error comes behind it. */
function forgetEnd(socket: Socket): void {
  for (const listener of socket.listeners('end') as (() => void)[])
    if (listener.name === 'bound socketOnEnd') socket.off('end', listener);
}

function nothing(): void {}
