import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorOfParser } from './client-error.ts';
import { Pipeline, type Serve } from './pipeline.ts';

/** The connections of Node's HTTP server on which something was asked. */
export class Pipelines {
  readonly #serve: Serve;
  readonly #open = new Map<Socket, Pipeline>();

  constructor(serve: Serve) {
    this.#serve = serve;
  }

  /** Whether all that has been answered has been written, too. */
  get written(): boolean {
    for (const pipeline of this.#open.values()) if (pipeline.unwritten) return false;
    return true;
  }

  take(response: ServerResponse): void {
    this.#of(response.req.socket).take(response);
  }

  /** What Node's parser refuses, and what takes too long to arrive. */
  fail(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') socket.destroy();
    // Node's time for requests counts from their head on, and is asked once for each.
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && this.#of(socket).isOpenEnded) return;
    else this.#of(socket).fail(errorOfParser(error.code));
  }

  /** Does something else with a connection, once its answers have left. */
  leave(socket: Socket, begin: () => void): void {
    this.#of(socket).leave(() => {
      this.#open.delete(socket);
      begin();
    });
  }

  #of(socket: Socket): Pipeline {
    let pipeline = this.#open.get(socket);
    if (pipeline === undefined) {
      pipeline = new Pipeline(socket, this.#serve);
      this.#open.set(socket, pipeline);
      socket.once('close', () => this.#open.delete(socket));
    }
    return pipeline;
  }
}
