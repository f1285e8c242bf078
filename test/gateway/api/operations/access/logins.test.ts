import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, startWorld, type World } from '../../../support/administration.ts';

let world: World;
const password = 'a long and good one';
const servicePath = '/v1/auth/service';
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  // Guesses at this one's password cost little, so that ten of them end in time on a busy machine too.
  await world.serviceUser('dan', 'acme');
  for (const username of ['ada', 'bob', 'cyd'])
    await world.call('POST', '/config/service-users', { username, password, operator_id: 'acme' });
});
afterAll(() => world.stop());

const user = (name: string, given = password) => ({ username: name, password: given });
const login = (name: string, given = password) =>
  world.call('POST', servicePath, user(name, given), { token: '' });

/** A log-in from another address of loopback. */
async function loginFrom(localAddress: string, name: string, given = password): Promise<number> {
  const body = JSON.stringify(user(name, given));
  const sent = httpRequest({
    host: '127.0.0.1',
    port: world.port,
    path: servicePath,
    method: 'POST',
    localAddress,
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

/** A pool never hears of a thread that ended while it started: its work is given up so much later. */
const endedWithinMs = 3_000;

describe('a log-in whose hashing thread ends', () => {
  it('is answered 503, and the next one gets another thread', async () => {
    const threads: Worker[] = [];
    let left = 0;
    // It ends before it has hashed anything: a thread takes longer to start than to be ended.
    const follow = (thread: Worker): void => {
      threads.push(thread);
      if (left > 0) void thread.terminate();
      left -= 1;
    };
    process.on('worker', follow);
    const fresh = await startWorld({ hashingMs: endedWithinMs });
    try {
      // Those that hashed the passwords of its users.
      await Promise.all(threads.map((thread) => thread.terminate()));
      const before = threads.length;
      left = 1;
      const ask = () => fresh.call('POST', servicePath, user('nobody'), { token: '' });
      const refused = await ask();
      expect([refused.status, refused.json.code]).toEqual([503, 'overloaded']);
      expect(threads.length).toBe(before + 1);
      // A thread that a busy machine is too slow for is given up as well.
      let next = await ask();
      while (next.status === 503) next = await ask();
      expect(next.status).toBe(401);
      expect(threads.length).toBeGreaterThan(before + 1);
    } finally {
      process.off('worker', follow);
      await fresh.stop();
    }
  });
});

describe('a flood of wrong log-ins from one address', () => {
  it('keeps nobody out who comes from another one', async () => {
    let over = false;
    let guesses = 0;
    const flood = Array.from({ length: 70 }, async (_, caller) => {
      for (let guess = 0; !over; guess += 1) {
        await loginFrom('127.0.0.3', `guess-${caller}-${guess}`, 'a wrong password');
        guesses += 1;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });
    const genuine: number[] = [];
    for (let count = 0; count < 12; count += 1) genuine.push(await loginFrom('127.0.0.4', 'bob'));
    over = true;
    await Promise.all(flood);
    expect(guesses).toBeGreaterThan(12);
    expect(genuine).toEqual(Array(12).fill(200));
  });

  it('has the same ten guesses side by side as one behind the other', async () => {
    const guesses = Array.from({ length: 80 }, () => loginFrom('127.0.0.5', 'dan', 'a wrong password'));
    const statuses = await Promise.all(guesses);
    expect(statuses.filter((status) => status === 401).length).toBe(10);
    expect(statuses.filter((status) => status === 429).length).toBe(70);
  });

  it('of a known name does not lock out the address where its user has logged in', async () => {
    expect(await loginFrom('127.0.0.6', 'cyd')).toBe(200);
    for (let guess = 0; guess < 12; guess += 1) await loginFrom('127.0.0.6', 'cyd', 'a wrong password');
    expect(await loginFrom('127.0.0.6', 'cyd')).toBe(200);
    // Nor any other address, where its user has never been.
    expect(await loginFrom('127.0.0.7', 'cyd')).toBe(200);
  });
});

describe('a token', () => {
  it('brings another one without a password, which works like the first', async () => {
    const { token } = (await login('ada')).json;
    const renewed = await world.call('POST', `${servicePath}/renew`, undefined, { token });
    expect(renewed).toMatchObject({ status: 200, json: { token: expect.any(String) } });
    expect(renewed.json.token).not.toBe(token);
    for (const each of [token, renewed.json.token])
      expect(
        await world.call('GET', '/v1/jackpot/sources?owner_id=acme', undefined, { token: each }),
      ).toMatchObject({
        status: 200,
      });
  });

  it.each([
    ['none', '', 'unauthenticated'],
    ['nonsense', 'nonsense', 'unauthenticated'],
  ])('that is %s brings none', async (_what, token, code) => {
    for (const path of [`${servicePath}/renew`, '/auth/admin/renew'])
      expect(await world.call('POST', path, undefined, { token })).toMatchObject({
        status: 401,
        json: { code },
      });
  });

  it('of a service brings none of an administrator, and the other way round', async () => {
    const { token } = (await login('ada')).json;
    const administrator = await world.token();
    expect((await world.call('POST', '/auth/admin/renew', undefined, { token })).status).toBe(401);
    const crossed = await world.call('POST', `${servicePath}/renew`, undefined, { token: administrator });
    expect(crossed.status).toBe(401);
    const renewed = await world.call('POST', '/auth/admin/renew', undefined, { token: administrator });
    expect(renewed).toMatchObject({ status: 200, json: { token: expect.any(String), expires_in: 900 } });
  });

  it('of a session that was revoked is worth nothing, renewed or not', async () => {
    const { token } = (await login('ada')).json;
    const second = (await world.call('POST', `${servicePath}/renew`, undefined, { token })).json.token;
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    expect((await world.call('DELETE', `/config/tokens/${jti}`)).status).toBe(204);
    for (const each of [token, second])
      expect(await world.call('POST', `${servicePath}/renew`, undefined, { token: each })).toMatchObject({
        status: 401,
        json: { code: 'token_revoked' },
      });
  });
});

describe('an administrator', () => {
  const root = { username: 'root', password: 'the first password' };
  const changed = 'the second password';
  const change = (body: object, token: string) => world.call('PUT', '/auth/admin/password', body, { token });

  it('changes the own password, which ends every token of before', async () => {
    await world.access.createAdministrator({ ...root, roles: ['viewer'], owners: ['*'] });
    const { token } = (await world.call('POST', '/auth/admin', root, { token: '' })).json;
    const answer = await change({ current_password: root.password, new_password: changed }, token);
    expect(answer).toMatchObject({ status: 200, json: { token: expect.any(String), expires_in: 900 } });
    expect(await world.call('GET', '/config/operators', undefined, { token })).toMatchObject({
      status: 401,
      json: { code: 'token_revoked' },
    });
    const fresh = await world.call('GET', '/config/operators', undefined, { token: answer.json.token });
    expect(fresh.status).toBe(200);
    expect((await world.call('POST', '/auth/admin', root, { token: '' })).status).toBe(401);
    const again = await world.call('POST', '/auth/admin', { ...root, password: changed }, { token: '' });
    expect(again.status).toBe(200);
  });

  it.each([
    [
      'the wrong current one',
      { current_password: 'no idea', new_password: 'a good password' },
      401,
      'invalid_credentials',
    ],
    ['a weak new one', { current_password: changed, new_password: 'short' }, 422, 'secret_too_weak'],
    ['no current one', { new_password: 'a good password' }, 400, 'invalid_request'],
    [
      'another member',
      { current_password: changed, new_password: 'a good password', username: 'x' },
      400,
      'invalid_request',
    ],
  ])('with %s changes nothing', async (_what, body, status, code) => {
    const credentials = { ...root, password: changed };
    const { token } = (await world.call('POST', '/auth/admin', credentials, { token: '' })).json;
    expect(await change(body, token)).toMatchObject({ status, json: { code } });
    expect((await world.call('POST', '/auth/admin', credentials, { token: '' })).status).toBe(200);
  });

  it('has no more guesses at the current password than at a log-in', async () => {
    const token = await world.token();
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const answer = await change({ current_password: 'a guess', new_password: 'a good password' }, token);
        return answer.status;
      }),
    );
    expect(statuses.filter((status) => status === 401).length).toBe(10);
    expect(statuses.filter((status) => status === 429).length).toBe(20);
  });
});

describe('a service user of a disabled operator', () => {
  const setEnabled = (enabled: boolean) => world.call('PATCH', '/config/operators/rival', { enabled });

  it('gets no token, by no way; who does not know the password learns nothing', async () => {
    await world.call('POST', '/config/service-users', { username: 'eva', password, operator_id: 'rival' });
    const { token } = (await login('eva')).json;
    await setEnabled(false);
    const passwords = { current_password: password, new_password: 'another good one' };
    for (const answer of [
      await login('eva'),
      await world.call('POST', `${servicePath}/renew`, undefined, { token }),
      await world.call('PUT', `${servicePath}/password`, passwords, { token }),
    ])
      expect([answer.status, answer.json.code]).toEqual([403, 'owner_disabled']);
    const wrong = await login('eva', 'a wrong password');
    expect([wrong.status, wrong.json.code]).toEqual([401, 'invalid_credentials']);
    await setEnabled(true);
    expect((await login('eva')).status).toBe(200);
  });
});
