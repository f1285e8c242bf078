import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeMessage } from '../../../../../../src/audit/chain.ts';
import {
  createInstance,
  furnish,
  newInstance,
  registerOrigin,
  startWorld,
  template,
  type World,
} from '../../../../support/administration.ts';

let world: World;
let proposer: string;
let approver: string;
let instance: string;

beforeEach(async () => {
  world = await startWorld();
  await furnish(world);
  await registerOrigin(world, 'https://divert.example.com');
  await world.call('POST', '/config/templates', externalTemplate());
  instance = await createInstance(world, { template_id: 'external' });
  const active = { status: 'Active', reason: 'begin' };
  await world.call('POST', `/config/instances/${instance}/status`, active);
  proposer = await world.token();
  approver = await world.token();
  await enable({ enabled: true, limit: '500' });
});
afterEach(() => world.stop());

describe('an adjustment under the four-eyes rule', () => {
  it('waits for a second administrator above the limit, who executes the very same bytes', async () => {
    const body = { adjustment: '501.5', reason: 'campaign' };
    const proposed = await adjust(body);
    expect(proposed.status).toBe(202);
    const id = proposed.headers.get('x-approval-id')!;
    expect(proposed.json).toMatchObject({ id, state: 'open', operation: 'A22', body });
    expect(await currentValue()).toBe(100);
    const approved = await approve(id, body);
    expect([approved.status, approved.json.state]).toEqual([200, 'executed']);
    expect(approved.json.result).toEqual({ status_code: 204, code: null, body: null });
    expect(await currentValue()).toBe(501.5);
    const command = world.commands.findLast(({ kind }) => kind === 'AdjustPot');
    expect(command).toMatchObject({ user: proposed.json.proposed_by });
  });

  it('needs none up to the limit', async () => {
    expect((await adjust({ adjustment: 500, reason: 'why' })).status).toBe(204);
    expect(await currentValue()).toBe(500);
  });

  it.each(['current-value', 'seed-value', 'surplus-seed'])('needs one downwards: %s', async (account) => {
    expect((await adjust({ adjustment: 90, reason: 'up' }, account)).status).toBe(
      account === 'current-value' ? 202 : 204,
    );
    expect((await adjust({ adjustment: 80, reason: 'down' }, account)).status).toBe(202);
    expect((await adjust({ adjustment: 501, reason: 'up' }, account)).status).toBe(202);
  });

  it('needs one always without a limit', async () => {
    await enable({ enabled: true });
    expect((await adjust({ adjustment: 101, reason: 'why' })).status).toBe(202);
  });

  it('is refused at once where nothing needs a second one to say so', async () => {
    expect((await adjust({ adjustment: -1, reason: 'why' })).json.code).toBe('amount_negative');
    expect((await adjust({ adjustment: 900, reason: ' ' })).json.code).toBe('reason_required');
    const path = `/config/instances/${instance}/pots/none/current-value`;
    expect((await world.call('PUT', path, { adjustment: 900, reason: 'why' })).json.code).toBe(
      'pot_not_found',
    );
    expect(await openApprovals()).toEqual([]);
  });

  it('is applied once with its idempotency key, and proposed once', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const body = { adjustment: 900, reason: 'why' };
    const [first, second] = [await adjust(body, undefined, headers), await adjust(body, undefined, headers)];
    expect(second.headers.get('x-approval-id')).toBe(first.headers.get('x-approval-id'));
    const other = await adjust({ ...body, adjustment: 901 }, undefined, headers);
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await approve(first.json.id, body)).status).toBe(200);
    expect(world.commands.filter(({ kind }) => kind === 'AdjustPot')).toHaveLength(1);
  });
});

describe('an approval', () => {
  const body = { adjustment: 900, reason: 'why' };

  it('is refused to its proposer, and loses nothing', async () => {
    const { json } = await adjust(body);
    const refused = await approve(json.id, body, proposer);
    expect([refused.status, refused.json.code]).toEqual([403, 'approval_by_proposer']);
    expect(await currentValue()).toBe(100);
    expect((await approve(json.id, body)).status).toBe(200);
  });

  it.each([
    [{ adjustment: 901, reason: 'why' }],
    [{ reason: 'why', adjustment: 900 }],
    [[body]],
    ['{"adjustment": 900,"reason":"why"}'],
  ])('is refused of other bytes: %j', async (other) => {
    const { json } = await adjust(body);
    const refused = await approve(json.id, other);
    expect([refused.status, refused.json.code]).toEqual([409, 'approval_mismatch']);
    expect(await currentValue()).toBe(100);
    expect((await approve(json.id, body)).status).toBe(200);
  });

  it('stands as it was stored where no body is sent', async () => {
    const { json } = await adjust(body);
    expect((await approve(json.id, undefined)).status).toBe(200);
    expect(await currentValue()).toBe(900);
  });

  it('is refused when it has expired', async () => {
    const { json } = await adjust(body);
    await expire(json.id);
    const refused = await approve(json.id, body);
    expect([refused.status, refused.json.code]).toEqual([409, 'approval_expired']);
    expect((await reject(json.id)).json.code).toBe('approval_expired');
    expect(await currentValue()).toBe(100);
    expect(await openApprovals()).toEqual([]);
    expect((await openApprovals('?state=expired')).map(({ id }) => id)).toEqual([json.id]);
  });

  it('takes effect once for two administrators at once', async () => {
    const { json } = await adjust(body);
    const others = [approver, await world.token(), await world.token()];
    const answers = await Promise.all(others.map((token) => approve(json.id, body, token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
    expect(world.commands.filter(({ kind }) => kind === 'AdjustPot')).toHaveLength(1);
    expect(await currentValue()).toBe(900);
  });

  it('takes effect once for one administrator twice at once', async () => {
    const { json } = await adjust(body);
    const answers = await Promise.all([approve(json.id, body), approve(json.id, body)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect((await approve(json.id, body)).json.code).toBe('approval_not_found');
  });

  it('is missing to those who do not see the owner, and forbidden to those without the right', async () => {
    const { json } = await adjust(body);
    const foreign = await world.token(undefined, ['rival']);
    const missing = await approve('no-such-approval', body);
    const hidden = await approve(json.id, body, foreign);
    expect([hidden.status, hidden.text]).toEqual([404, missing.text]);
    expect(hidden.json.code).toBe('approval_not_found');
    for (const role of ['viewer', 'support', 'config', 'security', 'auditor'] as const) {
      const refused = await approve(json.id, body, await world.token([role], ['acme']));
      expect([role, refused.status, refused.json.code]).toEqual([role, 403, 'forbidden']);
      expect((await reject(json.id, await world.token([role], ['acme']))).status).toBe(403);
    }
    expect((await approve(json.id, body, await world.token(['finance'], ['acme']))).status).toBe(200);
  });

  it('needs the proposer to have the right still', async () => {
    const user = {
      username: 'leaver',
      password: 'a long password',
      roles: ['finance'] as const,
      owners: ['acme'],
    };
    const token = await world.access.tokens.issueAdministrator(
      (await world.access.createAdministrator(user))!,
    );
    const { json } = await adjust(body, undefined, {}, token);
    await world.access.accounts.remove('administrator', 'leaver');
    const refused = await approve(json.id, body);
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden']);
    expect(await currentValue()).toBe(100);
  });

  it('ends when the operation is refused', async () => {
    const { json } = await adjust({ adjustment: 5_000, reason: 'why' });
    const refused = await approve(json.id, undefined);
    expect([refused.status, refused.json.code]).toEqual([422, 'pot_limit_exceeded']);
    const [shown] = await openApprovals('?state=refused');
    expect(shown).toMatchObject({ id: json.id, result: { status_code: 422, code: 'pot_limit_exceeded' } });
  });

  it('can be rejected, also by the proposer, with a reason', async () => {
    const { json } = await adjust(body);
    expect((await reject(json.id, approver, { reason: '  ' })).json.code).toBe('reason_required');
    const rejected = await reject(json.id, proposer, { reason: 'too much' });
    expect(rejected.json).toMatchObject({ state: 'rejected', decision_reason: 'too much' });
    expect((await approve(json.id, body)).json.code).toBe('approval_not_found');
    expect(await currentValue()).toBe(100);
  });

  it('is one of a limited number', async () => {
    const answers = [];
    for (let at = 0; at < 26; at += 1) answers.push(await adjust({ adjustment: 600 + at, reason: 'why' }));
    expect(answers.map(({ status }) => status)).toEqual([...new Array(25).fill(202), 429]);
    expect((await adjust(body, undefined, {}, approver)).status).toBe(202);
  });

  it('is one of a limited number in a minute, whatever became of the others', async () => {
    for (let at = 0; at < 100; at += 1) {
      const { status, json } = await adjust({ adjustment: 600 + at, reason: 'why' });
      expect([at, status]).toEqual([at, 202]);
      await reject(json.id, proposer);
    }
    expect((await adjust(body, undefined, {}, approver)).json.code).toBe('rate_limited');
  });

  it('is listed to those who see the owner', async () => {
    const { json } = await adjust(body);
    expect((await openApprovals('', await world.token(['viewer'], ['acme']))).map(({ id }) => id)).toEqual([
      json.id,
    ]);
    expect(await openApprovals('', await world.token(undefined, ['rival']))).toEqual([]);
    expect(await openApprovals('?owner_id=rival')).toEqual([]);
    const foreign = await world.call('GET', '/config/approvals?owner_id=nobody', undefined, {
      token: approver,
    });
    expect([foreign.status, foreign.json.code]).toEqual([404, 'operator_not_found']);
  });
});

describe('changes of money and odds under the four-eyes rule', () => {
  it('awards a pot', async () => {
    const path = `/config/instances/${instance}/pots/gold/trigger`;
    const win = { brand_id: 'acme:main', player_id: 'ada', source_id: 'slot-1' };
    const { json } = await proposed('POST', path, win);
    expect(await currentValue()).toBe(100);
    const approved = await approve(json.id, win);
    expect(approved.json.result.body).toMatchObject({ win_amount: 100, win_pot_id: 'gold' });
  });

  it('switches a model, and creates its target', async () => {
    const preview = {
      source_instance_id: instance,
      template_owner_id: 'acme',
      template_id: 'external',
      target_instance_owner_id: 'acme',
      target_instance_name: 'Two',
      pot_rules: [{ source_pot: 'gold', target_pot: { gold: '1' } }],
      transfer_optins: false,
      reason: 'why',
      dry_run: true,
    };
    expect((await world.call('POST', '/config/model-switch/preview', preview)).status).toBe(200);
    const creation = { ...preview, dry_run: false };
    const { json } = await proposed('POST', '/config/model-switch/preview', creation);
    const target = (await approve(json.id, creation)).json.result.body.target_instance.id;
    const execution = {
      source_instance_id: instance,
      target_instance_id: target,
      user_id: json.proposed_by,
      transfer_optins: false,
      pot_rules: preview.pot_rules,
      reason: 'why',
    };
    const second = await proposed('POST', '/config/model-switch/execute', execution);
    expect((await approve(second.json.id, execution)).status).toBe(200);
    const shown = await world.call('GET', `/config/instances/${instance}`);
    expect(shown.json).toMatchObject({ status: 'Switched', switched_to: target });
  });

  it('sets the address of a wallet, and shows no secret of it', async () => {
    const path = '/config/operators/acme/brands/main/wallet';
    const wallet = {
      base_url: 'https://wallet.example.com',
      bearer_key: 'a-bearer-key-of-the-wallet',
      hmac_secret: 'a secret of the wallet that signs',
      provider_id: 'potstream',
    };
    const { json, text } = await proposed('PUT', path, wallet);
    expect(text).not.toMatch(/a-bearer-key|that signs/);
    // Whoever knows the rest would try passwords against it.
    expect(json.body_sha256).toBeNull();
    const stored = [...(await world.approvals.keys())].map((key) => world.approvals.get(key));
    const entries = (await Promise.all(stored)).map((entry) => Buffer.from(entry!.value).toString('utf8'));
    expect(entries.join()).not.toMatch(/a-bearer-key|that signs/);
    expect((await approve(json.id, wallet)).status).toBe(200);
    expect((await world.call('GET', path)).json.base_url).toBe('https://wallet.example.com');
    const rotated = { ...wallet, hmac_secret: 'another secret of the wallet, newer' };
    const rotation = await proposed('PUT', path, rotated);
    expect((await approve(rotation.json.id, rotated)).status).toBe(200);
    const trail = world.audit.messages.map(({ bytes }) => Buffer.from(bytes).toString('utf8')).join();
    expect(trail).not.toMatch(/a-bearer-key|that signs|another secret/);
  });

  it('lets larger wins of a brand go without a person, but smaller ones at once', async () => {
    const path = '/config/operators/acme/brands/main/wallet';
    const wallet = (verification_limit: number | string | null) => ({
      base_url: 'https://wallet.example.com',
      bearer_key: 'a-bearer-key-of-the-wallet',
      hmac_secret: 'a secret of the wallet that signs',
      provider_id: 'potstream',
      verification_limit,
    });
    const limited = await proposed('PUT', path, wallet('1000'));
    await approve(limited.json.id, wallet('1000'));
    const shown = async () => (await world.call('GET', path)).json.verification_limit;
    expect(await shown()).toBe('1000');
    for (const lower of ['1000.0', 999.99]) {
      const { status } = await world.call('PUT', path, wallet(lower), { token: proposer });
      expect(status).toBe(200);
    }
    for (const higher of ['1000', 10_000, null]) await proposed('PUT', path, wallet(higher));
    expect(await shown()).toBe('999.99');
    const { json } = await proposed('PUT', path, wallet(null));
    expect((await approve(json.id, wallet(null))).status).toBe(200);
    expect(await shown()).toBe(null);
  });

  it('diverts money to another address, by parameters or by a new instance', async () => {
    const target = (account: string) => ({
      house_pot: {
        contribution_type: { Percentage: 0.1 },
        diversion_rules: {
          target: { External: { endpoint: 'https://divert.example.com', account_id: account } },
          diversion_percentage: 0.5,
        },
      },
    });
    const path = `/config/instances/${instance}/parameters`;
    const change = { overrides: target('ours'), reason: 'why' };
    const { json } = await proposed('PUT', path, change);
    expect((await approve(json.id, change)).status).toBe(200);
    const same = {
      overrides: { house_pot: { diversion_rules: { diversion_percentage: 0.4 } } },
      reason: 'why',
    };
    const share = await proposed('PUT', path, same);
    expect((await approve(share.json.id, same)).status).toBe(200);
    await proposed('PUT', path, { overrides: target('another'), reason: 'why' });
    await proposed('POST', '/config/instances', newInstance({ overrides: target('third') }));
    expect(
      (await world.call('POST', '/config/templates', template('diverting', target('third')))).status,
    ).toBe(201);
    const made = newInstance({ template_id: 'diverting', name: 'Four' });
    const creation = await proposed('POST', '/config/instances', made);
    const approved = await approve(creation.json.id, made);
    expect(approved.json.result).toMatchObject({ status_code: 201, body: { name: 'Four' } });
  });

  it('changes anything of the parameters, but not if they stay as they are', async () => {
    const path = `/config/instances/${instance}/parameters`;
    const change = (pot: object) => ({ overrides: { pots: [{ id: 'gold', ...pot }] }, reason: 'why' });
    await proposed('PUT', path, change({ payout_ruleset: { main_winner_percentage: 0.9, admin_fee: 0.1 } }));
    await proposed('PUT', path, change({ win_constraints: [{ MinPotValue: '1' }] }));
    await proposed('PUT', path, change({ maximum_pot_value: 2_000 }));
    await proposed('PUT', path, change({ enabled: false }));
    const price = { contribution_rules: { contribution_type: { Fixed: 500 } } };
    await proposed('PUT', path, { overrides: price, reason: 'why' });
    const same = await world.call('PUT', path, change({ maximum_pot_value: '1000.0' }), { token: proposer });
    expect(same.status).toBe(200);
  });

  it('moves balances to another instance', async () => {
    const other = await createInstance(world, { template_id: 'external' });
    await proposed('POST', `/config/instances/${instance}/status`, {
      status: 'Completed',
      to: other,
      reason: 'end',
    });
    const paused = { status: 'Paused', reason: 'wait' };
    expect((await world.call('POST', `/config/instances/${instance}/status`, paused)).status).toBe(200);
  });

  it('sets rates that jump, however the jump is divided', async () => {
    const path = '/config/currencies/acme:main';
    const set = (usd: string, token = proposer) =>
      world.call('PUT', path, { multipliers: { USD: usd } }, { token });
    expect((await set('1.1')).status).toBe(200);
    expect((await set('1.18')).status).toBe(200);
    expect((await set('1.25')).status).toBe(202);
    expect((await world.call('PUT', path, { multipliers: { SEK: '11' } }, { token: proposer })).status).toBe(
      200,
    );
    const { status, json } = await set('2.5');
    expect(status).toBe(202);
    expect((await approve(json.id, { multipliers: { USD: '2.5' } })).status).toBe(200);
    expect((await set('2.6')).status).toBe(200);
    const whole = { base_currency: 'EUR', multipliers: { USD: '2', SEK: 11.2 } };
    expect((await world.call('PUT', '/config/currencies', whole, { token: proposer })).status).toBe(202);
  });

  it('shows what it changes, whatever a currency is called', async () => {
    const path = '/config/currencies/acme:main';
    const table = { multipliers: { USD: '9', SALT: '5', TOKEN: '3' }, exponents: { SALT: 2, TOKEN: 0 } };
    const { json } = await proposed('PUT', path, table);
    expect(json.body).toEqual(table);
    expect(json.body_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect((await approve(json.id, undefined)).status).toBe(200);
    const entries = world.audit.messages.flatMap(({ bytes }) => decodeMessage(bytes)!.entries);
    const intent = entries.findLast(
      ({ kind, operation }) => kind === 'intent' && operation !== 'approvals.approve',
    );
    expect(intent!.input).toMatchObject({ body: table });
    const after = { multipliers: table.multipliers, exponents: table.exponents };
    expect(entries.at(-2)!.changes).toMatchObject([{ object: 'directory rates.acme.main', after }]);
  });

  it('measures rates by those of the day, also where a brand has the default ones in between', async () => {
    const path = '/config/currencies/acme:main';
    const put = (multipliers: object, token = proposer) =>
      world.call('PUT', path, { multipliers }, { token });
    const approved = async (multipliers: object) => {
      const { status, json } = await put(multipliers);
      expect(status).toBe(202);
      expect((await approve(json.id, { multipliers })).status).toBe(200);
    };
    const { multipliers } = (await world.call('GET', '/v1/currencies')).json;
    await approved({ USD: '9' });
    await approved({});
    expect((await put({ USD: String(multipliers.USD * 1.09) })).status).toBe(200);
    expect((await put({})).status).toBe(200);
    expect((await put({ USD: String(multipliers.USD * 1.2) })).status).toBe(202);
  });

  it('makes the rule weaker, or turns it off', async () => {
    const set = (four_eyes: object, token = proposer) =>
      world.call('PATCH', '/config/operators/acme', { four_eyes }, { token });
    expect((await set({ enabled: true, limit: '501' })).status).toBe(202);
    expect((await set({ enabled: true, limit: '100' })).status).toBe(204);
    expect((await set({ enabled: true })).status).toBe(204);
    expect((await set({ enabled: true, limit: '1' })).status).toBe(202);
    const off = await set({ enabled: false });
    expect(off.status).toBe(202);
    expect((await approve(off.json.id, { four_eyes: { enabled: false } })).status).toBe(200);
    expect((await adjust({ adjustment: 900, reason: 'why' })).status).toBe(204);
  });
});

describe('the trail of an approved change', () => {
  it('has proposal, approval and execution, with both administrators', async () => {
    const body = { adjustment: 900, reason: 'campaign' };
    const { json } = await adjust(body);
    await approve(json.id, body);
    const entries = world.audit.messages.flatMap(({ bytes }) => decodeMessage(bytes)!.entries);
    const outcomes = entries.filter(({ kind }) => kind === 'outcome').slice(-3);
    expect(outcomes.map(({ operation, outcome, status }) => [operation, outcome, status])).toEqual([
      ['A22', 'proposed', 202],
      ['A22', 'applied', 204],
      ['approvals.approve', 'applied', 200],
    ]);
    expect(outcomes[1]).toMatchObject({
      user: json.proposed_by,
      reason: 'campaign',
      owners: ['acme'],
      approval: { id: json.id },
    });
    expect(outcomes[1]!.changes).toContainEqual(
      expect.objectContaining({
        object: `instance ${instance}`,
        before: expect.anything(),
        after: expect.anything(),
      }),
    );
  });
});

function externalTemplate() {
  const pot = {
    id: 'gold',
    contribution: { Percentage: 0.25 },
    seed_strategy: { initial_seed_value: 100, min_reseed_value: '100' },
    pot_types: [{ External: {} }],
    maximum_pot_value: 1_000,
  };
  return template('external', { pots: [pot] });
}

function adjust(
  body: object,
  account = 'current-value',
  headers: Readonly<Record<string, string>> = {},
  token = proposer,
) {
  return world.call('PUT', `/config/instances/${instance}/pots/gold/${account}`, body, { token, headers });
}

async function proposed(method: string, path: string, body: object, statuses: readonly number[] = [202]) {
  const answer = await world.call(method, path, body, { token: proposer });
  if (!statuses.includes(answer.status))
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

function approve(id: string, body: unknown, token = approver) {
  return world.call('POST', `/config/approvals/${id}/approve`, body, { token });
}

function reject(id: string, token = approver, body?: object) {
  return world.call('POST', `/config/approvals/${id}/reject`, body, { token });
}

async function openApprovals(query = '', token = approver): Promise<readonly { readonly id: string }[]> {
  return (await world.call('GET', `/config/approvals${query}`, undefined, { token })).json;
}

async function currentValue(): Promise<number> {
  return (await world.call('GET', `/config/instances/${instance}`)).json.pots[0].current_value;
}

async function enable(four_eyes: object): Promise<void> {
  const { status, text } = await world.call('PATCH', '/config/operators/acme', { four_eyes });
  if (status !== 204) throw new Error(text);
}

/** As if its time had passed. */
async function expire(id: string): Promise<void> {
  const entry = (await world.approvals.get(id))!;
  const value = JSON.parse(Buffer.from(entry.value).toString('utf8'));
  const expired = Buffer.from(JSON.stringify({ ...value, expires: Date.now() - 1 }));
  await world.approvals.put(id, expired, entry.revision);
}
