import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createInstance,
  furnish,
  newInstance,
  startWorld,
  template,
  type World,
} from '../../../support/administration.ts';

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
