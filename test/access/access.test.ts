import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Access, openAccess, openTokenVerifier, verifyServiceToken } from '../../src/access/access.ts';
import { accountKey } from '../../src/access/accounts/account-entries.ts';
import { createFirstAdministrator } from '../../src/access/accounts/bootstrap.ts';
import { openSealer, SealKeyError } from '../../src/access/keys/seal.ts';
import { createTokens } from '../../src/access/sessions/tokens.ts';
import { memoryTable } from '../gateway/support/memory-table.ts';

let directory: string;
let table: ReturnType<typeof memoryTable>;
let nowMs: number;
let access: Access;
const opened: Access[] = [];

const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs, after: () => () => {} };
const random = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };
const open = async (): Promise<Access> => {
  const made = await openAccess(table, { clock, random, keysDirectory: directory, hashingMs: 240_000 });
  opened.push(made);
  return made;
};

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'access-'));
  table = memoryTable();
  nowMs = 1_700_000_000_000;
  access = await open();
});
afterEach(async () => {
  for (const made of opened.splice(0)) await made.stop();
  rmSync(directory, { recursive: true, force: true });
});

const user = { username: 'till', password: 'right password', operator: 'acme', brands: ['acme:main'] };
const login = (password: string, address = '10.0.0.1', username = user.username) =>
  access.loginService({ username, password, address });

async function tokenOf(): Promise<string> {
  const account = await access.createServiceUser(user);
  return access.tokens.issueService(account!);
}

describe('what is shown as a token', () => {
  test('is refused, whatever it is', async () => {
    const good = await tokenOf();
    const part = fc.oneof(
      fc.base64String().map((text) => text.replace(/[+/=]/g, 'A')),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
      ...good.split('.').map((text) => fc.constant(text)),
    );
    const shown = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(shown, async (token) => {
        fc.pre(token !== good);
        expect(await access.tokens.verifyService(token, 'operator')).toBe('unauthenticated');
      }),
      { numRuns: 500 },
    );
  });

  test('is not refused for a bug of ours', async () => {
    const good = await tokenOf();
    const verifier = () => {
      throw new TypeError('a bug');
    };
    const { accounts } = access;
    const tokens = createTokens(accounts, { signer: () => ({}) as never, verifier }, clock, random);
    await expect(tokens.verifyService(good, 'operator')).rejects.toThrow('a bug');
  });
});

test('changes of other accounts, and log-ins, cost a known token nothing', async () => {
  const token = await tokenOf();
  const keys = openedKeys();
  const tokens = createTokens(access.accounts, keys, clock, random);
  const verify = () => tokens.verifyService(token, 'operator');
  expect(await verify()).toMatchObject({ subject: 'till' });
  await access.createServiceUser({ ...user, username: 'other' });
  await access.changeServiceUser('other', { enabled: false }, { by: 'root' });
  await access.createAdministrator({ ...user, roles: ['viewer'], owners: ['*'] });
  await login('right password');
  expect(await verify()).toMatchObject({ subject: 'till' });
  expect(keys.asked).toBe(1);
  await access.changeServiceUser('till', { enabled: false }, { by: 'root' });
  expect(tokens.knownService(token, 'operator')).toBeUndefined();
  expect(await verify()).toBe('token_revoked');
});

/** Keys that count how often a token is verified with them. */
function openedKeys() {
  const { x } = access.accounts.list('key')[0]!;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const keys = { asked: 0, signer: () => ({}) as never, verifier };
  function verifier() {
    keys.asked += 1;
    return key;
  }
  return keys;
}

describe('a login', () => {
  test('gives a token whose every claim is pinned', async () => {
    await access.createServiceUser(user);
    const result = await login('right password');
    if (result.kind !== 'token') throw new Error(result.kind);
    const claims = decodeJwt(result.token);
    expect(claims).toMatchObject({
      iss: 'potstream',
      sub: 'till',
      aud: ['operator', 'feed'],
      operator_id: 'acme',
      brands: ['acme:main'],
      iat: 1_700_000_000,
      exp: 1_700_000_900,
      jti: expect.any(String),
    });
    expect(decodeProtectedHeader(result.token)).toMatchObject({
      alg: 'EdDSA',
      typ: 'at+jwt',
      kid: expect.any(String),
    });
  });

  test('fails alike for a wrong password and for no such user', async () => {
    await access.createServiceUser(user);
    expect(await login('wrong password')).toEqual({ kind: 'invalid' });
    expect(await login('right password', '10.0.0.1', 'nobody')).toEqual({ kind: 'invalid' });
  });

  test('is refused after ten failures of a name from an address, for a minute', async () => {
    await access.createServiceUser(user);
    for (let count = 0; count < 10; count += 1) expect((await login('wrong password')).kind).toBe('invalid');
    expect(await login('right password')).toEqual({ kind: 'blocked', seconds: 60 });
    expect((await login('right password', '10.0.0.2')).kind).toBe('token');
    nowMs += 60_000;
    expect((await login('right password')).kind).toBe('token');
  });

  test('of a name on one surface does not open the other', async () => {
    await access.createServiceUser(user);
    const { username, password } = user;
    expect(await access.loginAdministrator({ username, password, address: 'a' })).toEqual({
      kind: 'invalid',
    });
  });
});

describe('a token', () => {
  test('is verified by any gateway, with the key set as published', async () => {
    const token = await tokenOf();
    const other = await open();
    expect(await other.tokens.verifyService(token, 'operator')).toMatchObject({
      kind: 'service',
      subject: 'till',
      operator: 'acme',
      brands: new Set(['acme:main']),
    });
    expect(await verifyServiceToken(other, token)).toMatchObject({ kind: 'service' });
    const key = access.jwks().keys.find(({ kid }) => kid === decodeProtectedHeader(token).kid);
    expect(Object.keys(key!).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    const options = { audience: 'operator', currentDate: new Date(nowMs) };
    expect((await jwtVerify(token, await importJWK(key!, 'EdDSA'), options)).payload.sub).toBe('till');
  });

  test('is remembered until it expires, and no longer', async () => {
    const token = await tokenOf();
    expect(access.tokens.knownService(token, 'operator')).toBeUndefined();
    const principal = await access.tokens.verifyService(token, 'operator');
    expect(access.tokens.knownService(token, 'operator')).toBe(principal);
    expect(access.tokens.knownService(token, 'feed')).toBeUndefined();
    nowMs += 15 * 60_000 + 6_000;
    expect(access.tokens.knownService(token, 'operator')).toBeUndefined();
    expect(await access.tokens.verifyService(token, 'operator')).toBe('token_expired');
  });

  test('is revoked with its account, also where it was remembered, and stays so when the name comes back', async () => {
    const token = await tokenOf();
    const other = await open();
    await other.tokens.verifyService(token, 'operator');
    await access.accounts.remove('service', 'till');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(other.tokens.knownService(token, 'operator')).toBeUndefined();
    expect(await other.tokens.verifyService(token, 'operator')).toBe('token_revoked');
    await access.createServiceUser(user);
    expect(await access.tokens.verifyService(token, 'operator')).toBe('token_revoked');
  });

  test('of a service is none of an administrator, and the other way round', async () => {
    const token = await tokenOf();
    expect(await access.tokens.verifyAdministrator(token)).toBe('unauthenticated');
    const administrator = await access.createAdministrator({
      username: 'root',
      password: 'right password',
      roles: ['viewer'],
      owners: ['*'],
    });
    const theirs = await access.tokens.issueAdministrator(administrator!);
    expect(await access.tokens.verifyService(theirs, 'operator')).toBe('unauthenticated');
    expect(await access.tokens.verifyAdministrator(theirs)).toMatchObject({
      kind: 'administrator',
      subject: 'root',
    });
  });

  test('for feeds opens feeds only', async () => {
    const account = await access.createServiceUser(user);
    const token = await access.tokens.issueFeed(account!);
    expect(await access.tokens.verifyService(token, 'operator')).toBe('unauthenticated');
    expect(await verifyServiceToken(access, token)).toMatchObject({ kind: 'service' });
  });

  test('with one character changed is none', async () => {
    const token = await tokenOf();
    for (let position = 0; position < token.length; position += 7) {
      const flipped = token[position] === 'A' ? 'B' : 'A';
      const changed = `${token.slice(0, position)}${flipped}${token.slice(position + 1)}`;
      const verified = await access.tokens.verifyService(changed, 'operator');
      expect(verified).toBe('unauthenticated');
    }
  });

  test('is spelt in one way: bits that base64url leaves unused, padding and line ends make it none', async () => {
    const parts = (await tokenOf()).split('.');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const [index, part] of parts.entries()) {
      const others = [...alphabet].map((last) => `${part.slice(0, -1)}${last}`);
      for (const other of [...others, `${part}=`, `${part}\n`, ` ${part}`, part.replace(/[-_]/g, '+')]) {
        if (other === part) continue;
        const changed = parts.with(index, other).join('.');
        expect(await access.tokens.verifyService(changed, 'operator'), changed).toBe('unauthenticated');
        expect(await access.tokens.verifyAdministrator(changed)).toBe('unauthenticated');
      }
    }
  });

  test('ends at the second that it names, on every surface, also where nobody has seen it before', async () => {
    const token = await tokenOf();
    const { iat, exp } = decodeJwt(token) as { iat: number; exp: number };
    expect(exp - iat).toBe(900);
    nowMs = exp * 1000 - 1;
    expect(await access.tokens.verifyService(token, 'feed')).toMatchObject({ kind: 'service' });
    nowMs = exp * 1000;
    for (const audience of ['operator', 'feed'] as const) {
      expect(access.tokens.knownService(token, audience)).toBeUndefined();
      expect(await access.tokens.verifyService(token, audience)).toBe('token_expired');
    }
  });

  test('may have been issued by a host whose clock is 5 s ahead, and no more', async () => {
    const token = await tokenOf();
    const { iat } = decodeJwt(token) as { iat: number };
    nowMs = (iat - 5) * 1000;
    expect(await access.tokens.verifyService(token, 'operator')).toMatchObject({ kind: 'service' });
    nowMs = (iat - 6) * 1000;
    expect(await access.tokens.verifyService(token, 'feed')).toBe('unauthenticated');
  });

  describe('signed with our key, but', () => {
    const claims = {
      iss: 'potstream',
      sub: 'till',
      aud: 'operator',
      jti: 'x',
      iat: 1_700_000_000,
      exp: 1_700_000_900,
      operator_id: 'acme',
      brands: null,
    };
    test.each([
      ['without an issuer', { iss: undefined }, {}],
      ['of another issuer', { iss: 'other' }, {}],
      ['for another audience', { aud: 'admin' }, {}],
      ['without a subject', { sub: undefined }, {}],
      ['without an id', { jti: undefined }, {}],
      ['without an expiry', { exp: undefined }, {}],
      ['without a beginning', { iat: undefined }, {}],
      ['living too long', { iat: 1_699_990_000, exp: 1_800_000_000 }, {}],
      ['that begins later', { nbf: 1_700_000_006 }, {}],
      ['of another type', {}, { typ: 'JWT' }],
      ['without a type', {}, { typ: undefined }],
      ['with an unknown key', {}, { kid: 'other' }],
      ['without a key id', {}, { kid: undefined }],
    ])('%s, is none', async (_, changed, header) => {
      const account = await access.createServiceUser(user);
      const entry = access.accounts.list('key')[0]!;
      const d = openSealer(directory, random).open(entry.sealed, `signing-key.${entry.kid}`);
      const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x: entry.x, d }, format: 'jwk' });
      const sign = (more: object, head: object) =>
        new SignJWT(JSON.parse(JSON.stringify({ ...claims, generation: account!.generation, ...more })))
          .setProtectedHeader(
            JSON.parse(JSON.stringify({ alg: 'EdDSA', typ: 'at+jwt', kid: entry.kid, ...head })),
          )
          .sign(key);
      expect(await access.tokens.verifyService(await sign({}, {}), 'operator')).toMatchObject({
        kind: 'service',
      });
      expect(typeof (await access.tokens.verifyService(await sign(changed, header), 'operator'))).toBe(
        'string',
      );
    });

    test('without a signature, is none', async () => {
      await access.createServiceUser(user);
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const token = `${part({ alg: 'none', typ: 'at+jwt', kid: access.accounts.list('key')[0]!.kid })}.${part(claims)}.`;
      expect(await access.tokens.verifyService(token, 'operator')).toBe('unauthenticated');
    });
  });
});

describe('signing keys', () => {
  test('are shared by all gateways and rotate by age, the old one verifying on', async () => {
    const token = await tokenOf();
    expect((await open()).jwks().keys.length).toBe(1);
    nowMs += 31 * 24 * 3_600_000;
    const later = await open();
    expect(later.jwks().keys.length).toBe(2);
    const account = later.accounts.find('service', 'till')!;
    const fresh = await later.tokens.issueService(account);
    expect(decodeProtectedHeader(fresh).kid).not.toBe(decodeProtectedHeader(token).kid);
    nowMs += 25 * 3_600_000;
    expect((await open()).jwks().keys.length).toBe(1);
  });

  test('are kept sealed: nothing of the table tells them', async () => {
    const entry = access.accounts.list('key')[0]!;
    expect(Object.keys(entry).toSorted()).toEqual(['created', 'kid', 'sealed', 'x']);
    const otherKeys = mkdtempSync(join(tmpdir(), 'access-'));
    expect(() => openSealer(otherKeys, random).open(entry.sealed, `signing-key.${entry.kid}`)).toThrow();
    expect(() => openSealer(directory, random).open(entry.sealed, 'signing-key.other')).toThrow();
    rmSync(otherKeys, { recursive: true });
  });

  test('lie under a file that only its owner reads', () => {
    const path = join(directory, 'accounts.key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    rmSync(path);
    writeFileSync(path, '0'.repeat(64), { mode: 0o644 });
    expect(() => openSealer(directory, random)).toThrow(SealKeyError);
  });
});

describe('the first administrator', () => {
  const ports = { clock, random };
  const credentials = { username: 'root', password: 'a long password' };

  test('is made once', async () => {
    expect(await createFirstAdministrator(table, credentials, ports)).toBe('created');
    expect(await createFirstAdministrator(table, credentials, ports)).toBe('bootstrap_closed');
    expect(await createFirstAdministrator(table, { ...credentials, username: 'other' }, ports)).toBe(
      'bootstrap_closed',
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await access.loginAdministrator({ ...credentials, address: 'a' })).kind).toBe('token');
    expect(access.accounts.find('administrator', 'root')).toMatchObject({ owners: ['*'] });
  });

  test('is one, whoever comes at the same time', async () => {
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((username) =>
        createFirstAdministrator(table, { ...credentials, username }, ports),
      ),
    );
    expect(results.toSorted()).toEqual([
      'bootstrap_closed',
      'bootstrap_closed',
      'bootstrap_closed',
      'created',
    ]);
  });

  test('can be made again by who was stopped after the mark', async () => {
    await table.put('bootstrap.done', Buffer.from('root'), 0);
    expect(await createFirstAdministrator(table, { ...credentials, username: 'other' }, ports)).toBe(
      'bootstrap_closed',
    );
    expect(await createFirstAdministrator(table, credentials, ports)).toBe('created');
  });

  test('is not made again where the table has lost the accounts', async () => {
    expect(await createFirstAdministrator(table, credentials, ports)).toBe('created');
    for (const key of await table.keys()) await table.remove(key, (await table.get(key))!.revision);
    expect(await table.keys()).toEqual([]);
    expect(await createFirstAdministrator(table, credentials, ports)).toBe('bootstrap_closed');
    // Whoever writes the mark again gains nothing by it.
    await table.put('bootstrap.done', Buffer.from('root'), 0);
    expect(await createFirstAdministrator(table, credentials, ports)).toBe('bootstrap_closed');
  });

  test('has no weak password', async () => {
    expect(await createFirstAdministrator(table, { ...credentials, password: 'short' }, ports)).toBe(
      'secret_too_weak',
    );
  });
});

describe('who verifies and signs nothing', () => {
  test('needs no key of this system: tokens, their ends, and which brands have a wallet', async () => {
    const token = await tokenOf();
    const verifier = await openTokenVerifier(table, { clock, random });
    expect(await verifyServiceToken(verifier, token)).toMatchObject({ operator: 'acme', subject: 'till' });
    expect(verifier.wallets.find('acme:main')).toBeUndefined();
    const wallet = {
      brand: 'acme:main',
      baseUrl: 'https://wallet.acme.example',
      bearerKey: 'a bearer key of a wallet',
      hmacSecret: 'a secret of signatures',
      providerId: 'p',
      closeRounds: false,
      batchDebits: false,
      verificationLimit: null,
    };
    await access.wallets.set(wallet, nowMs);
    const known = verifier.wallets.find('acme:main');
    expect(known?.brand).toBe('acme:main');
    expect(verifier.wallets.find('acme:main')).toBe(known);
    expect(JSON.stringify(known)).not.toContain('secret');
    await access.wallets.set({ ...wallet, hmacSecret: 'another secret of signatures' }, nowMs);
    expect(verifier.wallets.find('acme:main')).not.toBe(known);
    await access.revocations.revoke(decodeJwt(token).jti as string);
    expect(await verifyServiceToken(verifier, token)).toBe('token_revoked');
    await verifier.stop();
  });

  test('an entry that does not read changes nothing and ends nobody', async () => {
    const token = await tokenOf();
    const key = accountKey('service', user.username);
    const { revision } = (await table.get(key)) as { revision: number };
    await table.put(key, Buffer.from('{"type":"io.nats.jetstream.api.v1.stream_info_response"}'), revision);
    expect(await verifyServiceToken(access, token)).toMatchObject({ subject: 'till' });
  });
});
