import { afterEach, beforeEach, expect, it } from 'vitest';
import { startWorld, type World } from '../../../support/administration.ts';

let world: World;

beforeEach(async () => {
  world = await startWorld();
});

afterEach(() => world.stop());

const move = { lane: 1, from: 'host-b', to: 'host-a', is_warm: true };
const laneOne = async () => (await world.call('GET', '/config/lanes')).json[1];

it('a preview shows what an order would move, and orders nothing', async () => {
  const preview = await world.call('GET', '/config/lanes/1/owner?host_id=host-a');
  expect(preview).toMatchObject({ status: 200, json: [move] });
  const drain = await world.call('GET', '/config/hosts/host-b/drain');
  expect(drain.json.map(({ lane, to }: typeof move) => [lane, to])).toEqual(
    [0, 1, 2, 3].map((lane) => [lane, 'host-a']),
  );
  expect((await world.call('GET', '/config/hosts/host-a/drain')).json).toEqual([]);
  expect(await laneOne()).toMatchObject({ owner: 'host-b', pinned_to: 'host-b' });
});

it('a lane is moved to a host, and placed as all others again', async () => {
  const body = { host_id: 'host-a', reason: 'Its disk is full.' };
  const moved = await world.call('PUT', '/config/lanes/1/owner', body);
  expect(moved).toMatchObject({ status: 200, json: [move] });
  expect(await laneOne()).toMatchObject({ owner: 'host-a', pinned_to: 'host-a' });
  expect((await world.call('GET', '/config/lanes/1/owner?host_id=host-a')).json).toEqual([]);
  expect(await world.call('DELETE', '/config/lanes/1/owner')).toMatchObject({ status: 200 });
  expect((await laneOne()).pinned_to).toBeNull();
});

it('a host is drained, and may have lanes again', async () => {
  const hostB = async () => (await world.call('GET', '/config/hosts')).json[1];
  expect((await world.call('PUT', '/config/hosts/host-b/drain')).json).toHaveLength(4);
  expect(await hostB()).toMatchObject({ id: 'host-b', is_drained: true });
  expect(await laneOne()).toMatchObject({ owner: 'host-a' });
  expect(await world.call('DELETE', '/config/hosts/host-b/drain')).toMatchObject({ status: 200 });
  expect(await hostB()).toMatchObject({ is_drained: false });
});

it('names the hosts and lanes that there are to who asks for others', async () => {
  const refusals = [
    ['PUT', '/config/lanes/1/owner', { host_id: 'host-x' }, 'host-a, host-b'],
    ['GET', '/config/lanes/1/owner?host_id=host-x', undefined, 'host-a, host-b'],
    ['PUT', '/config/lanes/4/owner', { host_id: 'host-a' }, '0 to 3'],
    ['DELETE', '/config/lanes/4/owner', undefined, '0 to 3'],
    ['PUT', '/config/hosts/host-x/drain', undefined, 'host-a, host-b'],
    ['GET', '/config/hosts/host-x/drain', undefined, 'host-a, host-b'],
  ] as const;
  for (const [method, path, body, named] of refusals) {
    const { status, json } = await world.call(method, path, body);
    expect([path, status, JSON.stringify(json)]).toEqual([path, 400, expect.stringContaining(named)]);
  }
  for (const lane of ['01', '-1', 'x', '10000'])
    expect((await world.call('PUT', `/config/lanes/${lane}/owner`, { host_id: 'host-a' })).status).toBe(400);
});

it('is for administrators of the whole system with the role operations alone', async () => {
  for (const [roles, owners] of [
    [['operations'], ['acme']],
    [['viewer', 'support', 'config', 'finance', 'security', 'auditor'], ['*']],
  ] as const) {
    const token = await world.token(roles, owners);
    for (const [method, path, body] of [
      ['GET', '/config/lanes/1/owner', undefined],
      ['PUT', '/config/lanes/1/owner', { host_id: 'host-a' }],
      ['DELETE', '/config/lanes/1/owner', undefined],
      ['GET', '/config/hosts/host-a/drain', undefined],
      ['PUT', '/config/hosts/host-a/drain', undefined],
      ['DELETE', '/config/hosts/host-a/drain', undefined],
    ] as const)
      expect(await world.call(method, path, body, { token })).toMatchObject({ status: 403 });
  }
  expect(await laneOne()).toMatchObject({ owner: 'host-b' });
});
