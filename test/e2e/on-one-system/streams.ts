import { beforeAll, expect, test } from 'vitest';
import { type Line, StreamClient } from '../../gateway/stream/stream-client.ts';
import { oneSystem } from '../../support/one-system.ts';
import { AdministratorClient, loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

/** Contribution streams over real HTTP, log and actors, and gateways that end in the middle. */
let system: RunningSystem;
let administrator: AdministratorClient;
let token: string;
let instance: string;

beforeAll(async () => {
  system = await oneSystem();
  administrator = await AdministratorClient.login(system.baseUrl, system.credentials.admin);
  const lookup = await fetch(`${system.baseUrl}/v1/jackpot/instances/source/slot-1/brand/demo:main`);
  instance = ((await lookup.json()) as { id: string }).id;
  token = await loggedIn(`${system.baseUrl}/v1/auth/service`, system.credentials.service);
});

async function contributions(): Promise<number> {
  const { body } = await administrator.call('GET', `/config/instances/${instance}`);
  return (body as { total_contributions: number }).total_contributions;
}

const lines = (name: string, count: number): Line[] =>
  Array.from({ length: count }, (_, index) => ({
    ref: index + 1,
    target: { type: 'instance', id: instance },
    source: { type: 'gameround', id: `${name}-${index}` },
    operator_id: 'demo',
    player: { id: `${name}-${index % 50}`, token: 'session', country: 'DE', brand_id: 'direct' },
    base_wager: { currency: 'EUR', value: '1.00' },
    options: { idempotency_key: `${name}-${index}` },
  }));

const open = () => new StreamClient(Number(new URL(system.baseUrl).port), { token });

test('count each contribution once, also when it is sent again', async () => {
  const before = await contributions();
  const sent = lines('streamed', 3_000);
  const [first, again] = [open(), open()];
  for (const client of [first, again]) client.sendLines(sent);
  first.end();
  again.end();
  const results = [...(await first.results()), ...(await again.results())];
  expect(results).toHaveLength(6_000);
  const byRef = new Map<number, unknown[]>();
  let replays = 0;
  for (const { ref, results: each, replayed } of results) {
    byRef.set(ref, [...(byRef.get(ref) ?? []), each]);
    replays += replayed === true ? 1 : 0;
  }
  expect(replays).toBe(3_000);
  for (const [one, other] of byRef.values()) expect(one).toEqual(other);
  expect(await contributions()).toBe(before + 3_000);
});

test('of a gateway that is killed are resumed with the same keys', async () => {
  const before = await contributions();
  const sent = lines('killed', 2_000);
  const cut = open();
  cut.sendLines(sent);
  await cut.answered(200);
  await system.kill('gateway');
  await cut.until(() => cut.closed);
  await system.ready();
  const answered = new Set(cut.lines.map(({ ref }) => ref));
  const rest = open();
  rest.sendLines(sent.filter(({ ref }) => !answered.has(ref)));
  rest.end();
  for (const { ref } of await rest.results()) {
    expect(answered.has(ref)).toBe(false);
    answered.add(ref);
  }
  expect(answered.size).toBe(2_000);
  expect(await contributions()).toBe(before + 2_000);
});

test('of a gateway that stops go on at the line that it names, without a repeat', async () => {
  const before = await contributions();
  const sent = lines('drained', 400);
  const first = open();
  first.sendLines(sent.slice(0, 100));
  await first.answered(100);
  const stopped = system.kill('gateway', 'SIGTERM');
  first.sendLines(sent.slice(100, 200));
  const results = await first.results();
  const last = results.at(-1);
  expect(last).toMatchObject({ ref: null, error: { code: 'shutting_down' }, end: true });
  expect(
    results
      .slice(0, -1)
      .map(({ ref }) => ref)
      .toSorted((a, b) => a - b),
  ).toEqual(Array.from({ length: last.line - 1 }, (_, index) => index + 1));
  await stopped;
  await system.ready();
  const rest = open();
  rest.sendLines(sent.slice(last.line - 1));
  rest.end();
  expect((await rest.results()).filter(({ error, replayed }) => error ?? replayed)).toEqual([]);
  expect(await contributions()).toBe(before + 400);
});
