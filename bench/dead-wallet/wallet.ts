/**
 * The wallet of a brand that is down, in a separate process: it knows every token, so contributions get as
 * far as they can, and treats everything that moves money as its mode says. Its first line of output is its
 * port; each line of input is a mode.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

export type WalletMode = 'healthy' | 'refusing' | 'hanging' | 'dripping';

const dripMs = 500;
const player = {
  id: 'load-player-1',
  token: 'session',
  currency: 'EUR',
  balance: 1_000,
  operator_id: 'bench',
  brand_id: 'bench:other',
  country: 'DE',
};
let mode: WalletMode = 'healthy';

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    if (request.url === '/authenticate') answer(response, player);
    else move(response);
  });
});

function move(response: ServerResponse): void {
  switch (mode) {
    case 'healthy':
      answer(response, { balance: 1_000, metadata: null });
      return;
    case 'refusing':
      response.socket?.resetAndDestroy();
      return;
    case 'hanging':
      return;
    case 'dripping': {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), dripMs);
      response.once('close', () => clearInterval(timer));
      return;
    }
  }
}

function answer(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body);
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  mode = line as WalletMode;
});
lines.once('close', () => process.exit(0));
