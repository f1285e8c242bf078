import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WalletSettings } from '../../../src/access/keys/brand-wallets.ts';
import { maxRefusalsOfAddress, refusalWindowMs } from '../../../src/access/players/address-reputation.ts';
import { openPlayerTokens, type PlayerTokens } from '../../../src/access/players/player-tokens.ts';
import { refusalCacheMs } from '../../../src/access/players/refused-tokens.ts';
import {
  decodeRevokedPlayerToken,
  playerTokenCacheMs,
  type TokenCaller,
} from '../../../src/contracts/payments/player-authentication.ts';
import { type Bus, LogError } from '../../../src/ports.ts';
import { startWallet, type WalletRole } from '../../../src/wallet/role/wallet.ts';
import {
  type BadWallet,
  memoryBus,
  settings,
  startBadWallet,
  startTestWallet,
  type TestWallet,
  testAddresses,
} from '../support.ts';

const subjects = {
  authenticate: 'wallet.authenticate',
  revoked: 'wallet.revoked',
  address: 'wallet.address',
};
const caller: TokenCaller = { kind: 'service' };
const question = { brand: 'acme:main', token: 'token-of-ada', currency: 'EUR', source: 'slot-1', caller };
const ada = {
  player: 'ada',
  operator: 'acme',
  brand: 'acme:main',
  currency: 'EUR',
  country: 'DE',
  segments: ['gold'],
  maxBetAtoms: 500_000_000n,
};

let reference: TestWallet;
let bus: Bus;
let role: WalletRole;
let gateway: PlayerTokens;
let nowMs: number;
const wallets = new Map<string, WalletSettings>();
const bugs: unknown[] = [];

beforeAll(async () => {
  reference = await startTestWallet();
  const player = { brand_id: 'acme:main', player_id: 'ada', currency: 'EUR' };
  const details = { country: 'DE', segments: ['gold'], max_bet: 5 };
  await reference.call('PUT', '/control/players', [{ ...player, ...details }]);
});
afterAll(() => reference.stop());

beforeEach(async () => {
  await give('token-of-ada');
  nowMs = 1_000_000;
  wallets.clear();
  wallets.set('acme:main', settings(reference.url));
  bus = memoryBus();
  role = startRole();
  gateway = opened();
  return async () => {
    gateway.stop();
    await role.stop();
    expect(bugs.splice(0)).toEqual([]);
  };
});

function startRole(): WalletRole {
  const report = (error: unknown) => void bugs.push(error);
  return startWallet({
    ...{ bus, clock, subjects, report, addresses: testAddresses },
    wallets: { find: (brand) => wallets.get(brand) },
    alarm: (_, error) => void bugs.push(error),
  });
}

function opened(): PlayerTokens {
  return openPlayerTokens({ bus, clock, wallets: { find: (brand) => wallets.get(brand) }, subjects });
}

const adaOf = () => ({ id: 'ada', operator_id: 'acme', brand_id: 'acme:main', currency: 'EUR', balance: 1 });

const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs, after: () => () => {} };
const give = (token: string) =>
  reference.call('POST', '/control/tokens', [{ brand_id: 'acme:main', player_id: 'ada', token }]);
const revoke = (token: string) => reference.call('POST', '/control/tokens/revoke', { tokens: [token] });

describe('the tokens of players', () => {
  it('are authenticated by the wallet of their brand, with what it says of the player', async () => {
    expect(gateway.known(question)).toBeUndefined();
    expect(await gateway.authenticate(question)).toEqual({ kind: 'authenticated', identity: ada, ageMs: 0 });
    expect(gateway.known(question)).toEqual(ada);
  });

  it('are refused where the wallet does not know them', async () => {
    expect(await gateway.authenticate({ ...question, token: 'other' })).toEqual({ kind: 'refused' });
    expect(gateway.known({ ...question, token: 'other' })).toBeUndefined();
  });

  it('are refused without a question where the brand has no wallet', async () => {
    await role.stop();
    expect(await gateway.authenticate({ ...question, brand: 'acme:vip' })).toEqual({ kind: 'refused' });
  });

  it('are refused without a question where they hold half a character', async () => {
    await role.stop();
    await give('\ufffd');
    expect(await gateway.authenticate({ ...question, token: '\ud83c' })).toEqual({ kind: 'refused' });
  });

  it('are unknown where no wallet role answers, or it does not know the wallet yet', async () => {
    await role.stop();
    expect(await gateway.authenticate(question)).toEqual({ kind: 'unknown' });
    const nothing = { wallets: { find: () => undefined }, report: () => {}, alarm: () => {} };
    role = startWallet({ bus, clock, subjects, addresses: testAddresses, ...nothing });
    expect(await gateway.authenticate(question)).toEqual({ kind: 'unknown' });
  });

  it('are unknown while the wallet is down, and known once it is back', async () => {
    const down = await startBadWallet((request) => void request.socket.destroy());
    wallets.set('acme:main', settings(down.url));
    expect(await gateway.authenticate(question)).toEqual({ kind: 'unknown' });
    wallets.set('acme:main', settings(reference.url));
    expect(await gateway.authenticate(question)).toMatchObject({ kind: 'authenticated' });
    await down.stop();
  });

  it('are asked for again after an answer that is none of W1', async () => {
    const answers = ['{}', JSON.stringify({ ...adaOf(), balance: 'NaN' }), JSON.stringify(adaOf())];
    const odd = await startBadWallet((_request, response, count) => response.end(answers[count - 1]));
    wallets.set('acme:main', settings(odd.url));
    expect(await gateway.authenticate(question)).toMatchObject({ kind: 'authenticated' });
    expect(odd.received).toHaveLength(3);
    await odd.stop();
  });

  it.each([
    ['90000000000', 9_000_000_000_000_000_000n],
    ['100000000000', 9_000_000_000_000_000_000n],
    [Number.MAX_SAFE_INTEGER, 9_000_000_000_000_000_000n],
    [Number.MAX_VALUE, 9_000_000_000_000_000_000n],
    ['', null],
    [null, null],
    [0.5, 50_000_000n],
  ])('have the highest bet %j of the wallet, as far as amounts go', async (max_bet, maxBetAtoms) => {
    const rich = await startBadWallet((_request, response) =>
      response.end(JSON.stringify({ ...adaOf(), max_bet })),
    );
    wallets.set('acme:main', settings(rich.url));
    expect(await gateway.authenticate(question)).toMatchObject({ identity: { maxBetAtoms } });
    await rich.stop();
  });

  it('with a detail that cannot be used are unknown, and no failure of the wallet', async () => {
    const odd = await startBadWallet((_request, response, count) =>
      response.end(JSON.stringify({ ...adaOf(), ...(count <= 8 ? { segments: [''] } : {}) })),
    );
    wallets.set('acme:main', settings(odd.url));
    for (let count = 0; count < 8; count += 1)
      expect(await gateway.authenticate({ ...question, token: `odd ${count}` })).toEqual({ kind: 'unknown' });
    expect(odd.received).toHaveLength(8);
    expect(await gateway.authenticate(question)).toMatchObject({ kind: 'authenticated' });
    await odd.stop();
  });

  it('are unknown where the call meets a bug, which is logged', async () => {
    wallets.set('acme:main', settings(reference.url, { bearerKey: 'in two\nlines' }));
    expect(await gateway.authenticate(question)).toEqual({ kind: 'unknown' });
    expect(bugs.splice(0)).toEqual([
      expect.objectContaining({ stack: expect.stringContaining('authorization') }),
    ]);
  });

  it('are unknown to a gateway whose bus has an outage, and a bug of it is no outage', async () => {
    const failing = (error: Error): Bus => ({ ...bus, request: () => Promise.reject(error) });
    const asked = (error: Error) =>
      openPlayerTokens({
        ...{ bus: failing(error), clock, subjects },
        wallets: { find: (brand) => wallets.get(brand) },
      }).authenticate(question);
    expect(await asked(new LogError('unavailable', 'Nobody answers.'))).toEqual({ kind: 'unknown' });
    await expect(asked(new TypeError('a bug'))).rejects.toThrow('a bug');
  });

  it('count for a minute from when the wallet was asked, whoever asks', async () => {
    await gateway.authenticate(question);
    await revoke('token-of-ada');
    nowMs += playerTokenCacheMs - 1;
    const later = opened();
    expect(await later.authenticate(question)).toMatchObject({
      kind: 'authenticated',
      ageMs: playerTokenCacheMs - 1,
    });
    expect(gateway.known(question)).toEqual(ada);
    nowMs += 1;
    expect(gateway.known(question)).toBeUndefined();
    expect(later.known(question)).toBeUndefined();
    expect(await later.authenticate(question)).toEqual({ kind: 'refused' });
    later.stop();
  });

  it('are asked about again where money of the player moves without one, for a minute', async () => {
    const again = (player = 'ada', brand = 'acme:main') => gateway.authenticateAgain(brand, player);
    expect(await again()).toBe(false);
    await gateway.authenticate(question);
    expect([await again(), await again('eve'), await again('ada', 'acme:vip')]).toEqual([true, false, false]);
    nowMs += playerTokenCacheMs;
    expect(await again()).toBe(false);
    await gateway.authenticate(question);
    await revoke('token-of-ada');
    // No memory answers, neither the gateway's nor the wallet role's.
    expect(await again()).toBe(false);
    expect(gateway.known(question)).toBeUndefined();
  });

  it('are asked about again in no more than the time that there is', async () => {
    await gateway.authenticate(question);
    await role.stop();
    expect(await gateway.authenticateAgain('acme:main', 'ada')).toBe(false);
  });

  it('are let go by all who hold them once the wallet takes one back', async () => {
    const other = opened();
    await Promise.all([gateway.authenticate(question), other.authenticate(question)]);
    await revoke('token-of-ada');
    // Another session of the same token, which nobody holds.
    expect(await other.authenticate({ ...question, currency: 'USD' })).toEqual({ kind: 'refused' });
    expect(gateway.known(question)).toBeUndefined();
    expect(await gateway.authenticate(question)).toEqual({ kind: 'refused' });
    other.stop();
  });

  it('are asked for anew when the brand gets other settings', async () => {
    await gateway.authenticate(question);
    const other = await startBadWallet((_request, response) =>
      response.end(
        JSON.stringify({
          id: 'ben',
          operator_id: 'acme',
          brand_id: 'acme:main',
          currency: 'EUR',
          balance: 1,
        }),
      ),
    );
    wallets.set('acme:main', settings(other.url));
    expect(gateway.known(question)).toBeUndefined();
    expect(await gateway.authenticate(question)).toMatchObject({ identity: { player: 'ben' } });
    await other.stop();
  });

  it('are apart by brand, token and currency', async () => {
    await gateway.authenticate(question);
    wallets.set('acme:vip', settings(reference.url, { brand: 'acme:vip' }));
    expect(gateway.known({ ...question, brand: 'acme:vip' })).toBeUndefined();
    expect(gateway.known({ ...question, token: 'token-of-adam' })).toBeUndefined();
    expect(gateway.known({ ...question, currency: 'USD' })).toBeUndefined();
    expect(await gateway.authenticate({ ...question, brand: 'acme:vip' })).toEqual({ kind: 'refused' });
  });

  it('are asked for once where many ask at once', async () => {
    const counting = await startBadWallet((_request, response) =>
      response.end(
        JSON.stringify({
          id: 'ada',
          operator_id: 'acme',
          brand_id: 'acme:main',
          currency: 'EUR',
          balance: 1,
        }),
      ),
    );
    wallets.set('acme:main', settings(counting.url));
    const other = opened();
    const asked = [gateway, other, gateway, other].map((one) => one.authenticate(question));
    expect((await Promise.all(asked)).every(({ kind }) => kind === 'authenticated')).toBe(true);
    expect(counting.received).toHaveLength(1);
    other.stop();
    await counting.stop();
  });

  it('of one brand do not wait for the wallet of another', async () => {
    const silent = await startBadWallet(() => {});
    wallets.set('acme:vip', settings(silent.url, { brand: 'acme:vip' }));
    const stuck = gateway.authenticate({ ...question, brand: 'acme:vip' });
    expect(await gateway.authenticate(question)).toMatchObject({ kind: 'authenticated' });
    expect(silent.received).toHaveLength(1);
    wallets.delete('acme:vip');
    await silent.stop();
    expect(await stuck).toEqual({ kind: 'unknown' });
  });

  it('leave no trace in the metrics', async () => {
    await gateway.authenticate(question);
    const metrics = await role.metrics();
    expect(metrics).toContain('potstream_wallet_calls_total{call="W1",answer="accepted"} 1');
    expect(metrics).not.toContain('token-of-ada');
  });

  it('are not asked for by what is no question', async () => {
    bus.publish(subjects.authenticate, Buffer.from('{"brand":"acme:main"}'));
    bus.publish(subjects.authenticate, Buffer.from('garbage'));
    bus.publish(subjects.revoked, Buffer.from('garbage'));
    expect(await gateway.authenticate(question)).toMatchObject({ kind: 'authenticated' });
  });

  it('that nobody ever vouched for are told to nobody else', async () => {
    const told: string[] = [];
    const heard = bus.subscribe(subjects.revoked, ({ bytes }) => {
      told.push(String(decodeRevokedPlayerToken(bytes)?.token));
    });
    for (const kind of ['service', 'frontend'] as const) {
      const by: TokenCaller = kind === 'service' ? { kind } : { kind, address: '203.0.113.7' };
      await gateway.authenticate({ ...question, token: 'made-up', caller: by });
    }
    expect(told).toEqual([]);
    await gateway.authenticate(question);
    await revoke('token-of-ada');
    await gateway.authenticate({ ...question, currency: 'USD' });
    expect(told).toEqual(['token-of-ada']);
    heard.stop();
  });

  it('that a socket came with are told to all once they are refused, though the wallet role began anew', async () => {
    await gateway.authenticate(question);
    await revoke('token-of-ada');
    await role.stop();
    role = startRole();
    const other = opened();
    expect(await other.authenticate({ ...question, caller: { kind: 'open_socket' } })).toEqual({
      kind: 'refused',
    });
    expect(gateway.known(question)).toBeUndefined();
    other.stop();
  });
});

describe('tokens that frontends make up', () => {
  const frontend = (address: string): TokenCaller => ({ kind: 'frontend', address });
  const show = (token: string, address: string, brand = 'acme:main') =>
    gateway.authenticate({ ...question, brand, token, caller: frontend(address) });
  let counting: BadWallet;

  beforeEach(async () => {
    counting = await startBadWallet((_request, response, count) => {
      const { player_token: token } = JSON.parse(counting.received[count - 1]!);
      if (token.startsWith('good'))
        response.end(
          JSON.stringify({
            id: 'ada',
            operator_id: 'acme',
            brand_id: 'acme:main',
            currency: 'EUR',
            balance: 1,
          }),
        );
      else
        response
          .writeHead(422)
          .end(JSON.stringify({ status_code: 422, code: 'token_invalid', message: 'No.' }));
    });
    wallets.set('acme:main', settings(counting.url));
    return () => counting.stop();
  });

  it('are asked about once within a few seconds, and accepted soon after they become valid', async () => {
    wallets.set('acme:main', settings(reference.url));
    expect(await show('later', '203.0.113.7')).toEqual({ kind: 'refused' });
    await give('later');
    expect(await show('later', '203.0.113.8')).toEqual({ kind: 'refused' });
    // A service's word is money: the wallet is asked.
    expect(await gateway.authenticate({ ...question, token: 'later' })).toMatchObject({
      kind: 'authenticated',
    });
    await give('soon');
    await revoke('soon');
    expect(await show('soon', '203.0.113.7')).toEqual({ kind: 'refused' });
    await give('soon');
    nowMs += refusalCacheMs;
    expect(await show('soon', '203.0.113.7')).toMatchObject({ kind: 'authenticated' });
  });

  it('are so many of one address; of others and for other brands there is no limit', async () => {
    const told: unknown[] = [];
    for (let count = 0; count < maxRefusalsOfAddress + 5; count += 1)
      told.push((await show(`bad ${count}`, '203.0.113.7')).kind);
    expect(told).toEqual([...Array(maxRefusalsOfAddress).fill('refused'), ...Array(5).fill('limited')]);
    expect(counting.received).toHaveLength(maxRefusalsOfAddress);
    expect(await show('good of another', '203.0.113.8')).toMatchObject({ kind: 'authenticated' });
    wallets.set('acme:vip', settings(counting.url, { brand: 'acme:vip' }));
    expect(await show('good of vip', '203.0.113.7', 'acme:vip')).toMatchObject({ kind: 'authenticated' });
    expect(await show('good', '203.0.113.7')).toEqual({ kind: 'limited', retryAfterSeconds: 10 });
    nowMs += refusalWindowMs;
    expect(await show('good', '203.0.113.7')).toMatchObject({ kind: 'authenticated' });
  });

  it('do not lock a player out who has shown a good one at the same address', async () => {
    expect(await show('good', '203.0.113.7')).toMatchObject({ kind: 'authenticated' });
    for (let count = 0; count < maxRefusalsOfAddress; count += 1) await show(`bad ${count}`, '203.0.113.7');
    expect(await show('good', '203.0.113.7')).toMatchObject({ kind: 'authenticated' });
    expect(await show('good too', '203.0.113.7')).toMatchObject({ kind: 'authenticated' });
    expect(await show('bad', '203.0.113.7')).toEqual({ kind: 'limited', retryAfterSeconds: 1 });
  });
});
