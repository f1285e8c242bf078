import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operations } from '../../../src/gateway/api/operations/index.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { contribution, RawClient } from '../support/raw-client.ts';

let gateway: TestGateway;
let token: string;
beforeEach(async () => {
  gateway = await startTestGateway({ connectionsPerAddress: 10 });
  token = await gateway.serviceToken();
});
afterEach(() => gateway.stop());

const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));

describe('answers that nobody reads', () => {
  const path = '/v1/jackpot/instances/{instance_id}/ticker';
  const answerBytes = 300_000;
  const asked = 60;

  test.each([
    ['on the fast path', 'Accept: */*'],
    ["on Node's", 'X-Odd: \u00e4'],
  ])(
    'stop the reading of requests, %s',
    async (_name, header) => {
      let handled = 0;
      const ticker = operations.find((operation) => operation.path === path)!;
      const large = await startTestGateway({
        operations: [
          {
            ...ticker,
            async handle() {
              handled += 1;
              return { status: 200, body: 'x'.repeat(answerBytes) };
            },
          },
        ],
      });
      const client = new RawClient(large.port);
      client.socket.pause();
      for (let count = 0; count < asked; count += 1) {
        client.send(`GET ${path.replace('{instance_id}', 'gold')} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
        await pause(10);
      }
      while (handled === 0) await pause(10);
      await pause(300);
      // The kernel holds some; the gateway has made no more than it could hand over.
      expect(handled).toBeGreaterThan(0);
      expect(handled).toBeLessThan(asked);
      client.socket.resume();
      await client.until(() => client.text.length > asked * answerBytes);
      await client.until(() => handled === asked);
      expect(client.statuses()).toEqual(Array(asked).fill(200));
      client.socket.destroy();
      await large.stop();
    },
    60_000,
  );
});

describe('connections of one address', () => {
  /** A connection that was let in; null: there was no place. */
  async function another(): Promise<RawClient | null> {
    const client = new RawClient(gateway.port);
    client.send(contribution(token, 'a'));
    await client.until(() => client.text.includes('\r\n\r\n'));
    if (client.statuses()[0] === 200) return client;
    expect(await client.ending()).toEqual(['too_many_connections']);
    return null;
  }

  test('are so many and no more, whatever is asked on them', async () => {
    const offer = 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    const clients = Array.from({ length: 10 }, () => new RawClient(gateway.port));
    for (const client of clients) {
      // A connection that comes back from an offer of another protocol is the same one.
      client.send(offer + offer + offer);
      expect(await client.answers(3)).toEqual([200, 200, 200]);
    }
    const over = new RawClient(gateway.port);
    expect(await over.ending()).toEqual(['too_many_connections']);
    clients[0]!.socket.destroy();
    // Until the gateway has seen that it is gone, there is no place.
    let next = await another();
    while (next === null) next = await another();
    for (const client of [next, ...clients]) client.socket.destroy();
  });
});

test('no answer says what it is made by', async () => {
  const paths = ['/', '/livez', '/docs', '/v1/openapi.json', '/v1/currencies', '/v1/none', '/verify'];
  const answers = await Promise.all(paths.map((path) => gateway.call('GET', path).catch(() => null)));
  const posted = await gateway.call('POST', '/auth/admin', { text: '{' });
  const bad = await gateway.raw('garbage\r\n\r\n');
  const names = [...answers, posted].flatMap((answer) => Object.keys(answer?.headers ?? {}));
  for (const text of [...names, bad])
    expect(text).not.toMatch(/powered|^server|\r\nserver|via|fastify|node/i);
});
