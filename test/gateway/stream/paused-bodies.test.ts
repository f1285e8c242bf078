import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { quiet, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { line, streamPath, textOf } from './stream-client.ts';

/** Bodies that the server stops and resumes, in packets of all sizes: more than one may wait before Node's parser, and none is forgotten. */

const packetSizes = [16_500, 40, 17_000, 900, 30, 66_000, 5, 3_000, 12_000, 1];
const lines = 4_000;
const patienceMs = 20_000;
let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
  // Longer than the packets take: the stream has all lines that it may have under way, and reads nothing.
  gateway.respond = async (command) => {
    await new Promise((resolve) => setTimeout(resolve, 15));
    return quiet(command);
  };
});
afterAll(() => gateway.stop());

it.each(Array.from({ length: 20 }, (_, first) => first))(
  'are read to their end, packet %i first',
  { timeout: 2 * patienceMs },
  async (first) => {
    const socket = connect({ port: gateway.port, host: '127.0.0.1', noDelay: true });
    const answer: Buffer[] = [];
    let last = '';
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      answer.push(bytes);
      last = (last + bytes.toString('latin1', Math.max(0, bytes.length - 5))).slice(-5);
      if (last === '0\r\n\r\n') end();
    });
    const body = Buffer.from(textOf(Array.from({ length: lines }, (_, index) => line(`${first}-${index}`))));
    const head = [
      `POST ${streamPath} HTTP/1.1`,
      'Host: a',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/x-ndjson',
      `Content-Length: ${body.length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    for (let at = 0, packet = first; at < body.length; packet += 1) {
      const size = packetSizes[packet % packetSizes.length] as number;
      socket.write(body.subarray(at, at + size));
      at += size;
      // Some come in a packet of their own, others together.
      for (let turn = 0; turn < (first * 7 + packet) % 9; turn += 1) await new Promise(setImmediate);
    }
    const late = setTimeout(end, patienceMs);
    await ended;
    clearTimeout(late);
    socket.destroy();
    // Chunks of HTTP begin between lines: a result may be followed by the size of the next one.
    expect(Buffer.concat(answer).toString('latin1').split('}\n').length - 1).toBe(lines);
  },
);
