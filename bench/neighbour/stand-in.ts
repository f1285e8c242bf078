/**
 * What the attacks are aimed at in the control: it answers at once and does no work, so the processor time
 * that remains is the attacking process's. Reads one JSON plan, a line; writes its port, a line; ends when
 * its standard input closes.
 */
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { WebSocketServer } from 'ws';
import { clientMessageBytes } from '../../src/contracts/feeds/feed.ts';

export interface StandInPlan {
  /** How long connections that do not read stay open; null: they do. */
  readonly deafForMs: number | null;
}

const lines = createInterface({ input: process.stdin });
const plan = JSON.parse(await new Promise<string>((resolve) => lines.once('line', resolve))) as StandInPlan;
lines.once('close', () => process.exit(0));

const http = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.end('{}'));
});
const feeds = new WebSocketServer({ noServer: true, maxPayload: clientMessageBytes });
http.on('upgrade', (request, socket, head) =>
  feeds.handleUpgrade(request, socket, head, (feed) => feed.on('error', () => {})),
);
const server = createNetServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('data', (first) => serve(socket, first));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

function serve(socket: Socket, first: Buffer): void {
  socket.pause();
  if (!first.toString('latin1', 0, 200).includes('/ticker HTTP/')) {
    socket.unshift(first);
    http.emit('connection', socket);
    socket.resume();
  } else if (plan.deafForMs !== null) {
    setTimeout(() => socket.destroy(), plan.deafForMs);
  }
}
