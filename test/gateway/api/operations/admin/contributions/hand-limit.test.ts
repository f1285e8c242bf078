import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';
import { authenticated } from '../../../../support/players.ts';

/** docs/rules/approvals.md "Contributions by hand": the limit is 100 euros. */
let world: World;
let instance: string;
let one: string;
let nowMs: number;
const dayMs = 86_400_000;

beforeEach(async () => {
  nowMs = Date.now();
  world = await startWorld({ nowMs: () => nowMs });
  await furnish(world);
  instance = await activeInstance();
  one = await world.token(undefined, ['acme']);
  await rule({ enabled: true, limit: '100' });
});
afterEach(() => world.stop());

async function activeInstance(changes = {}): Promise<string> {
  const id = await createInstance(world, changes);
  const active = { status: 'Active', reason: 'go' };
  const { status, text } = await world.call('POST', `/config/instances/${id}/status`, active);
  if (status !== 200) throw new Error(text);
  return id;
}

async function rule(four_eyes: object, operator = 'acme'): Promise<void> {
  expect((await world.call('PATCH', `/config/operators/${operator}`, { four_eyes })).status).toBe(204);
}

const body = { token: 'session', brand_id: 'acme:main', player_id: 'ada', player_country: 'DE' };

function contribute(base_wager: number | string, more: object = {}, token = one, headers = {}) {
  const path = `/config/instances/${instance}/contributions`;
  const contribution = { ...body, base_wager, currency: 'EUR', ...more };
  return world.call('POST', path, contribution, { token, headers });
}

async function statuses(...wagers: readonly (number | string)[]): Promise<number[]> {
  const found: number[] = [];
  for (const wager of wagers) found.push((await contribute(wager)).status);
  return found;
}

const approve = (id: string) => world.call('POST', `/config/approvals/${id}/approve`);
const total = async (id = instance) =>
  (await world.call('GET', `/config/instances/${id}`)).json.total_contributions;

describe('what one administrator contributes by hand', () => {
  it('counts together within 24 hours, for each administrator and each instance', async () => {
    expect(await statuses(60, 40.01, 40, '0.01')).toEqual([200, 202, 200, 202]);
    expect((await contribute(100, {}, await world.token(undefined, ['acme']))).status).toBe(200);
    const before = instance;
    instance = await activeInstanceUnderRule();
    expect(await statuses(100)).toEqual([200]);
    instance = before;
    nowMs += dayMs - 1;
    one = await sameAgain();
    expect(await statuses(1)).toEqual([202]);
    nowMs += 1;
    expect(await statuses(100, 1)).toEqual([200, 202]);
  });

  it('is the same for other gateways and after a restart, however many requests come at once', async () => {
    // A read model of another process forgets everything that is not in the table.
    const entries = await world.table.keys('byhand');
    expect(entries).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => contribute(15)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(14);
    expect(await total()).toBe(6);
    expect(await world.table.keys('byhand')).toHaveLength(1);
  });

  it('does not count what is refused, or repeated', async () => {
    const refused = { player_country: 'XX' };
    for (let at = 0; at < 3; at += 1) expect((await contribute(100, refused)).status).toBe(422);
    const keyed = { 'Idempotency-Key': 'once' };
    expect((await contribute(90, {}, one, keyed)).status).toBe(200);
    expect((await contribute(90, {}, one, keyed)).status).toBe(204);
    expect(await statuses(10, 1)).toEqual([200, 202]);
    expect(await total()).toBe(2);
  });

  it('counts in the currency of the jackpot, rounded up, and not at all alone without a rate', async () => {
    expect((await contribute('108.00000001', { currency: 'USD' })).status).toBe(202);
    expect((await contribute(108, { currency: 'USD' })).status).toBe(200);
    const none = await contribute(1, { currency: 'JPY' });
    expect(none.status).toBe(202);
    expect((await approve(none.json.id)).json.code).toBe('currency_not_supported');
  });

  it('counts what it contributes where that is more than its wager', async () => {
    instance = await activeInstanceUnderRule({
      overrides: { contribution_rules: { contribution_type: { Fixed: 60 } } },
    });
    expect(await statuses(1, 1)).toEqual([200, 202]);
    instance = await activeInstanceUnderRule({
      overrides: {
        contribution_rules: {
          contribution_type: { Fixed: 1 },
          contribution_values_alt: [{ currency: 'USD', value: 200 }],
        },
      },
    });
    expect((await contribute(1, { currency: 'USD' })).status).toBe(202);
    expect(await statuses(1)).toEqual([200]);
    const preference = {
      ...body,
      token: undefined,
      opt_in: true,
      contribution_value: 99,
      contribution_currency: 'EUR',
    };
    const opted = await world.call('POST', `/config/instances/${instance}/opt-in`, preference);
    expect((await approveAs(opted.json.id)).json.state).toBe('executed');
    expect(await statuses(1)).toEqual([200]);
    expect(await statuses(1)).toEqual([202]);
  });

  it('counts for every instance that a source may lead to', async () => {
    const other = await activeInstanceUnderRule();
    for (const instance_id of [instance, other]) {
      const source = { owner_id: 'acme', source_id: ['slot-1'], instance_id };
      await approveAs((await world.call('POST', '/config/sources/assign', source)).json.id);
    }
    const bySource = (base_wager: number) =>
      world.call(
        'POST',
        '/config/sources/slot-1/contributions',
        { ...body, base_wager, currency: 'EUR' },
        { token: one },
      );
    expect((await contribute(70)).status).toBe(200);
    expect((await bySource(31)).status).toBe(202);
    expect((await bySource(30)).status).toBe(200);
    instance = other;
    expect(await statuses(71, 70)).toEqual([202, 200]);
  });

  it('always needs two persons without a limit', async () => {
    await rule({ enabled: true });
    expect(await statuses('0.01')).toEqual([202]);
  });
});

describe('an approved contribution by hand', () => {
  it('is made once, and counts for nobody', async () => {
    const { json } = await contribute(5_000);
    expect(await total()).toBe(0);
    expect((await approve(json.id)).json).toMatchObject({ state: 'executed', result: { status_code: 200 } });
    expect(await total()).toBe(1);
    expect(await statuses(100)).toEqual([200]);
  });

  it('asks the wallet again, whatever is remembered of the player', async () => {
    await world
      .call('PUT', '/config/operators/acme/brands/vip/wallet', wallet)
      .then(({ json }) => approveAs(json.id));
    const identity = { player: 'ada', brand: 'acme:vip' };
    world.players.answer = () => authenticated(identity);
    const vip = { brand_id: 'acme:vip' };
    expect((await contribute(1, vip)).status).toBe(200);
    const asked = world.players.asked.length;
    const [good, bad] = [await contribute(500, vip), await contribute(501, vip)];
    expect(world.players.asked).toHaveLength(asked);
    expect((await approve(good.json.id)).json.state).toBe('executed');
    expect(world.players.asked.slice(asked)).toMatchObject([{ token: 'session', anew: true }]);
    world.players.answer = () => ({ kind: 'refused' });
    expect((await approve(bad.json.id)).json.code).toBe('player_token_invalid');
    expect(await total()).toBe(2);
  });
});

const wallet = {
  base_url: 'https://wallet.example.com',
  bearer_key: 'a-bearer-key',
  hmac_secret: 'a secret that signs the calls',
  provider_id: 'potstream',
};

/** A new token of the same administrator. */
async function sameAgain(): Promise<string> {
  const { sub } = JSON.parse(Buffer.from(one.split('.')[1]!, 'base64url').toString('utf8'));
  return world.access.tokens.issueAdministrator(world.access.accounts.find('administrator', sub)!);
}

async function approveAs(id: string) {
  return world.call('POST', `/config/approvals/${id}/approve`, undefined, { token: await world.token() });
}

async function activeInstanceUnderRule(changes = {}): Promise<string> {
  const id = await createInstance(world, changes);
  const path = `/config/instances/${id}/status`;
  const { json } = await world.call('POST', path, { status: 'Active', reason: 'go' }, { token: one });
  expect((await approve(json.id)).json.state).toBe('executed');
  return id;
}
