import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';

const beacon = 'ab'.repeat(32);
let world: World;
let wanting = '';
let plain = '';
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  wanting = await createInstance(world, { overrides: { draw_beacon: 'Required' } });
  plain = await createInstance(world, {});
});
afterAll(() => world.stop());

const handIn = (
  instance: string,
  epoch: string | number,
  body: object = { beacon, reason: 'as announced' },
  options: Parameters<World['call']>[3] = {},
) => world.call('PUT', `/config/instances/${instance}/epochs/${epoch}/beacon`, body, options);
const activate = () =>
  world.call('POST', `/config/instances/${wanting}/status`, { status: 'Active', reason: 'go' });
const epochs = async (instance: string) =>
  (await world.call('GET', `/v1/fairness/instances/${instance}/epochs`, undefined, { token: '' })).json;

describe('the beacon of an epoch', () => {
  it('is a command of the lane, without which the instance does not start', async () => {
    expect(await activate()).toMatchObject({ status: 422, json: { code: 'invalid_transition' } });
    expect(await handIn(wanting, 0)).toMatchObject({ status: 204, text: '' });
    expect((await epochs(wanting))[0]).toMatchObject({ epoch: 0, state: 'committed', beacon });
    expect((await epochs(wanting))[1]).toMatchObject({ epoch: 1, state: 'committed', beacon: null });
    expect(world.commands.at(-1)).toMatchObject({
      kind: 'OpenEpoch',
      instance: wanting,
      epoch: 0,
      seeds: [],
    });
    expect((await activate()).status).toBe(200);
    const path = `/v1/fairness/instances/${wanting}/epochs/0`;
    const { json } = await world.call('GET', path, undefined, { token: '' });
    expect(json).toMatchObject({ beacon, header: { beacon, config: { draw_beacon: 'Required' } } });
    const rules = await world.call('GET', `/v1/fairness/instances/${wanting}`, undefined, { token: '' });
    expect(rules.json.draw_beacon).toBe('Required');
  });

  it('is taken once, before the epoch begins', async () => {
    expect((await handIn(wanting, 1)).status).toBe(204);
    expect((await handIn(wanting, 1)).status).toBe(204);
    const other = await handIn(wanting, 1, { beacon: 'cd'.repeat(32), reason: 'another' });
    expect(other).toMatchObject({ status: 409, json: { code: 'already_exists' } });
    for (const epoch of [0, 7, Number.MAX_SAFE_INTEGER])
      expect(await handIn(wanting, epoch)).toMatchObject({
        status: 422,
        json: { code: 'invalid_transition' },
      });
  });

  it('is off by default', async () => {
    expect(await handIn(plain, 0)).toMatchObject({ status: 422, json: { code: 'invalid_transition' } });
    expect((await epochs(plain))[0]).toMatchObject({ beacon: null });
    const rules = await world.call('GET', `/v1/fairness/instances/${plain}`, undefined, { token: '' });
    expect(rules.json.draw_beacon).toBe('None');
  });

  it('says what is wrong with the request', async () => {
    for (const [body, code] of [
      [{ beacon: 'AB'.repeat(32), reason: 'x' }, 'invalid_request'],
      [{ beacon: beacon.slice(2), reason: 'x' }, 'invalid_request'],
      [{ reason: 'x' }, 'invalid_request'],
      [{ beacon, reason: 'x', epoch: 3 }, 'invalid_request'],
      [{ beacon, reason: ' ' }, 'reason_required'],
    ] as const)
      expect((await handIn(wanting, 2, body)).json.code).toBe(code);
    expect((await handIn(wanting, '01')).json.code).toBe('invalid_parameter');
    expect((await handIn('nobody', 2)).status).toBe(404);
  });

  it('is for the role security, of its owners', async () => {
    const as = async (roles: Parameters<World['token']>[0], owners?: readonly string[]) =>
      (await handIn(wanting, 2, undefined, { token: await world.token(roles, owners) })).status;
    expect(await as(['config', 'finance', 'viewer'])).toBe(403);
    expect(await as(['security'], ['elsewhere'])).toBe(404);
    expect(await as(['security'])).toBe(204);
  });
});
