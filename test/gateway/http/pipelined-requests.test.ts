import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operations } from '../../../src/gateway/api/operations/index.ts';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import { quiet, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { contribution, RawClient } from '../support/raw-client.ts';

const many = 64;
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

test("on Node's server hundreds wait as bytes and are answered in order, one at a time", async () => {
  held = [];
  const keys = Array.from({ length: 3 * many }, (_, index) => `k${index}`);
  const client = connectionOf(keys.map((key) => one(key, unusual)).join(''));
  await client.until(() => held!.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(client.text).toBe('');
  expect(gateway.commands).toHaveLength(1);
  const release = held;
  held = null;
  release.shift()!();
  expect(await client.answers(keys.length)).toEqual(Array(keys.length).fill(200));
  const players = gateway.commands.map((command) => command.kind === 'Contribute' && command.player);
  expect(players).toEqual(keys.map((key) => `player-${key}`));
  client.send(ticker(unusual).repeat(many));
  expect(await client.answers(keys.length + many)).toHaveLength(keys.length + many);
  client.socket.destroy();
});

test('on the fast path thousands wait as bytes and are answered in order, wherever packets are cut', async () => {
  const keys = Array.from({ length: 2_000 }, (_, index) => `k${index}`);
  const client = connectionOf(keys.map((key) => one(key)).join(''));
  expect(await client.answers(keys.length)).toEqual(Array(keys.length).fill(200));
  const players = gateway.commands.map((command) => command.kind === 'Contribute' && command.player);
  expect(players).toEqual(keys.map((key) => `player-${key}`));
  client.socket.destroy();
});

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
    const busy = new RawClient(own.port);
    const other = new RawClient(own.port);
    other.send(ticker(header));
    await other.answers(1);
    served.length = 0;
    // Both have arrived before the first of them is served: they are written in one turn.
    busy.send(ticker(header).repeat(many));
    other.send(ticker(header).replace('gold', 'other').repeat(2));
    await other.answers(3);
    await busy.answers(many);
    expect(served.filter((id) => id === 'gold')).toHaveLength(many);
    expect(served.indexOf('other')).toBeLessThan(many / 2);
    expect(served.lastIndexOf('other')).toBeLessThan(many - 1);
    busy.socket.destroy();
    other.socket.destroy();
    await own.stop();
  });
});
