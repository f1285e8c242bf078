import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contribute } from '../../../../../src/messages/player-commands.ts';
import { createInstance, furnish, startWorld, type World } from '../../../support/administration.ts';

let world: World;
let token = '';
/** In the order of their priority. */
let dragons = '';
let anyGame = '';

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  token = await world.serviceToken('acme');
  dragons = await createInstance(world, { game_code: 'dragons' });
  anyGame = await createInstance(world);
  for (const instance of [dragons, anyGame]) {
    await world.call('POST', `/config/instances/${instance}/status`, { status: 'Active', reason: 'go' });
    const source = { owner_id: 'acme', source_id: ['slot-1'], instance_id: instance };
    expect((await world.call('POST', '/config/sources/assign', source)).status).toBe(204);
  }
});
afterAll(() => world.stop());

describe.each([
  ['O12', '/v1/operator/jackpot/instances/source/slot-1/brand/acme:main?player_id=ada&country_code=DE'],
  ['O13', '/v1/jackpot/instances/source/slot-1/brand/acme:main?country_code=DE'],
])('the game code of %s', (operation, path) => {
  const find = async (query: string) =>
    (await world.call('GET', `${path}${query}`, undefined, { token: operation === 'O12' ? token : '' })).json
      .id;

  it('leaves out a jackpot of another game, and not one of no game', async () => {
    expect(await find('')).toBe(dragons);
    expect(await find('&game_code=dragons')).toBe(dragons);
    expect(await find('&game_code=fruits')).toBe(anyGame);
  });

  it('that no jackpot is for leads nowhere', async () => {
    const source = { owner_id: 'acme', source_id: ['slot-1'], instance_id: anyGame };
    await world.call('POST', '/config/sources/remove', source);
    expect(await find('&game_code=fruits')).toBeUndefined();
    expect(await find('&game_code=dragons')).toBe(dragons);
    await world.call('POST', '/config/sources/assign', source);
  });
});

describe('what a contribution says of its origin (O16)', () => {
  const contribute = async (type: string, options?: object) => {
    const answer = await world.call(
      'POST',
      '/v2/jackpot/contributions',
      {
        target: { type: 'instance', id: anyGame },
        source: { type, id: 'r-1' },
        operator_id: 'acme',
        player: { id: 'ada', token: 't', country: 'DE', brand_id: 'main' },
        base_wager: { currency: 'EUR', value: 1 },
        ...(options === undefined ? {} : { options }),
      },
      { token },
    );
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json[0].gameround_id).toBe('r-1');
    return (world.commands.at(-1) as Contribute).origin;
  };

  it('is recorded: the type of the source, the game and its category', async () => {
    expect(await contribute('deposit')).toEqual({ gameCode: '', gameCategory: '', sourceType: 'deposit' });
    expect(await contribute('gameround', { game_code: 'dragons', game_category: 'slots' })).toEqual({
      gameCode: 'dragons',
      gameCategory: 'slots',
      sourceType: '',
    });
    expect(await contribute('other', { game_category: 'wheel' })).toEqual({
      gameCode: '',
      gameCategory: 'wheel',
      sourceType: 'other',
    });
  });

  it('costs nothing where it is a game round and no more', async () => {
    expect(await contribute('gameround')).toBeNull();
    expect(await contribute('gameround', { vertical_id: 'casino' })).toBeNull();
  });
});
