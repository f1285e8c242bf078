import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { retryEveryMs } from '../../base/limits.ts';
import type { HttpResponse, TemplatedApp } from './library.ts';

/**
 * An answer that is never finished, on a connection to ourselves. The engine closes one socket in two if a
 * later upgrade runs inside the cork of its own answer (uNetworking/uWebSockets#1929), and warns outside of
 * any cork. Inside the cork of another answer it does neither.
 */
export class UpgradeCork {
  readonly #path = `/${randomBytes(24).toString('hex')}`;
  #response: HttpResponse | null = null;
  #client: Socket | null = null;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /** Before the app listens. */
  serve(app: TemplatedApp): void {
    app.get(this.#path, (response) => {
      this.#response = response;
      response.onAborted(() => {
        if (this.#response === response) this.#response = null;
      });
    });
  }

  /** Once the app listens there. A port that is shared may lead elsewhere: then it is tried again. */
  open(host: string, port: number): void {
    const client = connect(port, host, () => {
      client.write(`GET ${this.#path} HTTP/1.1\r\nHost: anchor\r\n\r\n`);
    });
    // Whatever is answered, it was not ours.
    client.on('data', () => client.destroy());
    client.on('error', () => client.destroy());
    client.on('close', () => {
      if (!this.#closed) this.#retry = setTimeout(() => this.open(host, port), retryEveryMs);
    });
    client.unref();
    this.#client = client;
  }

  run(upgrade: () => void): void {
    if (this.#response === null) upgrade();
    else this.#response.cork(upgrade);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#client?.destroy();
  }
}
