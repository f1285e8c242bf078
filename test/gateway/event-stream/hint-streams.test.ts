import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdministratorRole } from '../../../src/contracts/accounts/users.ts';
import { eventStreamLimits as limits } from '../../../src/gateway/event-stream/limits.ts';
import type { CreditRecord } from '../../../src/messages/settlements.ts';
import { makeAdministrator } from '../../support/accounts.ts';
import { createInstance, furnish, startWorld, type World } from '../support/administration.ts';
import { RawClient } from '../support/raw-client.ts';

/** Hints that something has changed, for administrators' screens. docs/rules/http.md "Events for screens" */

const clock = { nowMs: 0 };
let world: World;
const clients: RawClient[] = [];
beforeEach(async () => {
  // Turns are the test's to take.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  clock.nowMs = Date.now();
  world = await startWorld({ nowMs: () => clock.nowMs });
  await furnish(world);
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.destroy();
  await world.stop();
  vi.useRealTimers();
});

const turn = () => vi.advanceTimersByTime(limits.hintsEveryMs);

/** A stream that is open, or an answer that refuses it. */
async function follow(headers: Readonly<Record<string, string>>, method = 'GET'): Promise<RawClient> {
  const client = new RawClient(world.port);
  clients.push(client);
  const fields = Object.entries({ Host: '127.0.0.1', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  client.send(`${method} /config/events HTTP/1.1\r\n${fields.join('')}\r\n`);
  await client.answers(1);
  if (client.statuses()[0] === 200 && method === 'GET')
    await client.until(() => client.text.includes('retry: '));
  return client;
}
const followAs = (token: string) => follow({ Authorization: `Bearer ${token}` });
type Event = readonly [kind: string, data: { readonly id?: string; readonly code?: string }];
const eventsOf = ({ text }: RawClient): readonly Event[] =>
  [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, kind = '', data = '']) => [
    kind,
    JSON.parse(data),
  ]);
const has = (client: RawClient, kind: string) => eventsOf(client).some(([of]) => of === kind);

/** A credit of a player of the brand has changed its state. */
const credited = (brand: string, transactionId: string) =>
  world.readModel.laneCredits([{ brand, transactionId } as CreditRecord]);

/** Everything that the stream was sent, once a last event of its own has come. */
async function allOf(client: RawClient, brand: string): Promise<readonly Event[]> {
  credited(brand, 'last');
  turn();
  await client.until(() => client.text.includes('"last"'));
  return eventsOf(client).slice(0, -1);
}

async function logIn(
  username: string,
  owners: readonly string[],
  roles: readonly AdministratorRole[] = ['viewer'],
): Promise<string> {
  await makeAdministrator(world.context, { username, roles, owners });
  const body = { username, password: 'a long password' };
  return (await world.call('POST', '/auth/admin', body, { token: '' })).json.token;
}

describe('an event stream of an administrator', () => {
  it('is one for browsers, which nothing between keeps back', async () => {
    const { text } = await followAs(await logIn('ada', ['acme']));
    expect(text).toContain('Content-Type: text/event-stream\r\n');
    expect(text).toContain('X-Accel-Buffering: no\r\n');
    expect(text).toContain('Cache-Control: no-store\r\n');
    expect(text).not.toContain('Access-Control');
    expect(Number(/retry: (\d+)\n\n/.exec(text)?.[1])).toBeGreaterThanOrEqual(limits.retryMs.from);
  });

  it('has what its caller may read of, and nothing of another one', async () => {
    const tokens = {
      acme: await logIn('ada', ['acme']),
      main: await logIn('bea', ['acme:main']),
      rival: await logIn('cyd', ['rival']),
      all: await logIn('dan', ['*']),
    };
    const streams = {
      acme: await followAs(tokens.acme),
      main: await followAs(tokens.main),
      rival: await followAs(tokens.rival),
      all: await followAs(tokens.all),
    };
    await world.call('PATCH', '/config/operators/acme', { four_eyes: { enabled: true } });
    const instance = await createInstance(world);
    const activation = { status: 'Active', reason: 'A test.' };
    const proposed = await world.call('POST', `/config/instances/${instance}/status`, activation);
    expect(proposed.status, proposed.text).toBe(202);
    credited('acme:main', 'one');
    credited('acme:vip', 'two');
    credited('rival:main', 'three');
    turn();
    const approval = ['approval', { id: proposed.json.id }];
    const created = ['instance', { id: instance }];
    const settled = (...ids: string[]) => ids.map((id) => ['settlement', { id }]);
    const expected = {
      acme: [created, approval, ...settled('one', 'two')],
      main: settled('one'),
      rival: settled('three'),
      all: [created, approval, ...settled('one', 'two', 'three')],
    };
    for (const [name, brand] of [
      ['acme', 'acme:main'],
      ['main', 'acme:main'],
      ['rival', 'rival:main'],
      ['all', 'rival:main'],
    ] as const) {
      const events = await allOf(streams[name], brand);
      // Each stream has the last ones of others, too, where it may.
      const own = events.filter(([, { id }]) => id !== 'last');
      expect(own.toSorted(byText), name).toEqual(expected[name].toSorted(byText));
    }
  });

  it('has lanes for who reads lanes alone', async () => {
    const operations = await followAs(await logIn('ops', ['*'], ['operations']));
    const others = [
      await followAs(await logIn('ada', ['*'], ['viewer', 'security'])),
      await followAs(await logIn('bob', ['acme'], ['operations'])),
    ];
    const heartbeat = { lane: 2, host: 'one', condition: 'serving', code: '' } as const;
    world.readModel.laneSignalled(heartbeat, 1_000);
    turn();
    await operations.until(() => has(operations, 'lane'));
    world.readModel.laneSignalled({ ...heartbeat, host: 'two' }, 2_000);
    // As it was.
    world.readModel.laneSignalled({ ...heartbeat, host: 'two' }, 2_100);
    turn();
    expect(await allOf(operations, 'acme:main')).toEqual([
      ['lane', { id: '2' }],
      ['lane', { id: '2' }],
    ]);
    for (const other of others) {
      await other.until(() => other.text.includes('"last"'));
      expect(has(other, 'lane')).toBe(false);
    }
  });

  it('says of one thing once a turn, and of many only that there are many', async () => {
    const stream = await followAs(await logIn('ada', ['acme']));
    for (let times = 0; times < 3; times += 1) credited('acme:main', 'one');
    turn();
    await stream.until(() => has(stream, 'settlement'));
    for (let at = 0; at < limits.hintIds; at += 1) {
      credited('acme:main', `main-${at}`);
      credited('acme:vip', `vip-${at}`);
    }
    turn();
    await stream.until(() => stream.text.includes('data: {}'));
    expect(await allOf(stream, 'acme:main')).toEqual([
      ['settlement', { id: 'one' }],
      ['settlement', {}],
    ]);
  });

  it('says something at least every 5 s', async () => {
    const stream = await followAs(await logIn('ada', ['acme']));
    for (let ms = 0; ms < 5_000; ms += limits.hintsEveryMs) {
      turn();
      // Each turn looks at the token first.
      await Promise.resolve();
    }
    await stream.until(() => stream.text.includes(':\n\n'));
    expect(eventsOf(stream)).toEqual([]);
  });
});

describe('it ends', () => {
  const ended = async (client: RawClient) => {
    turn();
    await client.until(() => client.text.endsWith('\r\n0\r\n\r\n'));
    return eventsOf(client);
  };

  it('with its token', async () => {
    const stream = await followAs(await logIn('ada', ['acme']));
    clock.nowMs += 15 * 60_000;
    expect(await ended(stream)).toEqual([['close', { code: 'token_expired' }]]);
  });

  it('with the session, the account and its rights, and says nothing more', async () => {
    const token = await logIn('ada', ['acme']);
    const stream = await followAs(token);
    expect((await world.call('DELETE', '/auth/admin/session', undefined, { token })).status).toBe(204);
    credited('acme:main', 'one');
    expect(await ended(stream)).toEqual([['close', { code: 'token_revoked' }]]);
    const other = await followAs(await logIn('bob', ['acme']));
    expect((await world.call('PATCH', '/config/users/bob', { owners: ['acme:main'] })).status).toBe(200);
    expect(await ended(other)).toEqual([['close', { code: 'token_revoked' }]]);
  });

  it('with its gateway', async () => {
    const stream = await followAs(await logIn('ada', ['acme']));
    const { stop } = world;
    await stop();
    world = { ...world, stop: async () => {} };
    expect(await ended(stream)).toEqual([['close', { code: 'shutting_down' }]]);
  });

  /** A megabyte a turn, which the client does not read: more than the sockets take, many times. */
  async function flood(client: RawClient, turns: number): Promise<void> {
    client.socket.pause();
    const long = 'x'.repeat(10_000);
    for (let at = 0; at < turns * limits.hintIds; at += 1) {
      credited('acme:main', `${long}${at}`);
      if (at % limits.hintIds > 0) continue;
      turn();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('not for a client that reads late, who learns that there was too much', async () => {
    const stream = await followAs(await logIn('ada', ['acme']));
    await flood(stream, 60);
    stream.socket.resume();
    await vi.waitFor(() => {
      turn();
      expect(stream.text).toMatch(/data: \{\}\n\n\r\n$/);
    });
    expect(stream.text.length).toBeLessThan(30_000_000);
  });

  it('where its client does not read for a minute', async () => {
    const stream = await followAs(await logIn('ada', ['acme']));
    await flood(stream, 60);
    for (let ms = 0; ms < limits.readWithinMs; ms += limits.hintsEveryMs) {
      turn();
      await new Promise((resolve) => setImmediate(resolve));
    }
    stream.socket.resume();
    await stream.until(() => stream.closed || stream.ended);
    expect(stream.text.endsWith('0\r\n\r\n')).toBe(false);
  });
});

describe('who may have one', () => {
  it('whoever shows a token or the cookie of a page of ours, and nobody else', async () => {
    const body = { username: 'ada', password: 'a long password' };
    await makeAdministrator(world.context, { username: 'ada', roles: ['viewer'], owners: ['acme'] });
    const own = { 'Sec-Fetch-Site': 'same-origin' };
    const begun = await world.call('POST', '/auth/admin/session', body, { token: '', headers: own });
    const Cookie = begun.headers.get('set-cookie')!.split(';')[0]!;
    const stream = await follow({ ...own, Cookie });
    credited('acme:main', 'one');
    turn();
    await stream.until(() => has(stream, 'settlement'));
    const statusOf = async (headers: Readonly<Record<string, string>>) => (await follow(headers)).outcomes();
    expect(await statusOf({ Cookie, 'Sec-Fetch-Site': 'cross-site' })).toEqual(['unauthenticated']);
    expect(await statusOf({})).toEqual(['unauthenticated']);
    const service = await world.serviceToken('acme');
    expect(await statusOf({ Authorization: `Bearer ${service}` })).toEqual(['unauthenticated']);
  });

  it('sixteen of an account at a time, and another one soon after one has gone', async () => {
    const token = await logIn('ada', ['acme']);
    const open: RawClient[] = [];
    for (let at = 0; at < limits.hintStreamsOfAccount; at += 1) open.push(await followAs(token));
    expect((await followAs(token)).outcomes()).toEqual(['too_many_connections']);
    expect((await followAs(await logIn('bob', ['acme']))).statuses()).toEqual([200]);
    open[0]!.socket.destroy();
    await vi.waitFor(async () => expect((await followAs(token)).statuses()).toEqual([200]));
  });

  it('a HEAD takes no place and has no end to wait for', async () => {
    const Authorization = `Bearer ${await logIn('ada', ['acme'])}`;
    for (let at = 0; at <= limits.hintStreamsOfAccount; at += 1)
      expect((await follow({ Authorization }, 'HEAD')).statuses()).toEqual([200]);
    expect((await follow({ Authorization })).statuses()).toEqual([200]);
  });
});

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
