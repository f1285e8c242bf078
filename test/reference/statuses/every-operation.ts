import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { GatewayContext, Operation } from '../../../src/gateway/api/operation/operation.ts';
import { operations } from '../../../src/gateway/api/operations/index.ts';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { everyRole, pathOf } from '../../gateway/api/tenancy/row.ts';
import { type Credential, copyOf, missingId, ownIds } from '../../gateway/api/tenancy/world.ts';
import { RawClient } from '../../gateway/support/raw-client.ts';
import { type Asking, operationOf, rowOf } from './asking.ts';
import { besides, startBeside } from './servers.ts';

const takesBody = ({ method }: Operation) => method !== 'GET';
/** It answers before its body has come, and waits for more of it. */
const isStream = ({ limits }: Operation) => limits?.stream === true;

/** What goes wrong before an operation sees its request, and what its caller may not. */
export async function askWrongly(asking: Asking): Promise<void> {
  const { world } = asking;
  await each(async (operation) => {
    const { may, names = [] } = rowOf(operation);
    const send = (changes: object) => asking.send({ operation, ...changes });
    await send({ headers: ['X-Timestamp', '1', 'X-Timestamp', '2'] });
    await send({ query: { long: 'a'.repeat(httpLimits.urlBytes) } });
    await send({ headers: Array.from({ length: 70 }, (_, at) => [`X-Field-${at}`, 'a']).flat() });
    if (takesBody(operation)) {
      await send({ headers: ['Content-Type', 'text/plain'], body: 'text' });
      await send({ body: '{"number":1e400}' });
      if (!isStream(operation))
        await send({ announcedBytes: (operation.limits?.bodyBytes ?? httpLimits.bodyBytes) + 1 });
    }
    if (may === 'anyone') return;
    await send({ caller: { name: 'nobody', username: '', headers: {} } });
    const missing = names.map((named) => ({ [named]: missingId(ownIds(world, '')[named]) }));
    for (const ids of missing) await send({ ids });
    if (operation.headers?.includes('If-Match') === true) await send({ headers: ['If-Match', '"999"'] });
    if (Array.isArray(may)) {
      const other = everyRole.find((role) => !may.includes(role));
      if (other !== undefined) await send({ caller: world.administrator(other, '*') });
    } else {
      const caller = world.service('acme:main');
      const { brand, owner } = world.things['acme:vip'];
      if (names.includes('brand')) await send({ caller, ids: { brand } });
      else if (names.includes('owner')) await send({ caller, ids: { owner } });
    }
  });
}

/** Requests that are right. */
export async function askRightly(asking: Asking): Promise<void> {
  for (const operation of operations) {
    const ids = ownIds(asking.world, asking.fresh());
    await asking.send({ operation, ids: (await rowOf(operation).prepare?.(asking.world, ids)) ?? {} });
  }
}

/** An operation that throws: a bug. */
export async function meetBugs(asking: Asking): Promise<void> {
  const broken = operations.map((operation) => ({
    ...operation,
    handle: () => Promise.reject(new Error('A bug of the test.')),
  }));
  await besides(asking.world, { operations: broken }, ({ port }) =>
    each((operation) => asking.send({ operation, port })),
  );
}

/** An operation that does not end in time, and contributions of whose outcome the log says nothing. */
export async function waitForever(asking: Asking): Promise<void> {
  let waiting = 0;
  const slow = operations.map((operation) =>
    operation.limits?.contribution === true
      ? operation
      : {
          ...operation,
          handle: () => {
            waiting += 1;
            return new Promise<never>(() => {});
          },
        },
  );
  const { context } = asking.world;
  const send = () => Promise.reject(new PublicError('outcome_unknown'));
  const unknown = { ...context, lanes: { ...context.lanes, send } } as GatewayContext;
  const isWaiting = ({ method, limits }: Operation) =>
    method !== 'GET' && limits?.contribution !== true && limits?.stream !== true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await besides(asking.world, { operations: slow, context: unknown }, async ({ port }) => {
      const asked = operations.filter((operation) => takesBody(operation) && !isStream(operation));
      const answers = asked.map((operation) => asking.send({ operation, port }));
      const deadlineMs = performance.now() + 120_000;
      while (waiting < operations.filter(isWaiting).length) {
        if (performance.now() > deadlineMs) throw new Error(`Only ${waiting} operations wait.`);
        await sleep(5);
      }
      vi.advanceTimersByTime(httpLimits.handlerTimeoutMs);
      await Promise.all(answers);
    });
  } finally {
    vi.useRealTimers();
  }
}

/** Callers who ask more often than they may. */
export async function askTooOften(asking: Asking): Promise<void> {
  const limits = { publicGetsPerSecond: 1, administratorWritesPerSecond: 1 };
  await besides(asking.world, limits, async ({ port }) => {
    for (const operation of operations.filter((each) => rowOf(each).endsTokens))
      await exhaust(asking, operation, port);
    for (const operation of operations) {
      for (let tries = 0; tries < 10 && !asking.reached(operation).has(429); tries += 1)
        if (mayBeLimited(operation))
          await asking.send({ operation, port, ...asAFrontend(asking, operation) });
    }
  });
}

/** Changes of others by one account, which the operation would end. */
async function exhaust(asking: Asking, operation: Operation, port: number): Promise<void> {
  const caller = await copyOf(asking.world, asking.callerOf(operation));
  const another = operationOf('PUT /auth/admin/password');
  for (let tries = 0; tries < 10; tries += 1) await asking.send({ operation: another, port, caller });
  await asking.send({ operation, port, caller });
}

/** Reads that a service makes are not counted. */
function asAFrontend({ world }: Asking, { authentication }: Operation): { caller?: Credential } {
  return authentication.kind === 'service_or_player' ? { caller: world.player } : {};
}

const mayBeLimited = ({ method, surface, authentication }: Operation) =>
  method === 'GET' ? surface !== 'operator' : 'action' in authentication || surface === 'frontend';

/** Bodies that do not come, on a server whose time goes by at once. */
export async function withholdBodies(asking: Asking): Promise<void> {
  const { context } = asking.world;
  let laterMs = 0;
  const clock = { ...context.clock, nowMs: () => context.clock.nowMs() + laterMs };
  await besides(asking.world, { context: { ...context, clock } }, async ({ port }) => {
    const half = operations.filter(takesBody).map((operation) => ({
      operation,
      client: open(asking, operation, port, 'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{'),
    }));
    await vi.waitFor(() => {
      laterMs += httpLimits.bodyTimeoutMs;
      if (half.some(({ client }) => client.statuses().length === 0)) throw new Error('Some wait yet.');
    }, 20_000);
    for (const { operation, client } of half) noteRaw(asking, operation, client);
  });
}

/** A gateway that shuts down, on connections that were there before. */
export async function askWhileItStops(asking: Asking): Promise<void> {
  let left: readonly Operation[] = operations;
  // On a busy machine the server may stop before it has read the beginning of some: those are asked again.
  for (let waitMs = 50; left.length > 0 && waitMs < 5_000; waitMs *= 2)
    left = await askOneThatStops(asking, left, waitMs);
  expect(left.map(({ id }) => id)).toEqual([]);
}

async function askOneThatStops(
  asking: Asking,
  asked: readonly Operation[],
  waitMs: number,
): Promise<readonly Operation[]> {
  const server = await startBeside(asking.world, {});
  const begun = asked.map((operation) => ({ operation, client: new RawClient(server.port) }));
  // Of a request that has begun the server waits for the rest.
  for (const { operation, client } of begun) client.send(`${head(asking, operation)}\r\n`);
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  const stopped = server.stop();
  for (const { client } of begun) client.send('Connection: close\r\n\r\n');
  const left: Operation[] = [];
  for (const { operation, client } of begun) {
    await client.answers(1);
    if (client.statuses().length === 0) left.push(operation);
    else noteRaw(asking, operation, client);
  }
  await stopped;
  return left;
}

function open(asking: Asking, operation: Operation, port: number, rest: string): RawClient {
  const client = new RawClient(port);
  client.send(`${head(asking, operation)}\r\n${rest}`);
  return client;
}

function head(asking: Asking, operation: Operation): string {
  const target = pathOf(operation.path, rowOf(operation), ownIds(asking.world, asking.fresh()));
  const headers = { ...asking.callerOf(operation).headers, ...rowOf(operation).headers };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${operation.method} ${target} HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n');
}

function noteRaw(asking: Asking, operation: Operation, client: RawClient): void {
  const target = pathOf(operation.path, rowOf(operation), ownIds(asking.world, asking.fresh()));
  const [, , body = ''] = /\r\n\r\n()([\s\S]*)$/.exec(client.text) ?? [];
  const [status] = client.statuses();
  if (status === undefined) throw new Error(`No answer to ${operation.id}.`);
  asking.note(operation, target, { status, text: /\{[\s\S]*\}/.exec(body)?.[0] ?? '' });
  client.socket.destroy();
}

/** Sixteen at a time. */
async function each(task: (operation: Operation) => Promise<unknown>): Promise<void> {
  const left = [...operations];
  const worker = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await task(next);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
