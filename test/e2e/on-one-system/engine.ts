import { beforeAll, describe, expect, it } from 'vitest';
import { callGateway } from '../../support/call.ts';
import { oneSystem } from '../../support/one-system.ts';
import { loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

const patienceMs = 240_000;

let system: RunningSystem;
let admin = '';
let service = '';

beforeAll(async () => {
  system = await oneSystem();
  admin = await loggedIn(`${system.baseUrl}/auth/admin`, system.credentials.admin);
  await must('POST', '/config/operators', [{ id: 'engines', name: 'Engines' }]);
  await must('POST', '/config/operators/engines/brands', [{ id: 'one', name: 'One' }]);
  await must('POST', '/config/sources', [
    { owner_id: 'engines', source_id: 'slot-1', source_name: 'Slot', jackpots: [] },
  ]);
  const user = { username: 'engines-service', password: 'a very long password' };
  await must('POST', '/config/service-users', { ...user, operator_id: 'engines', brands: ['engines:one'] });
  service = await loggedIn(`${system.baseUrl}/v1/auth/service`, user);
}, patienceMs);

const call = (method: string, path: string, body?: unknown, token = admin) =>
  callGateway(system.baseUrl, method, path, body, token);

async function must(method: string, path: string, body?: unknown) {
  const answer = await call(method, path, body);
  expect([answer.status < 300, answer.json], `${method} ${path}`).toEqual([true, answer.json]);
  return answer.json;
}

async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function statusIs(instance: string, status: string): Promise<void> {
  await until(async () => ((await read(instance)).status === status ? true : null));
}

const read = (instance: string) => must('GET', `/config/instances/${instance}`);

async function create(template: string, document: object, changes: object = {}): Promise<string> {
  const rules = { contribution_rules: { contribution_type: { Fixed: 1 } }, currency: 'EUR' };
  const body = {
    owner_id: 'engines',
    id: template,
    name: template,
    description: '',
    jackpot_type: 'Jackpot',
  };
  await call('POST', '/config/templates', { ...body, ...rules, ...document });
  const instance = {
    template_owner_id: 'engines',
    template_id: template,
    owner_id: 'engines',
    name: template,
  };
  return (await must('POST', '/config/instances', { ...instance, ...changes })).id;
}

/** Its first epochs are committed a moment after it was created. */
async function activate(instance: string): Promise<void> {
  await until(async () => {
    const answer = await call('POST', `/config/instances/${instance}/status`, {
      status: 'Active',
      reason: 'go',
    });
    return answer.status === 200 ? true : null;
  });
}

async function contribute(path: string, changes: object = {}) {
  const body = {
    token: 't',
    brand_id: 'one',
    player_id: 'p1',
    player_country: 'DE',
    base_wager: 10,
    currency: 'EUR',
  };
  return call('POST', path, { ...body, ...changes }, service);
}

const pot = { id: 'main', contribution: { Percentage: 1 } };
const external = { pots: [{ ...pot, pot_types: [{ External: {} }] }] };

describe('the engine in a running system', () => {
  it(
    'draws the rounds of a raffle, whatever is killed in between',
    async () => {
      const raffle_rules = {
        cost_per_ticket: '0.5',
        cost_source: 'Contribution',
        allocation_mode: 'Instant',
        duration: { Seconds: 12 },
        prize_distribution: [{ prize_percentage: '0.5', number_of_winners: 3 }],
      };
      const instance = await create('raffle', { jackpot_type: 'Raffle', raffle_rules, pots: [pot] });
      await activate(instance);
      const path = `/v1/jackpot/instances/${instance}/contributions`;
      const first = await contribute(path);
      expect(first).toMatchObject({ status: 200, json: { tickets_awarded: 2, win_amount: 0 } });
      expect(first.headers.get('x-tickets-awarded')).toBe('2');
      expect((await contribute(path, { player_id: 'p2' })).status).toBe(200);
      await system.kill('actors');
      await system.ready();
      const winners = await until(async () => {
        const lists = await must('GET', `/config/instances/${instance}/winners`);
        return lists['engines:one']?.length === 3 ? lists['engines:one'] : null;
      });
      expect(winners.map((each: { win_amount: number }) => each.win_amount)).toEqual([0.33, 0.33, 0.33]);
      await statusIs(instance, 'Active');
      expect((await read(instance)).pots).toMatchObject([{ instance_count: 2, current_value: 1.01 }]);
      const conservation = (
        await call('GET', `/v1/fairness/instances/${instance}/conservation`, undefined, '')
      ).json;
      expect(Number(conservation.sum)).toBe(0);
    },
    patienceMs,
  );

  it(
    'switches an instance to another model and goes on there',
    async () => {
      const source = await create('first-model', external);
      await must('POST', '/config/sources/assign', {
        owner_id: 'engines',
        source_id: ['slot-1'],
        instance_id: source,
      });
      await activate(source);
      const keyed = { idempotency_key: 'once' };
      const path = '/v1/jackpot/sources/slot-1/contributions';
      const contributed = await contribute(path, keyed);
      expect(contributed).toMatchObject({ status: 200, json: { instance_id: source } });
      await create('second-model', { pots: [{ ...external.pots[0], id: 'grand' }] });
      const pot_rules = [{ source_pot: 'main', target_pot: { grand: '1' } }];
      const both = { source_instance_id: source, pot_rules, transfer_optins: true, reason: 'better' };
      const preview = await must('POST', '/config/model-switch/preview', {
        ...both,
        template_owner_id: 'engines',
        template_id: 'second-model',
        target_instance_owner_id: 'engines',
        target_instance_name: 'Second',
        dry_run: false,
      });
      const target = preview.target_instance.id;
      const { sub } = JSON.parse(Buffer.from(admin.split('.')[1]!, 'base64url').toString());
      await must('POST', '/config/model-switch/execute', {
        ...both,
        target_instance_id: target,
        user_id: sub,
      });
      expect(await read(source)).toMatchObject({ status: 'Switched', switched_to: target });
      expect(await read(target)).toMatchObject({ status: 'Active', pots: [{ current_value: 1 }] });
      expect(await contribute(path)).toMatchObject({ status: 200, json: { instance_id: target } });
      const repeated = await contribute(path, keyed);
      expect([repeated.status, repeated.headers.get('x-instance-id')]).toEqual([204, source]);
      const direct = await contribute(`/v1/jackpot/instances/${source}/contributions`);
      expect(direct).toMatchObject({ status: 422, json: { code: 'instance_not_active' } });
      expect((await read(target)).pots).toMatchObject([{ current_value: 2 }]);
    },
    patienceMs,
  );

  it(
    'resolves at timestamp_end and is completed into another instance',
    async () => {
      const heir = await create('heir', external);
      const ends = { timestamp_end: Date.now() + 12_000 };
      const instance = await create('ending', external, ends);
      await activate(instance);
      const early = await contribute(`/v1/jackpot/instances/${instance}/contributions`);
      expect(early.status).toBe(200);
      await statusIs(instance, 'Resolving');
      const late = await contribute(`/v1/jackpot/instances/${instance}/contributions`);
      expect(late).toMatchObject({ status: 422, json: { code: 'instance_not_active' } });
      const completed = { status: 'Completed', reason: 'over' };
      const path = `/config/instances/${instance}/status`;
      expect(await call('POST', path, completed)).toMatchObject({
        status: 422,
        json: { code: 'invalid_transition' },
      });
      expect(await must('POST', path, { ...completed, to: heir })).toMatchObject({ status: 'Completed' });
      expect((await read(heir)).pots).toMatchObject([{ current_value: 1 }]);
    },
    patienceMs,
  );
});
