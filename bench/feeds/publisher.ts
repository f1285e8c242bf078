/** The yardstick of the fan-out: a server that does nothing but publish one text to all its sockets. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { openEngine } from '../../src/fanout/engines/open-engine.ts';
import { answerCalls } from './remote.ts';

export type Publisher = {
  listen(input: null): Promise<{ readonly port: number; readonly engine: string }>;
  /** Publishes the frame so often, evenly. */
  publish(input: { readonly frame: string; readonly times: number; readonly everyMs: number }): Promise<void>;
};

const topic = 'all';
const bare = process.argv[2] === 'ws' ? plainWs() : engineOf();

answerCalls({
  listen: () => bare.listen(),
  async publish({ frame, times, everyMs }) {
    for (let n = 0; n < times; n += 1) {
      bare.publish(Buffer.from(frame));
      await pause(everyMs);
    }
  },
} satisfies Publisher);

/** uWebSockets.js alone; where it cannot be loaded, ws under the same interface. */
function engineOf() {
  const { server } = openEngine<null>('auto');
  return {
    publish: (frame: Buffer) => server.publish(topic, frame),
    async listen() {
      const port = await server.listen(
        {
          routes: [
            {
              path: '/all',
              admit: async () => ({ kind: 'accepted', data: null }),
              opened: (socket) => void socket.subscribe(topic),
              message() {},
              dropped() {},
              drained() {},
              closed() {},
            },
          ],
          otherwise: () => ({ status: 404, reason: 'Not Found', headers: [], body: '' }),
          maxMessageBytes: 8_192,
          maxBackpressureBytes: 65_536,
          idleTimeoutSeconds: 60,
        },
        '127.0.0.1',
        0,
      );
      return { port, engine: server.name };
    },
  };
}

/** The broadcast of ws' own README. */
function plainWs() {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
  return {
    publish(frame: Buffer) {
      for (const socket of sockets.clients)
        if (socket.readyState === socket.OPEN) socket.send(frame, { binary: false });
    },
    listen: () =>
      new Promise<{ port: number; engine: string }>((resolve) => {
        http.listen(0, '127.0.0.1', () =>
          resolve({ port: (http.address() as AddressInfo).port, engine: 'ws' }),
        );
      }),
  };
}
