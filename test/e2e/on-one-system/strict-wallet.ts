import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneSystem } from '../../support/one-system.ts';
import { AdministratorClient, OperatorClient } from '../../support/operator-client.ts';
import { StrictWallet, strictKeys } from '../strict-wallet/strict-wallet.ts';
import { type Case, cancellations, never, once } from '../strict-wallet/troubles.ts';

/** Every kind of bad answer to a debit and its cancellation, and what the caller, the wallet and the books make of it. */
const owner = 'strict';
const service = { username: 'strict-service', password: 'a long and good one' };
/** Each group has a brand, so that the breaker of one means nothing to the others. */
const groups = { once, never, cancellations };
/** As many as fail in a row without opening the breaker: each of `once` is repeated at once. */
const atOnce = { once: 7, never: never.length, cancellations: cancellations.length };
const withinMs = 60_000;

const wallet = new StrictWallet();
let administrator: AdministratorClient;
let operator: OperatorClient;
let instance: string;
let baseUrl: string;

async function must(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await administrator.call(method, path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

beforeAll(async () => {
  const system = await oneSystem();
  baseUrl = system.baseUrl;
  administrator = await AdministratorClient.login(baseUrl, system.credentials.admin);
  const base_url = await wallet.start();
  await must('POST', '/config/operators', [{ id: owner, name: 'Strict' }]);
  const brands = Object.keys(groups).map((id) => ({ id, name: id }));
  await must('POST', `/config/operators/${owner}/brands`, brands);
  await must('POST', '/config/service-users', { ...service, operator_id: owner });
  const pot = { id: 'main', contribution: { Percentage: '1' }, seed_contribution: { Percentage: '0' } };
  await must('POST', '/config/templates', {
    ...{
      owner_id: owner,
      id: 'paid',
      name: 'Paid',
      description: '',
      currency: 'EUR',
      jackpot_type: 'Jackpot',
    },
    house_pot: { contribution_type: { Percentage: '0' } },
    contribution_rules: {
      contribution_type: { Fixed: '1' },
      opt_in_required: false,
      operator_contribution_percentage: '0',
    },
    pots: [
      {
        ...{ ...pot, pot_types: [{ External: {} }] },
        seed_strategy: { initial_seed_value: 0, min_reseed_value: 0, fund_strategy: 'CollectAll' },
      },
    ],
  });
  const made = { template_owner_id: owner, template_id: 'paid', owner_id: owner, name: 'Paid' };
  ({ id: instance } = (await must('POST', '/config/instances', made)) as { id: string });
  await must('POST', `/config/instances/${instance}/status`, { status: 'Active', reason: 'test' });
  for (const { id } of brands) {
    const settings = { base_url, ...strictKeys, provider_id: 'potstream', close_rounds: false };
    await must('PUT', `/config/operators/${owner}/brands/${id}/wallet`, settings);
  }
  operator = await OperatorClient.login(baseUrl, service);
}, 240_000);
afterAll(() => wallet.stop());

/** What the caller knows in the end; 504 and 409 say that it is not known yet. */
async function answerOf(brand: string, player: string): Promise<number> {
  const asked = {
    ...{ token: `token-${player}`, brand_id: `${owner}:${brand}`, player_id: player, player_country: 'DE' },
    ...{ base_wager: 1, currency: 'EUR', idempotency_key: player },
  };
  for (const untilMs = performance.now() + withinMs; performance.now() < untilMs; await pause(250)) {
    const { status } = await operator.contribute(instance, asked);
    if (status !== 504 && status !== 409) return status;
  }
  throw new Error(`${player}: nobody knows`);
}

async function play(brand: keyof typeof groups): Promise<readonly string[]> {
  const cases: readonly Case[] = groups[brand];
  const wrong: string[] = [];
  for (let begin = 0; begin < cases.length; begin += atOnce[brand]) {
    const some = cases
      .slice(begin, begin + atOnce[brand])
      .map(async ({ what, troubles, status, books }, index) => {
        const player = `${brand}-${begin + index}`;
        wallet.goesWrong(player, troubles);
        const answered = await answerOf(brand, player);
        const found = wallet.booksOf(player);
        if (answered !== status || !books.includes(found)) wrong.push(`${what}: ${answered}, ${found}`);
      });
    await Promise.all(some);
  }
  return wrong;
}

test('each debit is applied and made, or neither', async () => {
  const played = [play('once'), play('never'), play('cancellations')];
  expect((await Promise.all(played)).flat()).toEqual([]);
  expect(wallet.complaints).toEqual([]);
  expect(await must('GET', `/config/settlements?owner_id=${owner}`)).toEqual([]);
  const answer = await fetch(`${baseUrl}/v1/fairness/instances/${instance}/conservation`);
  const { sum, accounts } = (await answer.json()) as { sum: number; accounts: Record<string, number> };
  const debited = once.filter(({ status }) => status === 200).length;
  expect([sum, accounts.player, accounts['main.current']]).toEqual([0, -debited, debited]);
});
