import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createInstance,
  furnish,
  goldPot,
  newInstance,
  registerOrigin,
  startWorld,
  template,
  type World,
} from '../../../../support/administration.ts';

/** Templates that are changed, copied and retired (docs/rules/http.md "Templates and instances"). */
let world: World;
beforeEach(async () => {
  world = await startWorld();
  await furnish(world);
});
afterEach(() => world.stop());

const three = '/config/templates/acme/three';
const change = (body: unknown, headers: Record<string, string> = {}, token?: string) =>
  world.call('PATCH', three, body, { headers, ...(token === undefined ? {} : { token }) });
const shown = async (path = three) => (await world.call('GET', path)).json;
const diversion = {
  house_pot: {
    contribution_type: { Percentage: 0.1 },
    diversion_rules: {
      target: { External: { endpoint: 'https://bank.example/in', account_id: 'ours' } },
      diversion_percentage: 1,
    },
  },
};

describe('a change', () => {
  it('merges members as overrides are, and counts the version', async () => {
    expect(await shown()).toMatchObject({ version: 1, retired: false, name: 'Three pots' });
    const answer = await change({
      name: 'Renamed',
      max_instantiation_count: 4,
      pots: [{ id: 'gold', contribution: { Percentage: 0.3 } }],
    });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(await shown());
    expect(answer.json).toMatchObject({
      name: 'Renamed',
      description: 'A template.',
      version: 2,
      max_instantiation_count: 4,
      pots: [
        { id: 'gold', contribution: { Percentage: 0.3 }, seed_contribution: { Percentage: 0.5 } },
        { id: 'silver', contribution: { Percentage: 0.2 } },
      ],
    });
    const removed = await change({ max_instantiation_count: null, description: '' });
    expect(removed.json).toMatchObject({ max_instantiation_count: null, description: '', version: 3 });
  });

  it('shows what the configuration costs or risks', async () => {
    const answer = await change({ pots: [{ id: 'gold', seed_contribution: { Percentage: 0 } }] });
    expect(answer.headers.get('x-configuration-warnings')).toContain('self-funding ratio of 0:');
  });

  it.each([{}, { name: null, description: null, retired: null }])('of nothing is none: %j', async (body) => {
    const answer = await change(body);
    expect([answer.status, answer.json]).toEqual([200, await shown()]);
    expect(answer.json.version).toBe(1);
  });

  it('leaves instances as they were made', async () => {
    const instance = await createInstance(world);
    const before = await shown(`/config/instances/${instance}`);
    await change({ contribution_rules: { contribution_type: { Fixed: 5 } } });
    expect(await shown(`/config/instances/${instance}`)).toEqual(before);
    const next = await createInstance(world);
    const { contribution_rules } = await shown(`/config/instances/${next}`);
    expect(contribution_rules.contribution_type).toEqual({ Fixed: 5 });
  });

  it.each([
    ['another version', {}, { 'If-Match': '7' }, 409, 'version_conflict'],
    ['no version', {}, { 'If-Match': 'x' }, 400, 'invalid_parameter'],
    ['an unknown member', { jackpot_kind: 'x' }, {}, 400, 'invalid_request'],
    ['a required member taken away', { currency: null }, {}, 400, 'invalid_request'],
    [
      'what the engine refuses',
      { pots: [{ id: 'gold', contribution: { Percentage: 2 } }] },
      {},
      422,
      'config_invalid',
    ],
    ['a pot twice', { pots: [{ id: 'gold' }, { id: 'gold' }] }, {}, 422, 'config_invalid'],
    ['an unknown currency', { currency: 'XYZ' }, {}, 422, 'currency_unknown'],
    ['an unregistered address', diversion, {}, 422, 'endpoint_not_allowed'],
  ])('with %s is refused', async (_what, body, headers, status, code) => {
    const before = await world.stored('directory');
    const answer = await change(body, headers as Record<string, string>);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(await world.stored('directory')).toEqual(before);
  });

  it('of the version that If-Match names happens once', async () => {
    const answers = [
      await change({ name: 'A' }, { 'If-Match': '"1"' }),
      await change({ name: 'B' }, { 'If-Match': '1' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(answers[1]!.json.message).toBe('The template has changed since that version.');
    expect((await shown()).name).toBe('A');
  });

  it('does not overwrite one that came between', async () => {
    const { query } = world.context.lanes;
    // While the lane checks the configuration, another administrator is faster.
    Object.assign(world.context.lanes, {
      async query(...asked: Parameters<typeof query>) {
        Object.assign(world.context.lanes, { query });
        expect((await change({ name: 'Faster' })).status).toBe(200);
        return query(...asked);
      },
    });
    const answer = await change({ max_instantiation_count: 4 });
    expect([answer.status, answer.json.code]).toEqual([409, 'version_conflict']);
    expect(await shown()).toMatchObject({ name: 'Faster', max_instantiation_count: null, version: 2 });
  });

  it('takes no role more, unless it names an address', async () => {
    await registerOrigin(world, 'https://bank.example');
    const configurator = await world.token(['config'], ['acme']);
    const alone = await change(diversion, {}, configurator);
    expect([alone.status, alone.json.code]).toEqual([403, 'forbidden']);
    expect((await change(diversion)).status).toBe(200);
    expect((await change({ max_instantiation_count: 2 }, {}, configurator)).status).toBe(200);
  });

  it('reads entries of the release before as first versions that are in use', async () => {
    const [key] = (await world.table.keys()).filter((each) => each.startsWith('template.'));
    const { value, revision } = (await world.table.get(key!))!;
    const { version: _, retired: __, ...before } = JSON.parse(Buffer.from(value).toString('utf8'));
    await world.table.put(key!, Buffer.from(JSON.stringify(before)), revision);
    expect(await shown()).toMatchObject({ version: 1, retired: false });
    expect((await change({ name: 'Renamed' }, { 'If-Match': '1' })).json).toMatchObject({ version: 2 });
  });
});

describe('a retired template', () => {
  beforeEach(async () => {
    expect((await change({ retired: true })).json).toMatchObject({ retired: true, version: 2 });
  });

  it('makes nothing new', async () => {
    const made = await world.call('POST', '/config/instances', newInstance());
    expect([made.status, made.json.code]).toEqual([409, 'template_retired']);
    await world.call('POST', '/config/templates', template('other'));
    const source_instance_id = await createInstance(world, { template_id: 'other' });
    for (const dry_run of [true, false]) {
      const target = await world.call('POST', '/config/model-switch/preview', {
        ...{ source_instance_id, template_owner_id: 'acme', template_id: 'three', dry_run },
        ...{ target_instance_owner_id: 'acme', target_instance_name: 'Next', transfer_optins: false },
        pot_rules: [],
        reason: 'why',
      });
      expect([target.status, target.json.code]).toEqual([409, 'template_retired']);
    }
  });

  it('is listed, changed, copied and taken back', async () => {
    expect((await shown('/config/templates')).map(({ retired }: never) => retired)).toEqual([true]);
    await world.call('POST', '/config/templates', template('other'));
    const listedWith = async (query: string) =>
      (await shown(`/config/templates?${query}`)).map(({ id }: { id: string }) => id);
    expect(await listedWith('retired=true')).toEqual(['three']);
    expect(await listedWith('retired=false')).toEqual(['other']);
    expect(await listedWith('retired=true&name=none')).toEqual([]);
    expect((await world.call('GET', '/config/templates?retired=yes')).json.code).toBe('invalid_parameter');
    expect((await change({ name: 'Old' })).json).toMatchObject({ retired: true, name: 'Old' });
    const copy = await world.call('POST', `${three}/copies`, { id: 'four' });
    expect(copy.json).toMatchObject({ retired: false, version: 1, name: 'Old' });
    await change({ retired: false });
    await createInstance(world);
  });
});

describe('a copy', () => {
  it('is the same below another id, in its first version', async () => {
    await change({ name: 'Second' });
    const answer = await world.call('POST', `${three}/copies`, { id: 'four' });
    expect(answer.status).toBe(201);
    const { id, version, ...same } = await shown();
    expect(answer.json).toEqual({ ...same, id: 'four', version: 1 });
    expect(await shown('/config/templates/acme/four')).toEqual(answer.json);
  });

  it('may have another owner and name', async () => {
    const body = { id: 'three', owner_id: 'rival:main', name: 'Theirs' };
    expect((await world.call('POST', `${three}/copies`, body)).json).toMatchObject({
      ...body,
      currency: 'EUR',
    });
  });

  it.each([
    [{ id: 'three' }, 409, 'already_exists'],
    [{ id: 'four', owner_id: 'nobody' }, 404, 'operator_not_found'],
    [{ id: 'four', owner_id: 'acme:gone' }, 404, 'brand_not_found'],
    [{ id: 'no id' }, 400, 'invalid_identifier'],
    [{}, 400, 'invalid_request'],
  ])('%j is refused', async (body, status, code) => {
    const answer = await world.call('POST', `${three}/copies`, body);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  it('of a template that is not there, or of another tenant, is none', async () => {
    const rival = await world.token(['config'], ['rival']);
    for (const [token, path] of [
      [rival, three],
      [undefined, '/config/templates/acme/gone'],
    ] as const) {
      const body = { id: 'four', owner_id: 'rival' };
      const answer = await world.call('POST', `${path}/copies`, body, token === undefined ? {} : { token });
      expect([answer.status, answer.json.code]).toEqual([404, 'template_not_found']);
    }
  });

  it('for another operator names its address and its brands anew', async () => {
    await registerOrigin(world, 'https://bank.example');
    await registerOrigin(world, 'https://bank.example', 'rival');
    await change({ ...diversion, contribution_rules: { allowed_brands: ['main'] }, pots: [goldPot] });
    const body = { id: 'four', owner_id: 'rival' };
    const both = await world.token(['config'], ['acme', 'rival']);
    const alone = await world.call('POST', `${three}/copies`, body, { token: both });
    expect([alone.status, alone.json.code]).toEqual([403, 'forbidden']);
    expect((await world.call('POST', `${three}/copies`, body)).json).toMatchObject({
      contribution_rules: { allowed_brands: ['acme:main'] },
    });
    // Within the operator it is the same address.
    const own = await world.call('POST', `${three}/copies`, { id: 'four' }, { token: both });
    expect(own.status).toBe(201);
  });
});
