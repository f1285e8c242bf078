import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstanceConfigurationDocument } from '../../../../../../src/messages/instance-commands.ts';
import {
  createInstance,
  furnish,
  newInstance,
  startWorld,
  template,
  type World,
} from '../../../../support/administration.ts';

/** Whoever may not allow a brand by A23 may not allow it by a template, an instance or its parameters either. */
let world: World;
let acme: string;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  acme = await world.token(['config'], ['acme']);
});
afterAll(() => world.stop());

const allowing = (...brands: string[]) => ({ contribution_rules: { allowed_brands: brands } });
const rules = (...brands: string[]) => ({
  contribution_rules: { contribution_type: { Fixed: 0.1 }, ...allowing(...brands).contribution_rules },
});

const requests: readonly [what: string, (brand: string) => Promise<[string, string, unknown]>][] = [
  [
    'a template',
    async (brand) => [
      'POST',
      '/config/templates',
      template(`with-${brand.replace(':', '-')}`, rules('acme:main', brand)),
    ],
  ],
  [
    'a new instance',
    async (brand) => ['POST', '/config/instances', newInstance({ overrides: allowing('acme:main', brand) })],
  ],
  [
    'parameters',
    async (brand) => {
      const id = await createInstance(world);
      const change = { overrides: allowing('acme:main', brand), reason: 'more players' };
      return ['PUT', `/config/instances/${id}/parameters`, change];
    },
  ],
];

it.each(requests)('%s with a foreign brand answers as with a missing one', async (_what, request) => {
  const answers = [];
  for (const brand of ['rival:main', 'nobody:main']) {
    const [method, path, body] = await request(brand);
    const { status, json } = await world.call(method, path, body, { token: acme });
    answers.push({ status, ...json, message: json.message.replaceAll(brand, 'BRAND') });
  }
  expect(answers[0]).toMatchObject({ status: 422, code: 'config_invalid' });
  expect(answers[0]).toEqual(answers[1]);
});

it.each(requests)('%s with a brand of each owner takes an administrator of both', async (_what, request) => {
  const both = await world.token(['config'], ['acme', 'rival']);
  const [method, path, body] = await request('rival:main');
  const { status } = await world.call(method, path, body, { token: both });
  expect([200, 201]).toContain(status);
});

it('a template that lists a foreign brand opens it to nobody without authority over it', async () => {
  await world.call('POST', '/config/templates', template('shared', rules('acme:main', 'rival:main')));
  const body = newInstance({ template_id: 'shared' });
  expect((await world.call('POST', '/config/instances', body, { token: acme })).status).toBe(422);
  const source = await createInstance(world);
  const preview = {
    source_instance_id: source,
    template_owner_id: 'acme',
    template_id: 'shared',
    target_instance_owner_id: 'acme',
    target_instance_name: 'Next',
    pot_rules: [],
    transfer_optins: false,
    reason: 'a new model',
    dry_run: false,
  };
  const answer = await world.call('POST', '/config/model-switch/preview', preview, { token: acme });
  expect(answer).toMatchObject({ status: 422, json: { code: 'config_invalid' } });
});

it('brands that are allowed already stay when other parameters change', async () => {
  const id = await createInstance(world, { overrides: allowing('acme:main', 'rival:main') });
  const change = { overrides: { win_selector_strategy: 'Highest' }, reason: 'another strategy' };
  const answer = await world.call('PUT', `/config/instances/${id}/parameters`, change, { token: acme });
  expect(answer.status).toBe(200);
  expect(answer.json.contribution_rules?.allowed_brands ?? answer.json.allowed_brands).toContain(
    'rival:main',
  );
});

describe('A23 back and forth leaves what was before', () => {
  const allow = (method: 'PUT' | 'DELETE', id: string, brand: string) =>
    world.call(method, `/config/instances/${id}/brands/${brand}`);
  /** As it was stored last, whether it binds already or not. */
  const brandsOf = (id: string): readonly string[] | null => {
    const answer = world.query(world.readModel.known(id)!.lane, { kind: 'instances', ids: [id] });
    if (answer.kind !== 'instances') throw new Error(answer.kind);
    const { configuration, pendingConfiguration } = answer.instances[0]!;
    const stored = (pendingConfiguration ?? configuration) as InstanceConfigurationDocument;
    return (stored.contribution_rules.allowed_brands as string[] | undefined) ?? null;
  };
  const create = async (...brands: string[]) => {
    const id = await createInstance(world, brands.length === 0 ? {} : { overrides: allowing(...brands) });
    await world.call('POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'go' });
    return id;
  };
  const all = async (id: string, ...changes: readonly (readonly ['PUT' | 'DELETE', string])[]) => {
    for (const [method, brand] of changes) expect((await allow(method, id, brand)).status).toBe(204);
    return brandsOf(id);
  };

  it.each<[string, readonly (readonly ['PUT' | 'DELETE', string])[]]>([
    [
      'a brand of the owner',
      [
        ['DELETE', 'vip'],
        ['PUT', 'vip'],
      ],
    ],
    [
      'two of them',
      [
        ['DELETE', 'vip'],
        ['DELETE', 'main'],
        ['PUT', 'vip'],
        ['PUT', 'main'],
      ],
    ],
    [
      'one of them twice',
      [
        ['DELETE', 'vip'],
        ['DELETE', 'vip'],
        ['PUT', 'vip'],
        ['PUT', 'vip'],
      ],
    ],
    [
      'a brand of somebody else',
      [
        ['PUT', 'rival:main'],
        ['DELETE', 'rival:main'],
      ],
    ],
    ['what was not allowed', [['DELETE', 'rival:main']]],
  ])('%s: all brands again, those to come included', async (_, changes) => {
    expect(await all(await create(), ...changes)).toBeNull();
  });

  it('a change of something else between them is no matter', async () => {
    const id = await create();
    await allow('DELETE', id, 'vip');
    const change = { overrides: { win_selector_strategy: 'Highest' }, reason: 'another strategy' };
    expect((await world.call('PUT', `/config/instances/${id}/parameters`, change)).status).toBe(200);
    await world.call('POST', `/config/instances/${id}/status`, { status: 'Paused', reason: 'wait' });
    expect(await all(id, ['PUT', 'vip'])).toBeNull();
  });

  it('a list that somebody has written stays a list', async () => {
    const listed = ['acme:main', 'acme:vip'];
    const id = await create(...listed);
    expect((await all(id, ['DELETE', 'vip'], ['PUT', 'vip']))?.toSorted()).toEqual(listed);
    const written = await create();
    await allow('DELETE', written, 'vip');
    const change = { overrides: allowing('acme:vip'), reason: 'vip alone' };
    await world.call('PUT', `/config/instances/${written}/parameters`, change);
    expect((await all(written, ['PUT', 'main']))?.toSorted()).toEqual(listed);
  });

  it('a part of the way back is a list', async () => {
    expect(await all(await create(), ['DELETE', 'vip'], ['DELETE', 'main'], ['PUT', 'main'])).toEqual([
      'acme:main',
    ]);
  });

  it('the version that If-Match names is the one that changes', async () => {
    const id = await create();
    await allow('DELETE', id, 'vip');
    const headers = { 'If-Match': '1' };
    const stale = await world.call('PUT', `/config/instances/${id}/brands/vip`, undefined, { headers });
    expect([stale.status, stale.json.code]).toEqual([409, 'version_conflict']);
    expect(brandsOf(id)).toEqual(['acme:main']);
  });
});
