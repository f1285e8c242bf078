import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../../sdk/src/index.ts';
import { callbackEventId } from '../../../src/contracts/payments/event-id.ts';
import { eventually, startReceiver, type TestReceiver } from '../../outbox/support/receiver.ts';
import { oneSystem, payingOperatorOfOneSystem } from '../../support/one-system.ts';
import { AdministratorClient, loggedIn, OperatorClient } from '../../support/operator-client.ts';
import { type PayingOperator, payingBrand, payingOwner } from '../../support/paying-operator.ts';
import type { RunningSystem } from '../../support/system.ts';

/** Callbacks of a whole running system, as an operator meets them. */
let system: RunningSystem;
let receiver: TestReceiver;
let operator: OperatorClient;
let administrator: AdministratorClient;
let token: string;
let instance: string;
const secret = 'a secret of the operator';

beforeAll(async () => {
  [system, receiver] = await Promise.all([oneSystem(), startReceiver()]);
  operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
  administrator = await AdministratorClient.login(system.baseUrl, system.credentials.admin);
  const registered = await administrator.call('POST', '/config/webhook-origins', {
    operator_id: system.credentials.operator_id,
    origin: receiver.origin,
  });
  expect(registered.status).toBe(201);
  token = await loggedIn(`${system.baseUrl}/v1/auth/service`, system.credentials.service);
  const lookup = await fetch(`${system.baseUrl}/v1/jackpot/instances/source/slot-1/brand/demo:main`);
  instance = ((await lookup.json()) as { id: string }).id;
}, 240_000);
afterAll(() => receiver?.stop());

async function contribute(): Promise<string> {
  const answer = await operator.contribute(instance, {
    token: 'session',
    brand_id: 'demo:direct',
    player_id: 'callback-player',
    player_country: 'DE',
    base_wager: 10,
    currency: 'EUR',
    metadata: { table: 7 },
    callback: { web_hook: `${receiver.origin}/results`, win_result_only: false },
  });
  expect([answer.status, answer.body]).toEqual([200, null]);
  return answer.headers['x-contribution-id'] as string;
}

test('a contribution is accepted, and its result arrives, signed with the registered secret', async () => {
  const signature = await fetch(`${system.baseUrl}/v1/webhooks/signature`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ operator_id: 'demo', brand_id: 'demo:direct', secret_key: secret }),
  });
  expect([signature.status, await signature.text()]).toEqual([200, expect.anything()]);
  await contribute();
  await receiver.until(1);
  const { body, headers } = receiver.received[0]!;
  expect(verifyWebhook(body, headers, secret)).toMatchObject({
    event_type: 'ContributionResult',
    operator_id: 'demo',
    brand_id: 'demo:direct',
    results: [{ instance_id: instance, contribution_currency: 'EUR', metadata: { table: 7 } }],
  });
});

test('what was delivered is asked of the books, with its tries', async () => {
  const before = receiver.received.length;
  const id = callbackEventId(await contribute());
  await receiver.until(before + 1);
  const path = `/config/deliveries/tries?result=delivered&event_id=${id}`;
  let found: unknown = null;
  await eventually(async () => {
    const { status, body } = await administrator.call('GET', path);
    found = body;
    return status === 200 && (body as unknown[]).length > 0;
  }, 'the try is in the books');
  expect(found).toEqual([
    expect.objectContaining({
      ...{ event_id: id, kind: 'callback', owner_id: 'demo:direct', origin: receiver.origin },
      ...{ result: 'delivered', error: null, is_final: true },
    }),
  ]);
});

test('kill -9 of the outbox while callbacks are under way loses none of them', async () => {
  const before = receiver.received.length;
  let waiting = 0;
  receiver.answer = () => {
    waiting += 1;
  };
  const accepted: string[] = [];
  for (let count = 0; count < 30; count += 1) accepted.push(callbackEventId(await contribute()));
  await eventually(() => waiting >= 8, 'some are under way');
  receiver.answer = (_, response) => void response.writeHead(204).end();
  await system.kill('outbox');
  const delivered = () =>
    receiver.received.slice(before + waiting).map(({ headers }) => headers['webhook-id'] as string);
  await eventually(() => accepted.every((id) => delivered().includes(id)), 'all of them');
});

describe('contributions that their players pay', () => {
  let paying: PayingOperator;
  beforeAll(async () => {
    paying = await payingOperatorOfOneSystem();
    const body = { operator_id: payingOwner, origin: receiver.origin };
    expect((await paying.administrator.call('POST', '/config/webhook-origins', body)).status).toBe(201);
  }, 240_000);

  /** The body of the callback of an accepted contribution. */
  async function resultOf(player: number, key: string): Promise<Record<string, unknown>> {
    const answer = await paying.client.contribute(paying.instance, {
      ...paying.contribution(player, key),
      callback: { web_hook: `${receiver.origin}/paid`, win_result_only: false },
    });
    expect([answer.status, answer.body]).toEqual([200, null]);
    const id = callbackEventId(answer.headers['x-contribution-id'] as string);
    const find = () => receiver.received.find(({ headers }) => headers['webhook-id'] === id);
    await eventually(() => find() !== undefined, `the callback of ${key}`);
    return JSON.parse(find()!.body) as Record<string, unknown>;
  }
  const faults = (...rules: Record<string, unknown>[]) =>
    paying.wallet(
      'PUT',
      '/control/faults',
      rules.map((rule) => ({ brand_id: payingBrand, ...rule })),
    );
  /** Debits of a player that moved money. */
  async function debits(player: number): Promise<number> {
    const all = (await paying.wallet(
      'GET',
      `/brands/${payingBrand}/statements?from=0&to=${Date.now() + 1}`,
    )) as {
      transactions: { player_id: string; transaction_type: string; state: string }[];
    };
    return all.transactions.filter(
      (each) => each.player_id === `p${player}` && each.transaction_type === 'Debit' && each.state === 'done',
    ).length;
  }

  test('the result arrives once the player has paid', async () => {
    const result = await resultOf(0, 'paid');
    expect(result).toMatchObject({ brand_id: payingBrand, results: [{ contribution_currency: 'EUR' }] });
    expect(await debits(0)).toBe(1);
  });

  test('a refused debit arrives as an error', async () => {
    const poor = { brand_id: payingBrand, player_id: 'p10' };
    const nothing = { currency: 'EUR', balance: '0', bonus_balance: '0' };
    await paying.wallet('PUT', '/control/players', [{ ...poor, ...nothing }]);
    await paying.wallet('POST', '/control/tokens', [{ ...poor, token: 'token-p10' }]);
    expect(await resultOf(10, 'poor')).toMatchObject({ error: { status_code: 422, code: 'debit_refused' } });
    expect(await debits(10)).toBe(0);
  });

  test('a debit whose answer was lost is repeated, and the result arrives', async () => {
    await faults({ operation: 'W3', player_id: 'p2', fault: 'drop', when: 'after', times: 1 });
    expect(await resultOf(2, 'dropped')).toMatchObject({ results: [{ contribution_currency: 'EUR' }] });
    expect(await debits(2)).toBe(1);
  });

  test('a debit that stays unknown is cancelled, and the error arrives', async () => {
    await faults({ operation: 'W3', player_id: 'p3', fault: 'drop', when: 'after' });
    expect(await resultOf(3, 'unknown')).toMatchObject({
      error: { status_code: 503, code: 'wallet_unavailable' },
    });
    expect(await debits(3)).toBe(0);
    await faults();
  });
});
