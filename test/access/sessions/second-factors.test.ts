import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AccountStore, openAccountStore } from '../../../src/access/accounts/account-store.ts';
import { openSealer } from '../../../src/access/keys/seal.ts';
import { createSecondFactors, type SecondFactors } from '../../../src/access/sessions/second-factors.ts';
import { memoryTable } from '../../gateway/support/memory-table.ts';
import { Random } from '../../jackpot/mixed/random.ts';
import { totp, wrongCode } from '../../support/totp.ts';

/** Codes of a second factor: which count, how often, and what is stored of it. docs/rules/second-factor.md "Showing it" */

const hour = 3_600_000;
const step = 30_000;
const account = {
  ...{ username: 'ada', password_hash: '', roles: [], owners: ['acme'], enabled: true, created: 0 },
  generation: 'first',
};
/** `12345678901234567890`, as the RFC's. */
const secretOfRfc = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

let nowMs: number;
let directory: string;
let table: ReturnType<typeof memoryTable>;
let accounts: AccountStore;
let factors: SecondFactors;
const open = async (seed = 7) => {
  const store = await openAccountStore(table);
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs, after: () => () => {} };
  const random = new Random(seed);
  const sealer = openSealer(directory, random);
  return { store, factors: createSecondFactors(store, { sealer, clock, random }) };
};
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 29);
  directory = mkdtempSync(join(tmpdir(), 'factors-'));
  table = memoryTable();
  ({ store: accounts, factors } = await open());
});
afterEach(async () => {
  await accounts.stop();
  rmSync(directory, { recursive: true });
});

/** Enrols a factor with the code of now, and gives its secret. */
async function enrolled(): Promise<string> {
  const { enrolmentId, secret } = factors.begin(account);
  const enrolment = factors.open(account, enrolmentId)!;
  const usedStep = factors.confirm(enrolment, totp(secret, nowMs))!;
  expect(await factors.enrol('ada', enrolment, usedStep)).toBe(true);
  nowMs += 2 * step;
  return secret;
}
const take = (code: string) => factors.take('ada', code);

describe('a code', () => {
  // Appendix B of the RFC, the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('of %d s is %s, and one step early or late', (seconds, code) => {
    const enrolment = { id: 'id', secret: secretOfRfc, generation: 'first', over: null };
    const at = (offsetMs: number) => {
      nowMs = seconds * 1000 + offsetMs;
      return factors.confirm({ ...enrolment, until: nowMs + 1 }, code);
    };
    expect(totp(secretOfRfc, seconds * 1000)).toBe(code);
    const counter = Math.floor(seconds / 30);
    expect([0, -step, step].map(at)).toEqual([counter, counter, counter]);
    expect([-2 * step, 2 * step].map(at)).toEqual([null, null]);
  });

  it('counts once, and none of an earlier step after it', async () => {
    const secret = await enrolled();
    const code = totp(secret, nowMs);
    expect(await take(code)).toMatchObject({ kind: 'right', proof: { atMs: nowMs } });
    expect(await take(code)).toEqual({ kind: 'wrong' });
    expect(await take(totp(secret, nowMs - step))).toEqual({ kind: 'wrong' });
    expect(await take(totp(secret, nowMs + step))).toMatchObject({ kind: 'right' });
  });

  it('that enrolled the factor does not count again', async () => {
    const secret = await enrolled();
    nowMs -= 2 * step;
    expect(await take(totp(secret, nowMs))).toEqual({ kind: 'wrong' });
  });

  it('is one of ten wrong ones an hour; then the right one does not count either', async () => {
    const secret = await enrolled();
    for (let guess = 0; guess < 10; guess += 1)
      expect(await take(wrongCode(secret, nowMs))).toEqual({ kind: 'wrong' });
    const began = nowMs;
    nowMs += 20 * 60_000;
    expect(await take(totp(secret, nowMs))).toEqual({ kind: 'blocked', seconds: 40 * 60 });
    nowMs = began + hour;
    expect(await take(totp(secret, nowMs))).toMatchObject({ kind: 'right' });
  });

  it('that is right gives no more guesses', async () => {
    const secret = await enrolled();
    for (let guess = 0; guess < 10; guess += 1) {
      await take(wrongCode(secret, nowMs));
      nowMs += 2 * step;
      if (guess < 9) expect(await take(totp(secret, nowMs))).toMatchObject({ kind: 'right' });
    }
    expect((await take(totp(secret, nowMs))).kind).toBe('blocked');
  });

  it('counts once, and wrong ones together, for two that look at the same moment', async () => {
    const secret = await enrolled();
    const other = await open();
    const both = (code: string) => Promise.all([take(code), other.factors.take('ada', code)]);
    const kinds = (await both(totp(secret, nowMs))).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['right', 'wrong']);
    for (let guess = 0; guess < 4; guess += 1) await both(wrongCode(secret, nowMs));
    expect((await both(wrongCode(secret, nowMs))).map(({ kind }) => kind).toSorted()).toEqual([
      'blocked',
      'wrong',
    ]);
    await other.store.stop();
  });

  it('counts for nobody without a factor, or whose seal is lost', async () => {
    expect(await take('123456')).toEqual({ kind: 'wrong' });
    const secret = await enrolled();
    rmSync(directory, { recursive: true });
    const other = await open(8);
    expect(await other.factors.take('ada', totp(secret, nowMs))).toEqual({ kind: 'wrong' });
    await other.store.stop();
  });
});

describe('an enrolment', () => {
  it('is what an authenticator app reads, and stores nothing', async () => {
    const { secret, uri } = factors.begin(account);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const { protocol, host, pathname, searchParams } = new URL(uri);
    expect([protocol, host, decodeURIComponent(pathname)]).toEqual(['otpauth:', 'totp', '/Potstream:ada']);
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ issuer: 'Potstream', secret },
      ...{ algorithm: 'SHA1', digits: '6', period: '30' },
    });
    expect([await table.keys(), factors.has('ada')]).toEqual([[], false]);
  });

  it('is of one account as it is', () => {
    const { enrolmentId } = factors.begin(account);
    expect(factors.open(account, enrolmentId)).not.toBeNull();
    expect(factors.open({ ...account, username: 'bob' }, enrolmentId)).toBeNull();
    expect(factors.open({ ...account, generation: 'second' }, enrolmentId)).toBeNull();
    const damaged = `${enrolmentId[0] === 'A' ? 'B' : 'A'}${enrolmentId.slice(1)}`;
    for (const id of ['', 'A', damaged, enrolmentId.slice(1)]) expect(factors.open(account, id)).toBeNull();
  });

  it('ends after ten minutes', () => {
    const { enrolmentId, secret } = factors.begin(account);
    const enrolment = factors.open(account, enrolmentId)!;
    nowMs += 600_000 - 1;
    expect(factors.confirm(enrolment, totp(secret, nowMs))).not.toBeNull();
    nowMs += 1;
    expect(factors.confirm(enrolment, totp(secret, nowMs))).toBeNull();
  });

  it('replaces the factor that it was begun over, and no other', async () => {
    const [first, second] = [factors.begin(account), factors.begin(account)].map(
      ({ enrolmentId }) => factors.open(account, enrolmentId)!,
    );
    expect(await factors.enrol('ada', first!, 1)).toBe(true);
    expect(await factors.enrol('ada', second!, 1)).toBe(false);
    // A repeat changes nothing.
    expect(await factors.enrol('ada', first!, 0)).toBe(true);
    const third = factors.open(account, factors.begin(account).enrolmentId)!;
    expect(await factors.enrol('ada', third, 5)).toBe(true);
    expect(accounts.find('factor', 'ada')).toMatchObject({ id: third.id, used_step: 5 });
    expect(await factors.enrol('ada', first!, 1)).toBe(false);
  });

  it('keeps the wrong codes of the factor before', async () => {
    const secret = await enrolled();
    for (let guess = 0; guess < 10; guess += 1) await take(wrongCode(secret, nowMs));
    const next = await enrolled();
    expect((await take(totp(next, nowMs))).kind).toBe('blocked');
  });

  it('leaves nothing in the table that shows the secret', async () => {
    const secret = await enrolled();
    const [key] = await table.keys();
    const text = Buffer.from((await table.get(key!))!.value).toString('utf8');
    expect(text).not.toContain(secret);
    expect(JSON.parse(text).sealed.length).toBeGreaterThan(40);
  });
});

describe('a removed factor', () => {
  it('is gone, unless it is newer than what removes it', async () => {
    await enrolled();
    const { created } = accounts.find('factor', 'ada')!;
    await factors.remove('ada', created - 1);
    expect(factors.has('ada')).toBe(true);
    await factors.remove('ada', created);
    await factors.remove('ada', created);
    expect(factors.has('ada')).toBe(false);
    await enrolled();
    expect(factors.has('ada')).toBe(true);
  });
});
