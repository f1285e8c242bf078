import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PublicError } from '../../../../src/gateway/base/errors.ts';
import type { CommandOutcome } from '../../../../src/messages/outcomes.ts';
import { laneTimestampMs, quiet, startTestGateway, type TestGateway } from '../../support/gateway.ts';

const origin = 'http://127.0.0.1:9099';

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
  const entry = { kind: 'webhookorigins', operator: 'acme', origins: [origin, 'https://hooks.acme.example'] };
  gateway.readModel.directoryChanged({ kind: 'set', entry: entry as never }, 1_000);
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.commands.length = 0;
  gateway.respond = quiet;
});

const callback = { web_hook: `${origin}/contributions?of=acme`, win_result_only: true };
const body = {
  token: 'session',
  brand_id: 'acme:main',
  player_id: 'player-1',
  player_country: 'DE',
  base_wager: 10,
  currency: 'EUR',
  metadata: { round: [1] },
  callback,
};
const post = (fields: object = {}) =>
  gateway.call('POST', '/v1/jackpot/instances/gold/contributions', { token, body: { ...body, ...fields } });

function documentedHeaders(headers: Readonly<Record<string, unknown>>): string[] {
  const ours = /^x-(contribution-id|instance-id|timestamp|win-.*|tickets-awarded)$/;
  return Object.keys(headers).filter((name) => ours.test(name));
}

describe('an asynchronous contribution', () => {
  test('is answered 200 without a body, with its id and time and nothing of its outcome', async () => {
    const answer = await post();
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers['content-type']).toBeUndefined();
    expect(documentedHeaders(answer.headers)).toEqual(['x-contribution-id', 'x-timestamp']);
    expect(answer.headers['x-timestamp']).toBe(String(laneTimestampMs));
  });

  test('is answered so on a connection that stays open, too', async () => {
    const url = `http://127.0.0.1:${gateway.port}/v1/jackpot/instances/gold/contributions`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      expect([answer.status, await answer.text()]).toEqual([200, '']);
      expect(answer.headers.get('content-type')).toBeNull();
      expect(answer.headers.get('content-length')).toBe('0');
      expect(documentedHeaders(Object.fromEntries(answer.headers))).toEqual([
        'x-contribution-id',
        'x-timestamp',
      ]);
    }
  });

  test('leaves in the log what the callback will need', async () => {
    await post();
    expect(gateway.commands[0]).toMatchObject({
      callback: { webHook: callback.web_hook, winResultOnly: true },
      metadata: '{"round":[1]}',
    });
    await post({ callback: { web_hook: 'https://hooks.acme.example:443/x', win_result_only: null } });
    expect(gateway.commands[1]).toMatchObject({ callback: { winResultOnly: false } });
  });

  test('of version 2 is answered the same way', async () => {
    const answer = await gateway.call('POST', '/v2/jackpot/contributions', {
      token,
      body: {
        target: { type: 'source', id: 'slot-1' },
        source: { type: 'bet', id: 'round-9' },
        operator_id: 'acme',
        player: { id: 'p', token: 't', country: 'DE', brand_id: 'main' },
        base_wager: { currency: 'EUR', value: 1.5 },
        options: { callback },
      },
    });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  test('is accepted whatever becomes of it: the callback tells', async () => {
    gateway.respond = () => ({ kind: 'Refused', code: 'opt_in_required', message: '' });
    expect((await post()).status).toBe(200);
    gateway.respond = () => ({ kind: 'Pending' });
    expect((await post()).status).toBe(200);
  });

  test('repeated under its key is answered 204 with the same headers, whatever became of it', async () => {
    const outcomes: CommandOutcome[] = [
      quiet({ kind: 'Contribute', target: { type: 'instance', id: 'gold' } } as never),
      { kind: 'Pending' },
    ];
    for (const outcome of outcomes) {
      gateway.respond = () => outcome;
      const first = await post({ idempotency_key: 'again' });
      const sequence = gateway.commands.length;
      gateway.respond = () => ({ kind: 'Duplicate', sequence, index: 0 });
      const second = await post({ idempotency_key: 'again' });
      expect([first.status, second.status, second.text]).toEqual([200, 204, '']);
      for (const name of documentedHeaders(first.headers))
        expect([name, second.headers[name]]).toEqual([name, first.headers[name]]);
      expect(documentedHeaders(second.headers)).toEqual(documentedHeaders(first.headers));
      const other = await post({ idempotency_key: 'again', base_wager: 11 });
      expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    }
  });

  test('whose first try still waits for its debit says so', async () => {
    await post({ idempotency_key: 'again', callback: undefined });
    const sequence = gateway.commands.length;
    gateway.recorded.set(sequence, { command: gateway.commands[0]!, outcome: { kind: 'Pending' } });
    gateway.respond = () => ({ kind: 'Duplicate', sequence, index: 0 });
    const answer = await post({ idempotency_key: 'again', callback: undefined });
    expect([answer.status, answer.json.code]).toEqual([409, 'idempotency_in_progress']);
    expect(answer.headers['retry-after']).toBe('1');
  });

  test('that is stored is accepted though the lane is silent', async () => {
    gateway.respond = () => new Promise(() => {});
    const answer = await post();
    expect([answer.status, answer.headers['x-timestamp']]).toEqual([200, String(laneTimestampMs)]);
  });

  test('with a key is not accepted while nobody knows whether it is a repeat', async () => {
    gateway.respond = () => Promise.reject(new PublicError('outcome_unknown'));
    const answer = await post({ idempotency_key: 'silent' });
    expect([answer.status, answer.json.code]).toEqual([504, 'outcome_unknown']);
    expect(answer.headers['x-contribution-id']).toBeUndefined();
  });

  test('that is not stored is refused', async () => {
    gateway.respond = () => Promise.reject(new PublicError('storage_unavailable'));
    expect((await post()).json).toMatchObject({ status_code: 503, code: 'storage_unavailable' });
  });

  test.each([
    'http://127.0.0.1:9098/other-port',
    'http://localhost:9099/other-name',
    'https://127.0.0.1:9099/other-scheme',
    'https://hooks.acme.example.evil.example/x',
    'https://hooks.acme.example@evil.example/x',
    'https://sub.hooks.acme.example/x',
    'ftp://hooks.acme.example/x',
    'nonsense',
  ])('to %s is refused: no origin of the operator', async (web_hook) => {
    const answer = await post({ callback: { web_hook } });
    expect([answer.status, answer.json.code]).toEqual([422, 'callback_address_not_allowed']);
    expect(gateway.commands).toEqual([]);
  });

  test('to an origin of another operator is refused', async () => {
    const rival = await gateway.serviceToken('rival');
    const answer = await gateway.call('POST', '/v1/jackpot/instances/foreign/contributions', {
      token: rival,
      body: { ...body, brand_id: 'rival:main' },
    });
    expect(answer.json.code).toBe('callback_address_not_allowed');
  });

  test.each([
    [{}],
    [{ web_hook: '' }],
    [{ ...callback, other: 1 }],
    [{ ...callback, win_result_only: 'yes' }],
  ])('with the callback %j is no request', async (wrong) => {
    expect((await post({ callback: wrong })).json.code).toBe('invalid_request');
  });

  test.each([
    [{ base_wager: -1 }, 'amount_negative'],
    [{ player_country: 'Germany' }, 'country_invalid'],
    [{ brand_id: 'acme:none' }, 'brand_not_found'],
  ])('with %j is refused at once', async (fields, code) => {
    expect((await post(fields)).json.code).toBe(code);
    expect(gateway.commands).toEqual([]);
  });
});
