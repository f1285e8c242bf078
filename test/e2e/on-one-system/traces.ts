import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, startReceiver, type TestReceiver } from '../../outbox/support/receiver.ts';
import type { CollectedSpan, TestCollector } from '../../support/collector.ts';
import { collectorOfOneSystem, oneSystem, payingOperatorOfOneSystem } from '../../support/one-system.ts';
import { loggedIn } from '../../support/operator-client.ts';
import { type PayingOperator, payingOwner } from '../../support/paying-operator.ts';
import type { RunningSystem } from '../../support/system.ts';

/** Traces of a running system: every process sends its spans to the same collector. */
let system: RunningSystem;
let collector: TestCollector;
let operator: PayingOperator;
let receiver: TestReceiver;
let token: string;

beforeAll(async () => {
  [system, collector, receiver] = await Promise.all([oneSystem(), collectorOfOneSystem(), startReceiver()]);
  operator = await payingOperatorOfOneSystem();
  const body = { operator_id: payingOwner, origin: receiver.origin };
  await operator.administrator.call('POST', '/config/webhook-origins', body);
  const service = { username: 'payers-service', password: 'a long and good one' };
  token = await loggedIn(`${system.baseUrl}/v1/auth/service`, service);
}, 240_000);
afterAll(async () => {
  await receiver?.stop();
});

interface Caller {
  readonly traceId: string;
  readonly spanId: string;
}

async function contribute(caller: Caller, flags: string, body: object): Promise<number> {
  const answer = await fetch(`${system.baseUrl}/v1/jackpot/instances/${operator.instance}/contributions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      traceparent: `00-${caller.traceId}-${caller.spanId}-${flags}`,
    },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  return answer.status;
}

const caller = (): Caller => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
});

function spansOf({ traceId }: Caller): readonly CollectedSpan[] {
  return collector.spans.filter((span) => span.traceId === traceId);
}

const nameOf = ({ service, name }: CollectedSpan): string => `${service}: ${name}`;

function holdsAll(names: readonly string[], expected: readonly string[]): boolean {
  const countOf = (of: readonly string[], name: string): number =>
    of.filter((other) => other === name).length;
  return expected.every((name) => countOf(names, name) >= countOf(expected, name));
}

const route = 'POST /v1/jackpot/instances/{instance_id}/contributions';

/** Each span hangs on the caller's, or on another one of the trace; roles send theirs in any order. */
async function expectConnected(from: Caller): Promise<void> {
  const unconnected = (): CollectedSpan[] => {
    const spans = spansOf(from);
    const known = new Set([from.spanId, ...spans.map((span) => span.spanId)]);
    return spans.filter(({ parentSpanId }) => !known.has(parentSpanId));
  };
  await eventually(() => unconnected().length === 0, 'every span has its parent');
  const ids = spansOf(from).map((span) => span.spanId);
  expect(new Set(ids).size).toBe(ids.length);
}

test('a contribution that its player pays is one trace through gateway, actors and wallet', async () => {
  const from = caller();
  expect(await contribute(from, '01', operator.contribution(1, 'traced-1'))).toBe(200);
  const expected = [
    `potstream-gateway: ${route}`,
    'potstream-gateway: store command',
    'potstream-wallet: wallet W1',
    'potstream-wallet: wallet W3',
    // The contribution, and what the wallet said of its debit.
    'potstream-actors: apply command',
    'potstream-actors: apply command',
    'potstream-actors: store outcome',
    'potstream-actors: store outcome',
  ];
  // Every tenth contribution wins, and then the credit's spans can come before those of another role.
  await eventually(() => holdsAll(spansOf(from).map(nameOf), expected), 'every span arrives');
  const spans = spansOf(from);
  await expectConnected(from);
  const root = spans.find(({ name }) => name === route)!;
  expect(root.parentSpanId).toBe(from.spanId);
  expect(root.attributes).toMatchObject({
    'http.route': '/v1/jackpot/instances/{instance_id}/contributions',
    'http.response.status_code': 200,
    'potstream.operation': 'O8',
  });
  const outcomes = spans.filter(({ name }) => name === 'apply command');
  expect(outcomes.map(({ attributes }) => attributes['potstream.outcome'])).toEqual(
    expect.arrayContaining(['Pending', 'Settled']),
  );
});

test('the log lines of each role about a sampled request have its trace', async () => {
  const from = caller();
  expect(await contribute(from, '01', operator.contribution(4, 'traced-5'))).toBe(200);
  const linesOf = (role: string): string =>
    readFileSync(join(system.dataDirectory, 'logs', `${role}.log`), 'utf8');
  for (const role of ['gateway', 'actors', 'wallet'])
    await eventually(() => linesOf(role).includes(`"trace_id":"${from.traceId}"`), `the lines of ${role}`);
});

test('a callback is in the trace of its contribution, and its receiver gets the trace', async () => {
  const from = caller();
  const callback = { web_hook: `${receiver.origin}/results`, win_result_only: false };
  expect(await contribute(from, '01', { ...operator.contribution(2, 'traced-2'), callback })).toBe(200);
  await receiver.until(1);
  const isDelivery = ({ name }: CollectedSpan): boolean => name === 'deliver callback';
  await eventually(() => spansOf(from).some(isDelivery), 'the delivery arrives');
  await eventually(
    () => spansOf(from).filter(({ name }) => name === 'store outcome').length >= 2,
    'the outcomes arrive',
  );
  const spans = spansOf(from);
  await expectConnected(from);
  const delivery = spans.find(isDelivery)!;
  expect(delivery.service).toBe('potstream-outbox');
  expect(receiver.received[0]!.headers.traceparent).toBe(`00-${from.traceId}-${delivery.spanId}-01`);
});

test('requests that are not sampled leave nothing, whatever their header says', async () => {
  const unsampled = caller();
  expect(await contribute(unsampled, '00', operator.contribution(3, 'traced-3'))).toBe(200);
  const sampled = caller();
  expect(await contribute(sampled, '01', operator.contribution(3, 'traced-4'))).toBe(200);
  await eventually(() => spansOf(sampled).length > 0, 'the next one arrives');
  expect(spansOf(unsampled)).toEqual([]);
});

test('spans have only attributes of the closed list, and none of a caller', () => {
  const text = collector.bodies.join('\n');
  for (const value of ['token-p', '"p1"', 'traced-1', token, 'a long and good one', receiver.origin])
    expect(text).not.toContain(value);
  expect(collector.headers[0]).toMatchObject({ 'api-key': 'key-of-the-collector' });
});
