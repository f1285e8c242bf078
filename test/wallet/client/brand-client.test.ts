import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PlayerTokenRequest } from '../../../src/contracts/payments/player-authentication.ts';
import { authenticatePlayer } from '../../../src/wallet/calls/authenticate-player.ts';
import { BrandClient, type MoneyTry } from '../../../src/wallet/client/brand-client.ts';
import { walletLimits } from '../../../src/wallet/client/limits.ts';
import { type Caller, moneyPurposes } from '../../../src/wallet/client/policies.ts';
import { serverAuthorization } from '../../../src/wallet/client/signature.ts';
import { type BadWallet, keys, settings, startBadWallet, testAddresses } from '../support.ts';

const call = { name: 'W1', path: '/authenticate', body: Buffer.from('{"a":1}') } as const;
const question: PlayerTokenRequest = {
  ...{ brand: 'acme:main', token: 'the-token', currency: 'EUR', source: null },
  ...{ caller: { kind: 'service' as const }, proven: false, acceptedBefore: false },
};
const clock = { nowMs: () => Date.now(), elapsedMs: () => Date.now(), after: () => () => {} };
const player = { id: 'ada', operator_id: 'acme', brand_id: 'acme:main', currency: 'EUR', balance: 1 };
const refusal = (status: number) => ({ status_code: status, code: 'token_invalid', message: 'No.' });

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

async function wallet(answer: Parameters<typeof startBadWallet>[0]): Promise<BadWallet> {
  const started = await startBadWallet(answer);
  open.push(started);
  return started;
}

const alarms: string[] = [];
const alarm = (message: string) => void alarms.push(message);

function client(url: string, addresses = testAddresses): BrandClient {
  const made = new BrandClient(settings(url), { clock, addresses, observe() {}, alarm });
  open.push({ stop: () => made.close() });
  return made;
}

function json(status: number, body: unknown): Parameters<typeof startBadWallet>[0] {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

describe('a call to a wallet', () => {
  it('carries the bearer key and the signature of the raw body', async () => {
    const seen: unknown[] = [];
    const { url } = await wallet((request, response) => {
      seen.push(
        request.method,
        request.url,
        request.headers.authorization,
        request.headers['x-server-authorization'],
      );
      response.end('{"ok":true}');
    });
    expect(await client(`${url}/base/path`).call(call)).toEqual({ kind: 'accepted', body: { ok: true } });
    expect(seen).toEqual([
      'POST',
      '/base/path/authenticate',
      `Bearer ${keys.bearerKey}`,
      serverAuthorization(keys.hmacSecret, call.body),
    ]);
  });

  it.each([400, 404, 409, 410, 422, 451])(
    'is refused by %i with the shape of errors, and not tried again',
    async (status) => {
      const bad = await wallet(json(status, refusal(status)));
      expect(await client(bad.url).call(call)).toEqual({
        kind: 'refused',
        status,
        code: 'token_invalid',
        message: 'No.',
      });
      expect(bad.received).toHaveLength(1);
    },
  );

  it.each([
    ['401', json(401, refusal(401)), 'status'],
    ['403', json(403, refusal(403)), 'status'],
    ['408', json(408, refusal(408)), 'status'],
    ['425', json(425, refusal(425)), 'status'],
    ['429', json(429, refusal(429)), 'status'],
    ['500', json(500, refusal(500)), 'status'],
    ['503 without a body', json(503, ''), 'status'],
    ['4xx of another shape', json(422, { error: 'no' }), 'status'],
    ['4xx that is no JSON', json(422, 'no'), 'status'],
    ['garbage', json(200, '{"id":'), 'garbage'],
    ['an answer that is too long', json(200, `{"a":"${'x'.repeat(walletLimits.answerBytes)}"}`), 'oversize'],
    [
      'a redirect',
      (_request: unknown, response: import('node:http').ServerResponse) =>
        void response.writeHead(307, { location: '/elsewhere' }).end(),
      'status',
    ],
    [
      'what is no HTTP',
      (request: import('node:http').IncomingMessage) => void request.socket.end('nonsense\r\n\r\n'),
      'no_answer',
    ],
    ['a reset', (request: import('node:http').IncomingMessage) => void request.socket.destroy(), 'no_answer'],
  ] as const)('is unknown after %s, and tried three times with the same bytes', async (_, answer, reason) => {
    const bad = await wallet(answer);
    expect(await client(bad.url).call(call)).toEqual({ kind: 'unknown', reason });
    expect(bad.received).toEqual(Array(walletLimits.tries).fill('{"a":1}'));
  });

  it('is unknown where nobody listens', async () => {
    const gone = await startBadWallet(() => {});
    await gone.stop();
    expect(await client(gone.url).call(call)).toEqual({ kind: 'unknown', reason: 'no_answer' });
  });

  it('is known as soon as one try is', async () => {
    const bad = await wallet((request, response, count) => {
      if (count < 3) request.socket.destroy();
      else response.end('{"ok":true}');
    });
    expect(await client(bad.url).call(call)).toMatchObject({ kind: 'accepted' });
    expect(bad.received).toHaveLength(3);
  });

  it('gives up a try that gets no answer', async () => {
    const bad = await wallet((_request, response, count) => {
      if (count > 1) response.end('{"ok":true}');
    });
    expect(await client(bad.url).call(call)).toMatchObject({ kind: 'accepted' });
    expect(bad.received).toHaveLength(2);
  });

  it('is not sent while the wallet has not answered of late; another brand does not notice', async () => {
    const bad = await wallet((request) => void request.socket.destroy());
    const good = await wallet(json(200, { ok: true }));
    const [down, up] = [client(bad.url), client(good.url)];
    for (let calls = 0; calls < walletLimits.failuresToOpen; calls += 1) await down.call(call);
    const tried = bad.received.length;
    expect(await down.call(call)).toEqual({ kind: 'unknown', reason: 'breaker_open' });
    expect(bad.received).toHaveLength(tried);
    expect(await up.call(call)).toMatchObject({ kind: 'accepted' });
  });

  it('of any purpose ends an outage for all of them', async () => {
    let works = false;
    const bad = await wallet((request, response) => {
      if (works) response.end('{"ok":true}');
      else request.socket.destroy();
    });
    const woken: (readonly [string, number])[] = [];
    let pauseMs = 0;
    const after = (ms: number, wake: () => void) => {
      pauseMs = ms;
      wake();
      return () => {};
    };
    const made = new BrandClient(settings(bad.url), {
      ...{ clock: { ...clock, after }, addresses: testAddresses, observe() {}, alarm },
    });
    open.push({ stop: () => made.close() });
    for (const purpose of moneyPurposes) made.onRecovery(purpose, () => woken.push([purpose, pauseMs]));
    expect(await made.attempt(call, 'cancel')).toEqual({ kind: 'unknown', reason: 'no_answer' });
    const { now } = performance;
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 60_000);
    try {
      works = true;
      expect(await made.attempt(call, 'debit')).toMatchObject({ kind: 'accepted' });
      expect(await made.attempt(call, 'debit')).toMatchObject({ kind: 'accepted' });
    } finally {
      later.mockRestore();
    }
    // By then every breaker takes a call.
    expect(woken).toEqual(moneyPurposes.map((purpose) => [purpose, walletLimits.wakeAfterMs]));
    expect(walletLimits.wakeAfterMs).toBeGreaterThan(walletLimits.halfOpenAfterMs);
  });

  it('is sent again a while after the breaker has opened', async () => {
    let works = false;
    const bad = await wallet((request, response) => {
      if (works) response.end('{"ok":true}');
      else request.socket.destroy();
    });
    const one = client(bad.url);
    for (let calls = 0; calls < walletLimits.failuresToOpen; calls += 1) await one.call(call);
    works = true;
    await expect.poll(() => one.call(call), { timeout: 60_000 }).toMatchObject({ kind: 'accepted' });
  });

  it('waits behind so many others, and no more', async () => {
    const held: import('node:http').ServerResponse[] = [];
    const bad = await wallet((_request, response) => void held.push(response));
    const one = client(bad.url);
    const most = walletLimits.callsAtOnce + walletLimits.callsWaiting;
    const calls = Array.from({ length: most }, () => one.call(call));
    expect(await one.call(call)).toEqual({ kind: 'unknown', reason: 'too_many_calls' });
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(walletLimits.callsAtOnce);
    let answered = 0;
    const answering = setInterval(() => {
      for (const response of held.splice(0)) {
        answered += 1;
        response.end('{"ok":true}');
      }
    }, 1);
    const answers = await Promise.all(calls);
    clearInterval(answering);
    expect(answers.every(({ kind }) => kind === 'accepted')).toBe(true);
    // On a busy machine a try may take so long that it is repeated.
    expect(answered).toBeGreaterThanOrEqual(most);
  });
});

describe('the places before a wallet', () => {
  const from = (address: string, proven = false): Caller => ({ kind: 'public', address, proven });
  const holding = async () => {
    const held: import('node:http').ServerResponse[] = [];
    const { url } = await wallet((_request, response) => void held.push(response));
    return { held, one: client(url) };
  };
  const answerAll = (held: import('node:http').ServerResponse[]) => {
    const answering = setInterval(() => {
      for (const response of held.splice(0)) response.end('{"ok":true}');
    }, 1);
    return () => clearInterval(answering);
  };

  it('are apart for services, for proven addresses and for the others', async () => {
    const { held, one } = await holding();
    const flood = Array.from({ length: 2_000 }, (_, index) => one.call(call, from(`10.0.0.${index % 4}`)));
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(walletLimits.unprovenCallsAtOnce);
    const others = [one.call(call, from('203.0.113.7', true)), one.call(call)];
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(walletLimits.unprovenCallsAtOnce + 2);
    const stop = answerAll(held);
    expect((await Promise.all(others)).map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
    await Promise.all(flood);
    stop();
  });

  it('turn away who makes the most wait, not a new address', async () => {
    const { held, one } = await holding();
    const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'];
    const flood = addresses.flatMap((address) =>
      Array.from({ length: walletLimits.publicCallsWaitingOfAddress }, () => one.call(call, from(address))),
    );
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(walletLimits.unprovenCallsAtOnce);
    const newcomer = one.call(call, from('203.0.113.7'));
    const stop = answerAll(held);
    expect(await newcomer).toMatchObject({ kind: 'accepted' });
    const told = await Promise.all(flood);
    expect(told.some((answer) => answer.kind === 'unknown' && answer.reason === 'too_many_calls')).toBe(true);
    stop();
  });

  it('have breakers of their own: answers that a flood provokes stop no contribution', async () => {
    const { url } = await wallet((request, response) => {
      if (request.url === '/bad') request.socket.destroy();
      else response.end('{"ok":true}');
    });
    const one = client(url);
    const bad = { ...call, path: '/bad' };
    for (let calls = 0; calls < walletLimits.failuresToOpen; calls += 1)
      await one.call(bad, from('203.0.113.66'));
    expect(await one.call(bad, from('203.0.113.66'))).toEqual({ kind: 'unknown', reason: 'breaker_open' });
    expect(await one.call(call)).toMatchObject({ kind: 'accepted' });
    expect(await one.call(call, from('203.0.113.7', true))).toMatchObject({ kind: 'accepted' });
  });
});

describe("a wallet's address", () => {
  it('that may not be called is told once, and is not tried again for one call', async () => {
    const asked: string[] = [];
    const inner = {
      development: false,
      resolve: async (name: string) => {
        asked.push(name);
        return ['10.0.0.1'];
      },
    };
    const one = client('https://wallet.example.com', inner);
    expect(await one.call(call)).toEqual({ kind: 'unknown', reason: 'address_not_allowed' });
    expect(await one.call(call)).toEqual({ kind: 'unknown', reason: 'address_not_allowed' });
    expect(asked).toHaveLength(2);
    expect(alarms.splice(0)).toEqual(['The wallet of acme:main has an address that is not allowed.']);
  });

  it('that does not resolve is unknown', async () => {
    const one = client('https://wallet.example.com');
    expect(await one.call(call)).toEqual({ kind: 'unknown', reason: 'name_not_resolved' });
    expect(alarms).toEqual([]);
  });
});

describe('W1', () => {
  it('asks with the brand path and says who the player is', async () => {
    const bad = await wallet(
      json(200, {
        ...player,
        brand_id: 'main',
        country: 'SE',
        segments: ['gold'],
        max_bet: '2.50',
        balance: 1,
      }),
    );
    expect(await authenticatePlayer(client(bad.url), { ...question, source: 'slot-1' })).toEqual({
      kind: 'authenticated',
      identity: {
        player: 'ada',
        operator: 'acme',
        brand: 'acme:main',
        currency: 'EUR',
        country: 'SE',
        segments: ['gold'],
        maxBetAtoms: 250_000_000n,
      },
    });
    expect(JSON.parse(bad.received[0]!)).toEqual({
      operator_id: 'acme',
      brand_id: 'acme:main',
      player_token: 'the-token',
      source_id: 'slot-1',
      currency: 'EUR',
    });
  });

  it('takes what the wallet does not say as not said', async () => {
    const bad = await wallet(json(200, { ...player, country: '', segments: null, max_bet: '' }));
    expect(await authenticatePlayer(client(bad.url), question)).toMatchObject({
      identity: { country: null, segments: null, maxBetAtoms: null },
    });
  });

  it('is refused where the wallet has decided', async () => {
    const bad = await wallet(json(422, refusal(422)));
    expect(await authenticatePlayer(client(bad.url), question)).toEqual({ kind: 'refused' });
  });

  it.each([
    ['no player', { ...player, id: undefined }],
    ['no operator', { ...player, operator_id: undefined }],
    ['no brand', { ...player, brand_id: null }],
    ['no currency', { ...player, currency: 7 }],
    ['a player id that is none', { ...player, id: 'a\nb' }],
    ['segments of another shape', { ...player, segments: 'gold' }],
    ['a highest bet that is no amount', { ...player, max_bet: 'much' }],
    ['a highest bet below zero', { ...player, max_bet: '-1' }],
    ['an array', [player]],
  ])('is unknown where the answer has %s', async (_, body) => {
    const bad = await wallet(json(200, body));
    expect(await authenticatePlayer(client(bad.url), question)).toEqual({
      kind: 'unknown',
      reason: 'garbage',
    });
  });
});

describe('tries that move money', () => {
  it('are told one by one, with what they were about and the status that came', async () => {
    const statuses = [200, 500, 422];
    const bad = await wallet((...exchange) => {
      const status = statuses.shift() ?? 200;
      json(status, status === 422 ? refusal(422) : { balance: 1 })(...exchange);
    });
    const tried: MoneyTry[] = [];
    const made = new BrandClient(settings(bad.url), {
      ...{ clock, addresses: testAddresses, observe() {}, alarm },
      tried: (each) => void tried.push(each),
    });
    open.push({ stop: () => made.close() });
    const of = { transactionId: 't1', batchId: null, records: 1 };
    const money = { ...call, name: 'W3', of } as const;
    for (let count = 0; count < 3; count += 1) await made.attempt(money, 'debit');
    await made.call(call);
    expect(tried.map(({ brand, status, answer, call: { of } }) => [brand, status, answer.kind, of])).toEqual([
      ['acme:main', 200, 'accepted', of],
      ['acme:main', 500, 'unknown', of],
      ['acme:main', 422, 'refused', of],
    ]);
  });

  it('that were not sent are none', async () => {
    const bad = await wallet((request) => void request.socket.destroy());
    const tried: MoneyTry[] = [];
    const made = new BrandClient(settings(bad.url), {
      ...{ clock, addresses: testAddresses, observe() {}, alarm },
      tried: (each) => void tried.push(each),
    });
    open.push({ stop: () => made.close() });
    const answers: unknown[] = [];
    for (let count = 0; count < walletLimits.failuresToOpen + 3; count += 1)
      answers.push(await made.attempt({ ...call, name: 'W3' }, 'credit'));
    expect(answers.at(-1)).toEqual({ kind: 'unknown', reason: 'breaker_open' });
    expect(tried).toHaveLength(walletLimits.failuresToOpen);
    expect(tried.every(({ status }) => status === null)).toBe(true);
  });
});
