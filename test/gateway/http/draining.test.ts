import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { RawClient } from '../support/raw-client.ts';

/** A balancer needs some time to notice that a gateway leaves. Here it has as long as the test wants. */
const drainWaitMs = 30_000;

let gateway: TestGateway;
let stopped: Promise<void> | undefined;
let endWait: () => void;

async function start(): Promise<string> {
  gateway = await startTestGateway({
    drainWaitMs,
    after(delayMs, task) {
      if (delayMs === drainWaitMs) {
        endWait = task;
        return () => {};
      }
      const timer = setTimeout(task, delayMs);
      return () => clearTimeout(timer);
    },
  });
  return gateway.serviceToken();
}

afterEach(async () => {
  endWait?.();
  await stopped;
});

function contribution(token: string, key: string): string {
  const body = JSON.stringify({
    token: 'session',
    brand_id: 'main',
    player_id: 'p',
    player_country: 'DE',
    base_wager: 1,
    currency: 'EUR',
    idempotency_key: key,
  });
  return [
    'POST /v1/jackpot/instances/gold/contributions HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

const refused = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });

test('a gateway that leaves serves until balancers have noticed, and then takes no connections', async () => {
  const token = await start();
  const { port } = gateway;
  const [before, idle] = [new RawClient(port), new RawClient(port)];
  for (const client of [before, idle]) {
    client.send(contribution(token, `before-${client === idle}`));
    expect(await client.answers(1)).toEqual([200]);
    expect(client.text).not.toContain('Connection: close');
  }
  expect((await gateway.call('GET', '/readyz')).status).toBe(200);

  stopped = gateway.stop();
  const probe = await gateway.call('GET', '/readyz');
  expect([probe.status, probe.json.code]).toEqual([503, 'shutting_down']);
  expect((await gateway.call('GET', '/livez')).status).toBe(200);
  before.send(contribution(token, 'leaving'));
  expect(await before.ending()).toEqual(['200', '200']);
  expect(before.text.match(/Connection: close/g)).toHaveLength(1);
  const late = new RawClient(port);
  late.send(contribution(token, 'new connection'));
  expect(await late.ending()).toEqual(['200']);
  const lookup = await gateway.call('GET', '/v1/jackpot/instances/gold/ticker');
  expect([lookup.status, lookup.headers.connection]).toEqual([200, 'close']);
  expect(gateway.commands).toHaveLength(4);

  endWait();
  await expect.poll(() => refused(port)).toBe(true);
  expect(await idle.ending()).toEqual(['200']);
  await stopped;
});

test('a contribution that is under way when the wait ends is answered', async () => {
  const token = await start();
  const respond = gateway.respond;
  let answer = (): void => {};
  gateway.respond = (command) =>
    new Promise((resolve) => {
      answer = () => resolve(respond(command) as never);
    });
  stopped = gateway.stop();
  const client = new RawClient(gateway.port);
  client.send(contribution(token, 'slow'));
  await expect.poll(() => gateway.commands.length).toBe(1);
  endWait();
  await expect.poll(() => refused(gateway.port)).toBe(true);
  answer();
  expect(await client.ending()).toEqual(['200']);
  await stopped;
});
