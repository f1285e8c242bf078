import { afterAll, beforeAll, expect, it } from 'vitest';
import { LogError } from '../../../../../src/ports.ts';
import { startWorld, type World } from '../../../support/administration.ts';

let world: World;
let fails = false;

beforeAll(async () => {
  world = await startWorld({
    asking() {
      if (fails) throw new LogError('unavailable', 'nobody answers');
    },
  });
});

afterAll(() => world.stop());

it('shows who owns each lane, who stands by, and how far they are', async () => {
  const { status, json } = await world.call('GET', '/config/lanes');
  expect(status).toBe(200);
  expect(json[1]).toEqual({
    ...{ lane: 1, owner: 'host-b', standby: 'host-a', is_standby_warm: true, term: 2 },
    ...{ condition: 'serving', code: '', sequence: 101, lag: 1, standby_lag: 3, head: 'ab' },
    ...{ engine_version: 4, placed_owner: 'host-b', placed_standby: 'host-a', pinned_to: 'host-b' },
  });
});

it('shows the hosts by their ids', async () => {
  const { json } = await world.call('GET', '/config/hosts');
  expect(json.map(({ id }: { id: string }) => id)).toEqual(['host-a', 'host-b']);
  expect(json[0]).toMatchObject({ owned_lanes: [], halted_lanes: [], is_drained: false, is_settled: true });
  expect(json[1].owned_lanes).toEqual(json[0].followed_lanes);
});

it('shows each change of owners once, the newest first, however many hosts heard of it', async () => {
  const { json } = await world.call('GET', '/config/failovers');
  expect(json).toEqual([
    { lane: 1, term: 2, from: 'host-a', to: 'host-b', timestamp: 6_000, silent_ms: 90 },
    { lane: 0, term: 2, from: 'host-a', to: 'host-b', timestamp: 5_000, silent_ms: 1_150 },
  ]);
});

it('is for administrators of the whole system with the role operations alone', async () => {
  for (const [roles, owners] of [
    [['operations'], ['acme']],
    [['viewer', 'support', 'config', 'finance', 'security', 'auditor'], ['*']],
  ] as const) {
    const token = await world.token(roles, owners);
    for (const path of ['/config/lanes', '/config/hosts', '/config/failovers'])
      expect(await world.call('GET', path, undefined, { token })).toMatchObject({ status: 403 });
  }
});

it('is unavailable while no host answers', async () => {
  fails = true;
  const { status, json } = await world.call('GET', '/config/lanes');
  fails = false;
  expect([status, json.code ?? json.error?.code]).toEqual([503, 'storage_unavailable']);
  expect((await world.call('GET', '/config/lanes')).status).toBe(200);
});
