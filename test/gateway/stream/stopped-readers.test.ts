import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { streamLimits } from '../../../src/gateway/stream/limits.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import { quiet, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { line, StreamClient, streamPath, textOf } from './stream-client.ts';

const readers = 50;
const patienceMs = 100_000;
/** Turns in which everything that was under way has come back. */
const settledTurns = 20;
/** What comes in before a stream says that it wants no more, and what Node reads ahead. */
const readAheadBytes = 256 * 1024;
/** Results that fill what the operating system keeps for a connection soon: the main instance, and twenty linked to it. */
const linked = 20;
const linkedResults = (command: Command): CommandOutcome => {
  const outcome = quiet(command);
  if (outcome.kind !== 'Contributed') return outcome;
  const [main] = outcome.results;
  const others = Array.from({ length: linked }, (_, index) => ({
    ...main!,
    instance: `linked-${index}`.padEnd(64, 'x'),
  }));
  return { ...outcome, results: [main!, ...others] };
};
const linkedLine = (ref: number) => line(ref, { options: { allow_linked_contributions: true } });

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const begun = channel('http.server.request.start');
const exchanges: Exchange[] = [];
const noted = (message: unknown): void => {
  const { request, response } = message as Exchange;
  if (request.url === streamPath) exchanges.push({ request, response });
};

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
  begun.subscribe(noted);
});
afterAll(async () => {
  begun.unsubscribe(noted);
  await gateway.stop();
});
beforeEach(() => {
  gateway.respond = linkedResults;
  gateway.commands.length = 0;
  exchanges.length = 0;
});

/** Bytes of a connection that are in this process: unread input, and results that nobody has taken. */
const bytesOf = ({ request, response }: Exchange): number =>
  request.readableLength + request.socket.readableLength + response.writableLength;

/** Writes lines for as long as they are taken, and reads nothing. */
function flood(): Socket {
  const socket = connect({ port: gateway.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.pause();
  socket.write(
    [
      `POST ${streamPath} HTTP/1.1`,
      'Host: a',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/x-ndjson',
      'Transfer-Encoding: chunked',
      '',
      '',
    ].join('\r\n'),
  );
  const lines = textOf(Array.from({ length: 100 }, (_, index) => linkedLine(index)));
  const piece = Buffer.from(`${lines.length.toString(16)}\r\n${lines}\r\n`);
  const write = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', write);
  write();
  return socket;
}

/** Until nobody's results are taken any more; the most bytes that one connection had. */
async function stalled(): Promise<number> {
  const deadline = performance.now() + patienceMs;
  let maxBytes = 0;
  const isStalled = ({ response }: Exchange) => response.writableLength > streamLimits.unwrittenBytes;
  for (let turns = 0; turns < settledTurns; ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    maxBytes = Math.max(maxBytes, ...exchanges.map(bytesOf));
    turns = exchanges.length === readers && exchanges.every(isStalled) ? turns + 1 : 0;
    if (performance.now() > deadline)
      throw new Error(`Unread: ${exchanges.map(({ response }) => response.writableLength)}`);
  }
  return maxBytes;
}

describe('readers who stop', () => {
  it('hold a bounded number of bytes each, and nobody else', async () => {
    const sockets = Array.from({ length: readers }, flood);
    const maxBytes = await stalled();
    const bound = streamLimits.unwrittenBytes + streamLimits.bytes + readAheadBytes;
    expect(maxBytes).toBeLessThanOrEqual(bound);
    // One who reads has all the room that there is.
    const before = gateway.commands.length;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    gateway.respond = async (command) => {
      await released;
      return quiet(command);
    };
    const reader = new StreamClient(gateway.port, { token });
    reader.sendLines(Array.from({ length: 3_000 }, (_, index) => line(index)));
    await reader.until(() => gateway.commands.length === before + streamLimits.lines);
    release();
    reader.end();
    expect(await reader.results()).toHaveLength(3_000);
    expect(gateway.commands).toHaveLength(before + 3_000);

    for (const socket of sockets) socket.destroy();
    await reader.until(() => gateway.openStreams() === 0);
  });
});
