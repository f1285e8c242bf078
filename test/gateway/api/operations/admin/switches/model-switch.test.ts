import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EndedSwitches } from '../../../../../../src/gateway/api/audit/ended-switches.ts';
import {
  createInstance,
  furnish,
  goldPot,
  startWorld,
  template,
  type World,
  workOn,
} from '../../../../support/administration.ts';

let world: World;
let source = '';
beforeEach(async () => {
  world = await startWorld();
  await furnish(world);
  source = await createInstance(world);
  await must('POST', `/config/instances/${source}/status`, { status: 'Active', reason: 'go' });
  await must('POST', '/config/templates', template('one', { pots: [{ ...goldPot, id: 'grand' }] }));
});
afterEach(() => world.stop());

async function must(method: string, path: string, body?: unknown) {
  const answer = await world.call(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
}

const everythingToGrand = [
  { source_pot: 'gold', target_pot: { grand: '1' } },
  { source_pot: 'silver', target_pot: { grand: '1' } },
];

function preview(changes: Readonly<Record<string, unknown>> = {}, options = {}) {
  const body = {
    source_instance_id: source,
    template_owner_id: 'acme',
    template_id: 'one',
    target_instance_owner_id: 'acme',
    target_instance_name: 'The next one',
    pot_rules: everythingToGrand,
    transfer_optins: true,
    reason: 'a better model',
    dry_run: true,
    ...changes,
  };
  return world.call('POST', '/config/model-switch/preview', body, options);
}

async function target(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const answer = await preview({ dry_run: false, ...changes });
  expect(answer.status, answer.text).toBe(200);
  return answer.json.target_instance.id;
}

async function execute(to: string, changes: Readonly<Record<string, unknown>> = {}, headers = {}) {
  const { token, subject } = await caller();
  const body = {
    source_instance_id: source,
    target_instance_id: to,
    user_id: subject,
    transfer_optins: true,
    pot_rules: everythingToGrand,
    reason: 'a better model',
    ...changes,
  };
  return world.call('POST', '/config/model-switch/execute', body, { token, headers });
}

async function caller() {
  const token = await world.token();
  const [, claims] = token.split('.');
  const { sub } = JSON.parse(Buffer.from(claims!, 'base64url').toString());
  return { token, subject: sub as string };
}

describe('the preview of a model switch (A28)', () => {
  it('shows both instances and stores nothing with dry_run', async () => {
    const before = world.commands.length;
    const { status, json } = await preview();
    expect(status).toBe(200);
    expect(json.source_instance).toMatchObject({ id: source, status: 'Active' });
    expect(json.target_instance).toMatchObject({
      status: 'Pending',
      name: 'The next one',
      template_id: 'one',
      currency: 'EUR',
      pots: [{ id: 'grand', current_value: 200 }],
    });
    expect(world.commands.length).toBe(before);
    expect((await world.call('GET', `/config/instances/${json.target_instance.id}`)).status).toBe(404);
    expect(await must('GET', `/config/instances/${source}`)).toMatchObject({ status: 'Active' });
  });

  it('creates the target without it, Pending and empty', async () => {
    const id = await target({ target_instance_game_code: 'slot-9', target_instance_desc: 'Better.' });
    expect(await must('GET', `/config/instances/${id}`)).toMatchObject({
      status: 'Pending',
      game_code: 'slot-9',
      description: 'Better.',
      pots: [{ id: 'grand', current_value: 0 }],
    });
  });

  it.each([
    [{ source_instance_id: 'unknown' }, 404, 'instance_not_found'],
    [{ template_id: 'unknown' }, 404, 'template_not_found'],
    [{ target_instance_owner_id: 'unknown' }, 404, 'operator_not_found'],
    [{ reason: '  ' }, 422, 'reason_required'],
    [{ dry_run: null }, 400, 'invalid_request'],
    [{ dry_run: 'true' }, 400, 'invalid_request'],
    [{ transfer_optins: undefined }, 400, 'invalid_request'],
    [{ target_instance_game_code: 'two\nlines' }, 400, 'invalid_identifier'],
    [{ unknown_field: 1 }, 400, 'invalid_request'],
    [{ pot_rules: [] }, 422, 'transfer_rules_invalid'],
    [{ pot_rules: everythingToGrand.slice(1) }, 422, 'transfer_rules_invalid'],
    [{ pot_rules: [...everythingToGrand, everythingToGrand[0]] }, 422, 'transfer_rules_invalid'],
    [{ pot_rules: [{ source_pot: 'gold', target_pot: { grand: 1 } }] }, 400, 'invalid_request'],
    [
      { pot_rules: [{ source_pot: 'gold', target_pot: { grand: '0.9' } }, everythingToGrand[1]] },
      422,
      'transfer_rules_invalid',
    ],
    [
      { pot_rules: [{ source_pot: 'gold', target_pot: { other: '1' } }, everythingToGrand[1]] },
      422,
      'transfer_rules_invalid',
    ],
    [
      { pot_rules: [{ source_pot: 'gold', target_pot: { grand: '-1' } }, everythingToGrand[1]] },
      422,
      'transfer_rules_invalid',
    ],
  ])('refuses %j', async (changes, status, code) => {
    const before = world.commands.length;
    for (const dry_run of [true, false]) {
      expect(await preview({ dry_run, ...changes })).toMatchObject({ status, json: { code } });
    }
    expect(world.commands.length).toBe(before);
  });

  it('refuses odds that get worse, unless they are wanted', async () => {
    const worse = {
      ...goldPot,
      id: 'grand',
      pot_types: [{ HitRate: { max_magic_number: 2000, cost_per_attempt: '0.1' } }],
    };
    await must('POST', '/config/templates', template('worse', { pots: [worse] }));
    expect(await preview({ template_id: 'worse' })).toMatchObject({
      status: 422,
      json: { code: 'config_invalid' },
    });
    expect((await preview({ template_id: 'worse', override: true })).status).toBe(200);
  });

  it('is for those who may configure the owner', async () => {
    const foreign = await world.token(['config'], ['other']);
    expect(await preview({}, { token: foreign })).toMatchObject({
      status: 404,
      json: { code: 'instance_not_found' },
    });
    const viewer = await world.token(['viewer'], ['acme']);
    expect(await preview({}, { token: viewer })).toMatchObject({ status: 403, json: { code: 'forbidden' } });
    expect(await preview({}, { token: '' })).toMatchObject({ status: 401 });
  });
});

describe('the execution of a model switch (A29)', () => {
  it('moves everything, re-points bindings and copies opt-ins', async () => {
    await must('PUT', `/config/instances/${source}/pots/silver/seed-value`, {
      adjustment: '7.5',
      reason: 'x',
    });
    await must('POST', '/config/sources/assign', {
      owner_id: 'acme',
      source_id: ['slot-1'],
      instance_id: source,
    });
    const optIn = { brand_id: 'acme:main', player_id: 'p1', player_country: 'DE', opt_in: true };
    await must('POST', `/config/instances/${source}/opt-in`, optIn);
    const id = await target();
    expect(await execute(id)).toMatchObject({ status: 204, text: '' });
    const after = await must('GET', `/config/instances/${source}`);
    expect(after).toMatchObject({ status: 'Switched', switched_to: id });
    expect(after.pots.map((pot: { current_value: number }) => pot.current_value)).toEqual([0, 0]);
    expect(await must('GET', `/config/instances/${id}`)).toMatchObject({
      status: 'Active',
      pots: [{ current_value: 200, seed_value: 7.5 }],
    });
    const [bound] = await must('GET', '/config/sources?owner_id=acme&source_id=slot-1');
    expect(bound.jackpots).toMatchObject([{ instance_id: id }]);
    expect(await must('GET', `/config/instances/${id}/opt-ins`)).toMatchObject([{ opted_in: true }]);
    const commands = world.commands.length;
    expect(await execute(id)).toMatchObject({ status: 204, text: '' });
    expect(world.commands.length).toBe(commands + 1);
    expect(await must('GET', `/config/instances/${source}`)).toMatchObject({
      version: after.version,
      switch: null,
    });
  });

  it('keeps to the version of the source that If-Match names', async () => {
    const id = await target();
    const { version } = await must('GET', `/config/instances/${source}`);
    const stale = await execute(id, {}, { 'If-Match': String(version - 1) });
    expect(stale).toMatchObject({ status: 409, json: { code: 'version_conflict' } });
    expect(await must('GET', `/config/instances/${source}`)).toMatchObject({ version, switched_to: null });
    expect((await execute(id, {}, { 'If-Match': String(version) })).status).toBe(204);
  });

  it('refuses what must not be, and nothing changes', async () => {
    const id = await target();
    const refusals = [
      [{ user_id: 'somebody else' }, 403, 'actor_mismatch'],
      [{ target_instance_id: 'unknown' }, 404, 'instance_not_found'],
      [{ target_instance_id: source }, 422, 'invalid_transition'],
      [{ reason: '' }, 422, 'reason_required'],
      [{ pot_rules: [] }, 422, 'transfer_rules_invalid'],
      [{ override: 'yes' }, 400, 'invalid_request'],
      [{ reason: undefined }, 400, 'invalid_request'],
    ] as const;
    for (const [changes, status, code] of refusals) {
      expect(await execute(id, changes)).toMatchObject({ status, json: { code } });
    }
    expect(await must('GET', `/config/instances/${source}`)).toMatchObject({
      status: 'Active',
      switched_to: null,
      pots: [{ current_value: 100 }, { current_value: 100 }],
    });
  });

  it('does not cross groups', async () => {
    const other = await createInstance(world, { group: 'acme:other' });
    expect(await execute(other)).toMatchObject({ status: 422, json: { code: 'group_mismatch' } });
  });
});

describe('a switch of an instance with many players', () => {
  const many = 1200;
  let lane: number;
  beforeEach(async () => {
    const opt_ins = Array.from({ length: many }, (_, at) => ({ player_id: `player-${at}`, currency: 'EUR' }));
    const rows = [{ instance_id: source, brand_id: 'acme:main', opt_ins, opt_outs: [] }];
    await must('POST', '/config/opt-ins/bulk', rows);
    lane = world.readModel.known(source)!.lane;
    workOn(world, lane);
  });
  const cancel = (to: string, changes = {}) =>
    world.call('DELETE', '/config/model-switch/execute', {
      source_instance_id: source,
      target_instance_id: to,
      reason: 'not today',
      ...changes,
    });
  const shown = (id = source) => must('GET', `/config/instances/${id}`);

  it('is answered when it is done, and goes on meanwhile', async () => {
    const id = await target();
    const answer = execute(id);
    await vi.waitFor(async () => {
      expect(await shown()).toMatchObject({
        status: 'Active',
        switch: { target: id, copied: 500, total: many, state: 'copying', code: null, message: null },
      });
    });
    const again = execute(id);
    expect(await execute(id, { transfer_optins: false })).toMatchObject({
      status: 409,
      json: { code: 'switch_in_progress' },
    });
    workOn(world, lane);
    expect([await answer, await again]).toMatchObject([{ status: 204 }, { status: 204 }]);
    expect(await shown()).toMatchObject({ status: 'Switched', switched_to: id, switch: null });
    expect(await shown(id)).toMatchObject({ status: 'Active', switch: null });
  });

  it('is answered with 202 after five seconds, and the trail records its end once, whichever gateway looks', async () => {
    const id = await target();
    expect(await execute(id)).toMatchObject({
      status: 202,
      json: {
        source_instance_id: source,
        target_instance_id: id,
        switch: { target: id, copied: 500, total: many, state: 'copying' },
      },
    });
    const [begun] = await trail();
    expect(begun).toMatchObject({ operation: 'A29', outcome: 'applied', status_code: 202 });
    workOn(world, lane);
    const gateways = [new EndedSwitches(world.context), new EndedSwitches(world.context)];
    await Promise.all(gateways.map((each) => each.record()));
    await new EndedSwitches(world.context).record();
    expect((await trail()).slice(0, 2)).toMatchObject([
      {
        operation: 'A29',
        outcome: 'applied',
        status_code: 204,
        user: begun.user,
        owners: ['acme'],
        reason: 'a better model',
        changes: [{ object: `switch of instance ${source}`, after: { switched_to: id } }],
      },
      { status_code: 202 },
    ]);
  });

  it('that its last command refuses leaves the source as it was; the caller, A32 and the trail say why', async () => {
    const id = await target();
    const answer = execute(id);
    await vi.waitFor(async () => expect((await shown()).switch).not.toBeNull());
    const { version } = await shown();
    await must('POST', `/config/instances/${id}/status`, { status: 'Cancelled', reason: 'a mistake' });
    workOn(world, lane);
    const message = expect.stringContaining('must be Pending');
    expect(await answer).toMatchObject({ status: 422, json: { code: 'invalid_transition', message } });
    expect(await shown()).toMatchObject({
      status: 'Active',
      version,
      switched_to: null,
      switch: { target: id, state: 'refused', code: 'invalid_transition', message },
    });
    await new EndedSwitches(world.context).record();
    expect((await trail())[0]).toMatchObject({
      operation: 'A29',
      outcome: 'refused',
      status_code: 422,
      code: 'invalid_transition',
      changes: [{ after: { code: 'invalid_transition', message } }],
    });
  });

  it('is cancelled before its last command', async () => {
    const id = await target();
    const answer = execute(id);
    await vi.waitFor(async () => expect((await shown()).switch).not.toBeNull());
    expect(await cancel(id, { reason: ' ' })).toMatchObject({
      status: 422,
      json: { code: 'reason_required' },
    });
    expect(await cancel('unknown')).toMatchObject({ status: 404, json: { code: 'instance_not_found' } });
    expect(await cancel(source)).toMatchObject({ status: 422, json: { code: 'invalid_transition' } });
    expect(await cancel(id)).toMatchObject({ status: 204, text: '' });
    expect(await answer).toMatchObject({ status: 422, json: { code: 'invalid_transition' } });
    expect(await cancel(id)).toMatchObject({ status: 204 });
    expect(await shown()).toMatchObject({ status: 'Active', switch: { target: id, state: 'cancelled' } });
    workOn(world, lane);
    expect(await must('GET', `/config/instances/${id}/opt-ins`)).toEqual([]);
    await new EndedSwitches(world.context).record();
    const [cancelled] = (await trail()).filter(({ operation }: { operation: string }) => operation !== 'A29');
    expect(cancelled).toMatchObject({
      operation: 'switches.cancel',
      outcome: 'applied',
      reason: 'not today',
      changes: expect.arrayContaining([expect.objectContaining({ object: 'command CancelSwitch' })]),
    });
  });
});

/** Changes of the trail, the newest first. */
async function trail() {
  return must('GET', '/config/audit?limit=50');
}
