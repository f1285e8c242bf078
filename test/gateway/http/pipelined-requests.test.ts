import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { operations } from '../../../src/gateway/operations/index.ts';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import { quiet, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { contribution, RawClient } from '../support/raw-client.ts';

const limit = httpLimits.pipelinedRequests;
const unusual = 'X-Odd: \u00e4';
const ticker = (header: string) =>
  `GET /v1/jackpot/instances/gold/ticker HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`;

let gateway: TestGateway;
let token: string;
/** Contributions whose lane has not answered yet; null: it answers at once. */
let held: (() => void)[] | null;

beforeEach(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
  held = null;
  gateway.respond = (command) => {
    if (held === null) return quiet(command);
    return new Promise<CommandOutcome>((resolve) => held!.push(() => resolve(quiet(command))));
  };
});
afterEach(() => gateway.stop());

const one = (key: string, header?: string) =>
  contribution(token, key, header === undefined ? {} : { extra: [header] });
const connectionOf = (bytes: string) => {
  const client = new RawClient(gateway.port);
  client.send(bytes);
  return client;
};

describe("on Node's server", () => {
  test('one request too many is refused behind all answers, and nothing behind it is done', async () => {
    held = [];
    const keys = Array.from({ length: limit + 5 }, (_, index) => `k${index}`);
    const client = connectionOf(keys.map((key) => one(key, unusual)).join(''));
    await client.until(() => held!.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(client.text).toBe('');
    for (let answered = 0; answered < limit; answered += 1) {
      await client.until(() => held!.length === 1);
      held.shift()!();
    }
    expect(await client.ending()).toEqual([...Array(limit).fill('200'), 'overloaded']);
    expect(client.text.split('HTTP/1.1 503')[1]).toContain('\r\nConnection: close\r\n');
    expect(gateway.commands.length).toBe(limit);
  });

  test('as many as may wait are all answered, again and again', async () => {
    const client = new RawClient(gateway.port);
    for (let round = 1; round <= 3; round += 1) {
      client.send(ticker(unusual).repeat(limit));
      expect(await client.answers(round * limit)).toHaveLength(round * limit);
    }
    expect(client.statuses()).toEqual(Array(3 * limit).fill(client.statuses()[0]));
    client.socket.destroy();
  });
});

test('on the fast path thousands wait as bytes and are answered in order, wherever packets are cut', async () => {
  const keys = Array.from({ length: 2_000 }, (_, index) => `k${index}`);
  const client = connectionOf(keys.map((key) => one(key)).join(''));
  expect(await client.answers(keys.length)).toEqual(Array(keys.length).fill(200));
  const players = gateway.commands.map((command) => command.kind === 'Contribute' && command.player);
  expect(players).toEqual(keys.map((key) => `player-${key}`));
  // The connection is the fast path's still: Node's server would refuse the sixty-fifth.
  client.send(ticker('Accept: */*').repeat(2 * limit));
  expect(await client.answers(keys.length + 2 * limit)).toHaveLength(keys.length + 2 * limit);
  client.socket.destroy();
}, 60_000);

describe.each([
  ['on the fast path', 'Accept: */*'],
  ["on Node's server", unusual],
])('%s', (_name, header) => {
  test('a connection with many requests takes turns with the others', async () => {
    const path = '/v1/jackpot/instances/{instance_id}/ticker';
    const served: string[] = [];
    const operation = operations.find((each) => each.path === path)!;
    const own = await startTestGateway({
      operations: [
        {
          ...operation,
          async handle({ params }) {
            served.push((params as { instance_id: string }).instance_id);
            return { status: 200, body: {} };
          },
        },
      ],
    });
    const many = new RawClient(own.port);
    const other = new RawClient(own.port);
    other.send(ticker(header));
    await other.answers(1);
    served.length = 0;
    // Both have arrived before the first of them is served: they are written in one turn.
    many.send(ticker(header).repeat(limit));
    other.send(ticker(header).replace('gold', 'other').repeat(2));
    await other.answers(3);
    await many.answers(limit);
    expect(served.filter((id) => id === 'gold')).toHaveLength(limit);
    expect(served.indexOf('other')).toBeLessThan(limit / 2);
    expect(served.lastIndexOf('other')).toBeLessThan(limit - 1);
    many.socket.destroy();
    other.socket.destroy();
    await own.stop();
  });
});
