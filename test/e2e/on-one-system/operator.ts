import { beforeAll, describe, expect, test } from 'vitest';
import { oneSystem } from '../../support/one-system.ts';
import { AdministratorClient, loggedIn, OperatorClient } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

/** The operator's surface of a whole running system, over real HTTP, log and actors. */
let system: RunningSystem;
let operator: OperatorClient;
let administrator: AdministratorClient;
let instance: string;

beforeAll(async () => {
  system = await oneSystem();
  operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
  administrator = await AdministratorClient.login(system.baseUrl, system.credentials.admin);
  const lookup = await fetch(`${system.baseUrl}/v1/jackpot/instances/source/slot-1/brand/demo:main`);
  instance = ((await lookup.json()) as { id: string }).id;
});

const contribution = (more: Record<string, unknown> = {}) => ({
  token: 'session',
  brand_id: 'demo:direct',
  player_id: 'e2e-player',
  player_country: 'DE',
  base_wager: 10,
  currency: 'EUR',
  ...more,
});

/** Everything that a contribution to the instance could move. */
async function state(): Promise<unknown> {
  const { body } = await administrator.call('GET', `/config/instances/${instance}`);
  return body;
}

async function post(path: string, body: unknown, token?: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${system.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

describe('contributions', () => {
  test('move the pots of their instance and say so', async () => {
    const before = (await state()) as { total_contributions?: number };
    const answer = await operator.contribute(instance, contribution({ metadata: { table: 7 } }));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      instance_id: instance,
      contribution_currency: 'EUR',
      metadata: { table: 7 },
      gameround_id: null,
    });
    expect(await state()).not.toEqual(before);
  });

  test('that came twice at once count once', async () => {
    const body = contribution({ idempotency_key: 'twice-at-once', gameround_id: 'r' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => operator.contribute(instance, body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(204)]);
    expect(new Set(answers.map(({ headers }) => JSON.stringify(headers))).size).toBe(1);
  });

  test('are known after the gateway was killed', async () => {
    const body = contribution({ idempotency_key: 'before-the-kill', gameround_id: 'r' });
    const first = await operator.contribute(instance, body);
    await system.kill('gateway');
    await system.ready();
    const again = await operator.contributeSurely(instance, body);
    expect([first.status, again.status]).toEqual([200, 204]);
    expect(again.headers).toEqual(first.headers);
    const other = await operator.contribute(instance, { ...body, base_wager: 11 });
    expect([other.status, other.body?.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('that are refused change nothing', async () => {
    const before = await state();
    const refusals: [Record<string, unknown>, string][] = [
      [{ currency: 'XQX' }, 'currency_unknown'],
      [{ base_wager: -1 }, 'amount_negative'],
      [{ base_wager: '0.000000001' }, 'amount_precision'],
      [{ player_country: 'Germany' }, 'country_invalid'],
      [{ brand_id: 'demo:none' }, 'brand_not_found'],
      [{ brand_id: 'other:main' }, 'brand_not_found'],
      [{ idempotency_key: '' }, 'invalid_request'],
      [{ idempotencykey: 'x' }, 'invalid_request'],
      [
        { callback: { web_hook: 'https://example.test', win_result_only: false } },
        'callback_address_not_allowed',
      ],
    ];
    for (const [fields, code] of refusals) {
      const answer = await operator.contribute(instance, contribution(fields));
      expect([fields, answer.body?.code]).toEqual([fields, code]);
    }
    expect((await operator.contribute('unknown', contribution())).body?.code).toBe('instance_not_found');
    expect(await state()).toEqual(before);
  });
});

describe('service users', () => {
  test('of another operator see nothing of this one, and lose their tokens with their account', async () => {
    const created = await administrator.call('POST', '/config/operators', [{ id: 'rival', name: 'Rival' }]);
    expect(created.status).toBeLessThan(300);
    await administrator.call('POST', '/config/operators/rival/brands', [{ id: 'main', name: 'Main' }]);
    const user = {
      username: 'rival-service',
      password: 'a long password',
      operator_id: 'rival',
      brands: ['main'],
    };
    const made = await administrator.call('POST', '/config/service-users', user);
    expect(made.body).toEqual({
      username: 'rival-service',
      operator_id: 'rival',
      brands: ['rival:main'],
      enabled: true,
      rights: [],
      key_ids: [],
      last_login_timestamp: null,
      created_timestamp: expect.any(Number),
    });
    const again = await administrator.call('POST', '/config/service-users', user);
    expect(again.body).toMatchObject({ code: 'already_exists' });

    const { username, password } = user;
    const token = await loggedIn(`${system.baseUrl}/v1/auth/service`, { username, password });
    const path = `/v1/jackpot/instances/${instance}/contributions`;
    expect((await post(path, contribution({ brand_id: 'main' }), token)).body).toMatchObject({
      code: 'instance_not_found',
    });
    expect((await post(path, contribution(), token)).body).toMatchObject({ code: 'brand_not_found' });

    expect((await administrator.call('DELETE', '/config/service-users/rival-service')).status).toBe(204);
    expect((await post(path, contribution(), token)).body).toMatchObject({ code: 'token_revoked' });
  });
});
