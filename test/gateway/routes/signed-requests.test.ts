import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quiet, startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let admin: string;
let key: { key_id: string; secret: string };

beforeAll(async () => {
  gateway = await startTestGateway();
  // How old a request is on its arrival must not depend on how long it was on its way.
  gateway.stopClock();
  admin = await gateway.adminToken(['security'], ['*']);
  await createUser('signer', 'acme');
  key = await createKey('signer');
});
afterAll(() => gateway.stop());

async function createUser(username: string, operator_id: string, brands?: string[]): Promise<void> {
  const user = { username, password: 'a long password', operator_id, brands };
  const answer = await gateway.call('POST', '/config/service-users', { token: admin, body: user });
  expect(answer.status).toBe(201);
}

async function createKey(username: string): Promise<{ key_id: string; secret: string }> {
  const answer = await gateway.call('POST', `/config/service-users/${username}/keys`, { token: admin });
  expect(answer.status).toBe(201);
  expect(Object.keys(answer.json)).toEqual(['key_id', 'secret']);
  return answer.json;
}

let nonces = 0;
interface Signing {
  readonly method: string;
  readonly path: string;
  readonly text?: string;
  readonly keyId?: string;
  readonly secret?: string;
  readonly timestamp?: string;
  readonly nonce?: string;
}

function signed(request: Signing): Record<string, string> {
  nonces += 1;
  const { method, path, text = '', timestamp = String(gateway.nowMs), nonce = `nonce-${nonces}` } = request;
  const digest = createHash('sha256').update(text).digest('hex');
  const base = `${method}\n${path}\n${timestamp}\n${nonce}\n${digest}`;
  const mac = createHmac('sha256', request.secret ?? key.secret)
    .update(base)
    .digest('hex');
  return {
    'x-key-id': request.keyId ?? key.key_id,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': `v1=${mac}`,
  };
}

const contributionPath = '/v1/jackpot/instances/gold/contributions';
const contribution = JSON.stringify({
  token: 'session',
  brand_id: 'acme:main',
  player_id: 'player-1',
  player_country: 'DE',
  base_wager: 10,
  currency: 'EUR',
});
const contribute = (headers: Record<string, string>, text = contribution, token?: string) =>
  gateway.call('POST', contributionPath, { text, headers, ...(token === undefined ? {} : { token }) });
const contributing = (changes: Partial<Signing> = {}) =>
  signed({ method: 'POST', path: contributionPath, text: contribution, ...changes });
const sources = '/v1/jackpot/sources?owner_id=acme';
const list = (headers: Record<string, string>, path = sources) => gateway.call('GET', path, { headers });

describe('a signed request', () => {
  test('needs no token, with and without a body', async () => {
    gateway.respond = quiet;
    expect((await contribute(contributing())).status).toBe(200);
    const answer = await list(signed({ method: 'GET', path: sources }));
    expect([answer.status, answer.json.length]).toEqual([200, 1]);
    const put = JSON.stringify({ operator_id: 'acme', secret_key: 'a secret that nobody guesses' });
    const path = '/v1/webhooks/signature';
    const headers = signed({ method: 'PUT', path, text: put });
    expect((await gateway.call('PUT', path, { text: put, headers })).status).toBe(200);
  });

  test('is seen once', async () => {
    const headers = contributing();
    expect((await contribute(headers)).status).toBe(200);
    const again = await contribute(headers);
    expect(again.json).toMatchObject({ status_code: 401, code: 'replay_detected' });
    const once = signed({ method: 'GET', path: sources });
    expect((await list(once)).status).toBe(200);
    expect((await list(once)).json.code).toBe('replay_detected');
  });

  test('is of another nonce where only the key differs', async () => {
    const second = await createKey('signer');
    const nonce = 'shared-nonce';
    expect((await contribute(contributing({ nonce }))).status).toBe(200);
    const other = contributing({ nonce, keyId: second.key_id, secret: second.secret });
    expect((await contribute(other)).status).toBe(200);
  });

  test.each([
    [-59_000, 200],
    [59_000, 200],
    [-61_000, 401],
    [61_000, 401],
  ])('%i ms away is answered %i', async (awayMs, status) => {
    const answer = await contribute(contributing({ timestamp: String(gateway.nowMs + awayMs) }));
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.json.code).toBe('timestamp_out_of_window');
  });

  test.each<[string, () => Record<string, string>, string?]>([
    ['another body', () => contributing(), contribution.replace('10', '11')],
    ['another path', () => contributing({ path: `${contributionPath}?a=1` })],
    ['another method', () => contributing({ method: 'PUT' })],
    ['another secret', () => contributing({ secret: 'wrong' })],
    ['an unknown key', () => contributing({ keyId: 'none' })],
    ['no version', () => ({ ...contributing(), 'x-signature': contributing()['x-signature']!.slice(3) })],
    ['no signature', () => without('x-signature')],
    ['no nonce', () => without('x-nonce')],
    ['no timestamp', () => without('x-timestamp')],
    ['no key', () => without('x-key-id')],
    ['a timestamp in seconds and a fraction', () => contributing({ timestamp: '1700000000.5' })],
    ['an endless nonce', () => contributing({ nonce: 'n'.repeat(129) })],
    ['upper-case digits', () => upperCase(contributing())],
  ])('with %s is signature_invalid', async (_, headers, text) => {
    const before = gateway.commands.length;
    const answer = await contribute(headers(), text);
    expect(answer.json).toMatchObject({ status_code: 401, code: 'signature_invalid' });
    expect(gateway.commands.length).toBe(before);
  });

  test('that is refused uses its nonce not up', async () => {
    const nonce = 'still-free';
    expect((await contribute(contributing({ nonce, secret: 'wrong' }))).status).toBe(401);
    expect((await contribute(contributing({ nonce }))).status).toBe(200);
  });

  test('beside a token must be of the same user', async () => {
    const own = await gateway.call('POST', '/v1/auth/service', {
      body: { username: 'signer', password: 'a long password' },
    });
    expect((await contribute(contributing(), contribution, own.json.token)).status).toBe(200);
    const other = await gateway.serviceToken('acme');
    const answer = await contribute(contributing(), contribution, other);
    expect(answer.json.code).toBe('signature_invalid');
    const broken = await contribute(contributing(), contribution, 'no.token.at-all');
    expect(broken.json.code).toBe('unauthenticated');
  });

  test('has the scope of its user', async () => {
    await createUser('narrow', 'acme', ['acme:second']);
    const { key_id: keyId, secret } = await createKey('narrow');
    expect((await contribute(contributing({ keyId, secret }))).json.code).toBe('brand_forbidden');
    await createUser('rival-signer', 'rival');
    const rival = await createKey('rival-signer');
    const foreign = contributing({ keyId: rival.key_id, secret: rival.secret });
    expect((await contribute(foreign)).json.code).toBe('brand_not_found');
  });

  test('means nothing to administrators', async () => {
    const path = '/config/sources';
    const answer = await list(signed({ method: 'GET', path }), path);
    expect(answer.json.code).toBe('unauthenticated');
  });

  test('with a header twice is refused', async () => {
    const headers = Object.entries(contributing()).map(([name, value]) => `${name}: ${value}\r\n`);
    const text = await gateway.raw(
      `POST ${contributionPath} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${contribution.length}\r\nConnection: close\r\nX-Nonce: other\r\n${headers.join('')}\r\n${contribution}`,
    );
    expect(text).toContain('duplicate_header');
  });
});

describe('signing keys', () => {
  test('live in twos: the third ends the oldest', async () => {
    await createUser('rotating', 'acme');
    const keys = [await createKey('rotating'), await createKey('rotating')];
    const use = async ({ key_id: keyId, secret }: { key_id: string; secret: string }) =>
      (await contribute(contributing({ keyId, secret }))).status;
    expect(await Promise.all(keys.map(use))).toEqual([200, 200]);
    keys.push(await createKey('rotating'));
    expect(await Promise.all(keys.map(use))).toEqual([401, 200, 200]);
  });

  test('end with their user, and do not come back with its name', async () => {
    await createUser('leaving', 'acme');
    const { key_id: keyId, secret } = await createKey('leaving');
    expect((await contribute(contributing({ keyId, secret }))).status).toBe(200);
    await gateway.call('DELETE', '/config/service-users/leaving', { token: admin });
    expect((await contribute(contributing({ keyId, secret }))).json.code).toBe('signature_invalid');
    await createUser('leaving', 'acme');
    expect((await contribute(contributing({ keyId, secret }))).json.code).toBe('signature_invalid');
  });

  test.each([
    ['nobody', ['*'], 404, 'user_not_found'],
    ['signer', ['rival'], 404, 'user_not_found'],
    ['a%20b', ['*'], 400, 'invalid_identifier'],
  ])('of %s by an administrator of %s are %i %s', async (username, owners, status, code) => {
    const token = await gateway.adminToken(['security'], owners);
    const answer = await gateway.call('POST', `/config/service-users/${username}/keys`, { token });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test('are for the role security', async () => {
    const token = await gateway.adminToken(['config', 'auditor'], ['*']);
    const answer = await gateway.call('POST', '/config/service-users/signer/keys', { token });
    expect(answer.json.code).toBe('forbidden');
  });

  test('are kept sealed', async () => {
    const entries = (await gateway.tables.accounts.keys('request.')).map((name) =>
      gateway.tables.accounts.get(name),
    );
    const stored = (await Promise.all(entries)).map((entry) => Buffer.from(entry!.value).toString('utf8'));
    expect(stored.length).toBeGreaterThan(0);
    for (const text of stored) expect(text).not.toContain(key.secret);
  });
});

describe('the revocation of a token', () => {
  const idOf = (token: string): string =>
    JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8')).jti;
  const get = (token: string) => gateway.call('GET', sources, { token });

  test('ends that token, and no other of its user', async () => {
    const login = async () =>
      (
        await gateway.call('POST', '/v1/auth/service', {
          body: { username: 'signer', password: 'a long password' },
        })
      ).json.token;
    const [first, second] = [await login(), await login()];
    expect((await get(first)).status).toBe(200);
    const answer = await gateway.call('DELETE', `/config/tokens/${idOf(first)}`, { token: admin });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await get(first)).json).toMatchObject({ status_code: 401, code: 'token_revoked' });
    expect((await get(second)).status).toBe(200);
    expect((await gateway.call('DELETE', `/config/tokens/${idOf(first)}`, { token: admin })).status).toBe(
      204,
    );
  });

  test("ends administrators' tokens, too", async () => {
    const other = await gateway.adminToken(['viewer'], ['*']);
    const read = () => gateway.call('GET', '/config/sources', { token: other });
    expect((await read()).status).toBe(200);
    await gateway.call('DELETE', `/config/tokens/${idOf(other)}`, { token: admin });
    expect((await read()).json.code).toBe('token_revoked');
  });

  test('is for administrators of the whole system with the role security', async () => {
    for (const [roles, owners] of [
      [['security'], ['acme']],
      [['config'], ['*']],
    ] as const) {
      const token = await gateway.adminToken(roles, owners);
      const answer = await gateway.call('DELETE', '/config/tokens/any', { token });
      expect(answer.json.code).toBe('forbidden');
    }
  });
});

function without(name: string): Record<string, string> {
  const { [name]: _, ...rest } = contributing();
  return rest;
}

function upperCase(headers: Record<string, string>): Record<string, string> {
  return { ...headers, 'x-signature': `v1=${headers['x-signature']!.slice(3).toUpperCase()}` };
}
