import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWebhook } from '../../../sdk/src/index.ts';
import { firstArrivals, readEvents, type SentEvent } from '../../outbox/events/support.ts';
import { eventually, startReceiver, type TestReceiver } from '../../outbox/support/receiver.ts';
import {
  type Administrator,
  administratorOf,
  instanceOf,
  practiceInstance,
} from '../../sdk/support/practice.ts';
import { oneSystem } from '../../support/one-system.ts';
import { loggedIn, OperatorClient } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

/** Events of a whole running system, as an operator's server and its developer meet them. */
let system: RunningSystem;
let receiver: TestReceiver;
let developer: TestReceiver;
let administrator: Administrator;
let operator: OperatorClient;
let instance: string;
let listening: ChildProcess | null = null;
const user = { username: 'demo-events', password: 'a very long password' };
const secret = 'a secret of the operator';
const repository = resolve(import.meta.dirname, '../../..');

beforeAll(async () => {
  [system, receiver, developer] = await Promise.all([oneSystem(), startReceiver(), startReceiver()]);
  administrator = await administratorOf(system);
  operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
  instance = await practiceInstance(administrator);
  await administrator.call('POST', '/config/webhook-origins', {
    operator_id: 'demo',
    origin: receiver.origin,
  });
  const rights = ['webhooks'];
  await administrator.call('POST', '/config/service-users', { ...user, operator_id: 'demo', rights });
  const token = await loggedIn(`${system.baseUrl}/v1/auth/service`, user);
  const call = (method: string, path: string, body: object) =>
    fetch(system.baseUrl + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const signature = { operator_id: 'demo', secret_key: secret };
  expect((await call('PUT', '/v1/webhooks/signature', signature)).status).toBe(200);
  const subscription = {
    url: `${receiver.origin}/events`,
    event_types: ['WinEvent', 'InstanceStatusEvent', 'PayoutEvent', 'MustDropEvent'],
  };
  expect((await call('POST', '/v1/webhooks/subscriptions', subscription)).status).toBe(201);
}, 240_000);
afterAll(async () => {
  listening?.kill();
  await Promise.all([receiver?.stop(), developer?.stop()]);
});

const contribution = {
  token: 'session',
  brand_id: 'demo:direct',
  player_country: 'DE',
  base_wager: 10,
  currency: 'EUR',
};
let players = 0;
async function win(count: number): Promise<void> {
  for (let each = 0; each < count; each += 1) {
    players += 1;
    const answer = await operator.contribute(instance, { ...contribution, player_id: `winner-${players}` });
    expect(answer.status).toBe(200);
  }
}
const pause = async (status: 'Paused' | 'Active') =>
  administrator.call('POST', `/config/instances/${instance}/status`, { status, reason: 'test' });
const bodies = ({ received }: TestReceiver) => received.map(({ body }) => body);
const wins = (of: TestReceiver): SentEvent[] =>
  readEvents(bodies(of)).filter(
    ({ event_type, instance_id }) => event_type === 'WinEvent' && instance_id === instance,
  );
const counted = (of: TestReceiver) => firstArrivals(bodies(of), instance).filter((seq) => seq !== null);
const isGapless = (numbers: readonly number[]) =>
  numbers.every((number, index) => index === 0 || number === numbers[index - 1]! + 1);

test('wins and statuses of an instance arrive in order, signed, with the payments beside them', async () => {
  await win(3);
  await pause('Paused');
  await pause('Active');
  await win(2);
  await eventually(() => wins(receiver).length >= 5, 'five wins');
  const numbers = counted(receiver);
  expect(isGapless(numbers)).toBe(true);
  const { body, headers } = receiver.received.find((each) => each.body.includes('"WinEvent"'))!;
  expect(verifyWebhook(body, headers, secret)).toMatchObject({
    event_type: 'WinEvent',
    operator_id: 'demo',
    brand_id: 'demo:direct',
    player_id: expect.stringContaining('winner-'),
    data: { win_amount: expect.stringMatching(/^[0-9.]+$/) },
  });
});

test('a pot that must drop soon is told of', async () => {
  const template = JSON.parse(readFileSync(join(repository, 'examples/every-time.json'), 'utf8'));
  const [pot] = template.pots;
  const pot_types = [{ Threshold: { min_value: 19.5, max_value: 20 } }];
  const pots = [{ ...pot, pot_types, maximum_pot_value: 20, seed_contribution: { Percentage: 0 } }];
  const id = await instanceOf(administrator, { ...template, id: 'must-drop', pots }, 'Must drop');
  // 0.05 × 0.9 of it, beside the 5 of the seed.
  const answer = await operator.contribute(id, { ...contribution, player_id: 'patient', base_wager: 300 });
  expect(answer.status).toBe(200);
  const warnings = () =>
    readEvents(bodies(receiver)).filter(({ event_type }) => event_type === 'MustDropEvent');
  await eventually(() => warnings().length > 0, 'the warning');
  expect(warnings()[0]).toMatchObject({
    instance_id: id,
    data: { pot_id: pot.id, current_value: 18.5, max_value: 20 },
  });
});

test('kill -9 of the outbox loses none and overtakes none', async () => {
  const before = wins(receiver).length;
  await win(5);
  await system.kill('outbox');
  await win(5);
  await eventually(() => new Set(wins(receiver).map(({ seq }) => seq)).size >= before + 10, 'all wins');
  expect(isGapless(counted(receiver))).toBe(true);
});

test('potstream listen forwards the events of a feed, also after its gateway was killed', async () => {
  const said = { out: '', err: '' };
  const words = [
    'listen',
    '--forward-to',
    `${developer.origin}/hook`,
    '--events',
    'WinEvent,InstanceStatusEvent',
  ];
  listening = spawn(process.execPath, [join(repository, 'bin/potstream'), ...words], {
    cwd: repository,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, POTSTREAM_DATA: system.dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const [name, stream] of [
    ['out', listening.stdout!],
    ['err', listening.stderr!],
  ] as const)
    stream.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const ended = new Promise<number | null>((done) => listening!.once('close', done));
  await eventually(() => said.err.includes('Ready'), `ready: ${said.err}`);
  const printed = /signed with (\S+)/.exec(said.err)![1]!;
  // Its subscription is in force once something comes.
  await eventually(async () => {
    await win(1);
    return wins(developer).length > 0;
  }, 'the first event');
  await system.kill('gateway');
  await system.ready();
  await win(3);
  const last = () => Math.max(...wins(developer).map(({ seq }) => seq ?? 0));
  const newest = () => Math.max(...wins(receiver).map(({ seq }) => seq ?? 0));
  await eventually(
    () => last() >= newest() && new Set(wins(developer).map(({ seq }) => seq)).size >= 4,
    'all',
  );
  expect(isGapless(counted(developer))).toBe(true);
  const { body, headers } = developer.received[0]!;
  const event = verifyWebhook(body, headers, printed) as SentEvent;
  expect(event).toMatchObject({ subscription_id: 'listen', event_type: 'WinEvent', instance_id: instance });
  const theirs = wins(receiver).find(({ seq }) => seq === event.seq)!;
  const own = JSON.parse(body) as SentEvent;
  expect({ ...own, event_id: '', subscription_id: '' }).toEqual({
    ...theirs,
    event_id: '',
    subscription_id: '',
  });
  expect(said.out).toContain(`--> WinEvent ${instance} [${event.event_id}]`);
  expect(said.out).toMatch(/<-- 204 in \d+ ms/);
  listening.kill('SIGINT');
  expect(await ended).toBe(0);
});
