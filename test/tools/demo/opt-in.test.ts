import { expect, it } from 'vitest';
import type { Api } from '../../../tools/demo/api.ts';
import { demoPlayers } from '../../../tools/demo/fixtures.ts';
import { optInPlayers } from '../../../tools/demo/opt-in.ts';

/** The two operations that the demo calls, over a set of players who have decided. */
function fakeApi(decided: Set<string>, optedIn: string[]): Api {
  return {
    async call(method, path, body) {
      if (method === 'GET') {
        const player = /player_id=([a-z]+)&/.exec(path)?.[1] ?? '';
        return { status: 200, body: { optin_status: { last_updated: decided.has(player) ? 5 : 0 } } };
      }
      const { player_id } = body as { player_id: string };
      decided.add(player_id);
      optedIn.push(player_id);
      return { status: path === '/v1/jackpot/instances/i1/opt-in' ? 204 : 404, body: null };
    },
  };
}

it('opts in who has never decided, once', async () => {
  const decided = new Set(['bruno']);
  const optedIn: string[] = [];
  const api = fakeApi(decided, optedIn);
  await optInPlayers(api, async () => 'token', 'slot-2', 'i1');
  const others = demoPlayers.map(({ player }) => player).filter((player) => player !== 'bruno');
  expect(optedIn).toEqual(others);
  await optInPlayers(api, async () => 'token', 'slot-2', 'i1');
  expect(optedIn).toEqual(others);
});

it('ends the demo where it is refused', async () => {
  const api = fakeApi(new Set(), []);
  await expect(optInPlayers(api, async () => 'token', 'slot-2', 'gone')).rejects.toMatchObject({
    name: 'DemoRefused',
  });
});
