import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { messageOf } from '../../../../src/gateway/base/errors.ts';
import type { Contributed } from '../../../../src/messages/outcomes.ts';
import { laneTimestampMs, quiet, startTestGateway, type TestGateway } from '../../support/gateway.ts';

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.commands.length = 0;
  gateway.respond = quiet;
});

const body = {
  token: 'session',
  brand_id: 'acme:main',
  player_id: 'player-1',
  player_country: 'DE',
  base_wager: 10,
  currency: 'EUR',
};
const path = '/v1/jackpot/instances/gold/contributions';
const post = (fields: object = {}, to = path) =>
  gateway.call('POST', to, { token, body: { ...body, ...fields } });

const won: Contributed = {
  kind: 'Contributed',
  results: [
    {
      instance: 'gold',
      sequence: 5,
      contributionAtoms: 10_000_000n,
      requestAtoms: 10_000_000n,
      bonusAtoms: 1n,
      win: { pot: 'mega', amountAtoms: 123_456_780_000_000n, currency: 'EUR', withheld: true },
      tickets: 3,
    },
  ],
};

describe('a contribution', () => {
  test('is answered with the documented result and headers', async () => {
    const answer = await post({ gameround_id: 'round "1"', metadata: { a: [1, 'x'] } });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      instance_id: 'gold',
      timestamp: laneTimestampMs,
      gameround_id: 'round "1"',
      win_amount: 0,
      win_pot_id: null,
      tickets_awarded: 0,
      win_withheld: false,
      contribution_currency: 'EUR',
      contribution_amount: 0.1,
      bonus_amount_used: 0,
      metadata: { a: [1, 'x'] },
    });
    expect(answer.headers).toMatchObject({
      'x-contribution-id': expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      'x-instance-id': 'gold',
      'x-timestamp': String(laneTimestampMs),
      'x-win-amount': '0',
      'x-win-currency': 'EUR',
      'x-tickets-awarded': '0',
      'x-request-id': expect.any(String),
      'content-type': 'application/json; charset=utf-8',
    });
    expect(answer.headers['x-win-pot-id']).toBeUndefined();
  });

  test('tells a win in body and headers, exactly', async () => {
    gateway.respond = () => won;
    const answer = await post();
    expect(answer.text).toContain('"win_amount":1234567.8,"win_pot_id":"mega"');
    expect(answer.json).toMatchObject({
      tickets_awarded: 3,
      win_withheld: true,
      metadata: null,
      gameround_id: null,
    });
    expect(answer.text).toContain('"bonus_amount_used":0.00000001');
    expect(answer.headers).toMatchObject({
      'x-win-amount': '1234567.8',
      'x-win-currency': 'EUR',
      'x-win-pot-id': 'mega',
      'x-tickets-awarded': '3',
    });
  });

  test('becomes a command with nothing of the token in it', async () => {
    await post({
      player_country: 'US-NJ',
      idempotency_key: 'k',
      event_metadata: { e: 1 },
      base_wager: '10.00000001',
    });
    const [command] = gateway.commands;
    expect(command).toMatchObject({
      kind: 'Contribute',
      target: { type: 'instance', id: 'gold' },
      operator: 'acme',
      brand: 'acme:main',
      player: 'player-1',
      country: 'US-NJ',
      baseWagerAtoms: 1_000_000_001n,
      currency: 'EUR',
      gameround: '',
      metadata: null,
      eventMetadata: '{"e":1}',
      wallet: false,
    });
    expect(command?.kind === 'Contribute' && command.idempotencyKey?.length).toBe(16);
    expect(
      JSON.stringify(command, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('session');
  });

  test("takes the bare brand where it is the caller's", async () => {
    expect((await post({ brand_id: 'main' })).status).toBe(200);
    expect(gateway.commands[0]).toMatchObject({ brand: 'acme:main' });
  });

  test('by source names the instance that received it', async () => {
    const answer = await post({ segments: ['vip'] }, '/v1/jackpot/sources/slot-1/contributions');
    expect(answer.status).toBe(200);
    expect(answer.json.instance_id).toBe('gold');
    expect(gateway.commands[0]).toMatchObject({
      target: { type: 'source', id: 'slot-1' },
      segments: ['vip'],
    });
  });

  test('of version 2 is answered with a list, the main result first', async () => {
    const linked = { ...won.results[0]!, instance: 'linked', win: null };
    gateway.respond = () => ({ kind: 'Contributed', results: [...won.results, linked] });
    const answer = await gateway.call('POST', '/v2/jackpot/contributions', {
      token,
      body: {
        target: { type: 'instance', id: 'gold' },
        source: { type: 'gameround', id: 'round-9' },
        operator_id: 'acme',
        player: { id: 'p', token: 't', country: 'DE', brand_id: 'main', segments: null },
        base_wager: { currency: 'EUR', value: 1.5 },
        options: { allow_linked_contributions: true, vertical_id: 'casino', bonus: null },
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.json.map((result: { instance_id: string }) => result.instance_id)).toEqual([
      'gold',
      'linked',
    ]);
    expect(answer.json[0].gameround_id).toBe('round-9');
    expect(answer.headers['x-win-pot-id']).toBe('mega');
    expect(gateway.commands[0]).toMatchObject({
      linked: true,
      vertical: 'casino',
      baseWagerAtoms: 150_000_000n,
    });
  });
});

describe('the results of a contribution whose parts the player paid for one after the other', () => {
  test('have the times of their own records, and so have headers and repeats', async () => {
    const paidAt = { timestampMs: 1_700_000_000_100 };
    const [main] = won.results;
    const linked = { ...main!, instance: 'linked', win: null };
    gateway.respond = () => ({ kind: 'Contributed', results: [{ ...main!, ...paidAt }, linked] });
    const body = {
      target: { type: 'instance', id: 'gold' },
      source: { type: 'gameround', id: 'round-9' },
      operator_id: 'acme',
      player: { id: 'p', token: 't', country: 'DE', brand_id: 'main', segments: null },
      base_wager: { currency: 'EUR', value: 1.5 },
      options: { allow_linked_contributions: true, idempotency_key: 'apart' },
    };
    const first = await gateway.call('POST', '/v2/jackpot/contributions', { token, body });
    expect(first.json.map(({ timestamp }: { timestamp: number }) => timestamp)).toEqual([
      paidAt.timestampMs,
      expect.any(Number),
    ]);
    expect(first.json[1].timestamp).not.toBe(paidAt.timestampMs);
    expect(first.headers['x-timestamp']).toBe(String(paidAt.timestampMs));
    gateway.respond = () => ({ kind: 'Duplicate', sequence: 1, index: 0 });
    const again = await gateway.call('POST', '/v2/jackpot/contributions', { token, body });
    expect([again.status, again.headers['x-timestamp']]).toEqual([204, String(paidAt.timestampMs)]);
  });
});

describe('a repeated idempotency key', () => {
  test('is answered 204 with the headers of the first answer', async () => {
    gateway.respond = () => won;
    const first = await post({ idempotency_key: 'again' });
    gateway.respond = () => ({ kind: 'Duplicate', sequence: 1, index: 0 });
    const second = await post({ idempotency_key: 'again', token: 'another', metadata: { other: true } });
    expect(second.status).toBe(204);
    expect(second.text).toBe('');
    for (const [name, value] of Object.entries(first.headers)) {
      if (/^x-(?!request|content|frame)/.test(name))
        expect([name, second.headers[name]]).toEqual([name, value]);
    }
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  test.each([
    ['player_id', { player_id: 'another' }],
    ['base_wager', { base_wager: 11 }],
    ['currency', { currency: 'SEK' }],
    ['gameround_id', { gameround_id: 'other' }],
    ['brand_id', { brand_id: 'second' }],
  ])('with another %s is refused', async (_, change) => {
    await post({ idempotency_key: 'again' });
    gateway.respond = () => ({ kind: 'Duplicate', sequence: 1, index: 0 });
    const second = await post({ idempotency_key: 'again', ...change });
    expect([second.status, second.json.code]).toEqual([422, 'idempotency_key_reused']);
  });
});

describe('what the lane refuses', () => {
  test.each(['opt_in_required', 'instance_not_active', 'currency_unknown', 'wager_below_minimum'] as const)(
    "leaves as %s, in the code's words and not in the lane's",
    async (code) => {
      gateway.respond = () => ({ kind: 'Refused', code, message: 'no pot of this lane takes it' });
      const answer = await post();
      expect(answer.json).toEqual({ status_code: 422, code, message: messageOf(code) });
    },
  );
});
