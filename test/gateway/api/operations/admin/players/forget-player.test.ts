import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgottenPseudonym } from '../../../../../../src/contracts/directory/forgotten-players.ts';
import { furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
});
afterAll(() => world.stop());

const path = '/config/forgotten-players';
const order = (changes: object = {}) => ({
  ...{ brand_id: 'acme:main', player_id: 'ada@example.com', reason: 'asked for it', ...changes },
});

describe('a forgotten player', () => {
  it('is noted without an id, the same again, and by two brands as two', async () => {
    const first = await world.call('POST', path, order());
    expect(first.status).toBe(200);
    const { pseudonym } = first.json as { pseudonym: string };
    const salt = (await world.context.tables.forgotten.get('salt'))!.value;
    expect(pseudonym).toBe(forgottenPseudonym(salt, 'acme:main', 'ada@example.com'));
    expect((await world.call('POST', path, order())).json).toEqual(first.json);
    const other = await world.call('POST', path, order({ brand_id: 'rival:main' }));
    expect((other.json as { pseudonym: string }).pseudonym).not.toBe(pseudonym);
    const keys = await world.context.tables.forgotten.keys();
    expect(keys).toHaveLength(3);
    for (const key of keys) {
      const { value } = (await world.context.tables.forgotten.get(key))!;
      expect(`${key} ${Buffer.from(value).toString('latin1')}`).not.toContain('ada@');
    }
  });

  it('is in the audit trail by the pseudonym', async () => {
    await world.call('POST', path, order({ player_id: 'bob@example.com' }));
    const trail = JSON.stringify((await world.call('GET', '/config/audit?limit=5')).json);
    expect(trail).toContain('forgotten player.forgotten-');
    expect(trail).not.toContain('bob@');
  });

  it.each([
    [{ brand_id: 'nobody:main' }, 404, 'brand_not_found'],
    [{ brand_id: 'acme' }, 404, 'brand_not_found'],
    [{ brand_id: 'a b' }, 400, 'invalid_identifier'],
    [{ player_id: '' }, 400, 'invalid_identifier'],
    [{ reason: ' ' }, 422, 'reason_required'],
    [{ more: 1 }, 400, 'invalid_request'],
  ])('with %j is %i %s', async (changes, status, code) => {
    const before = await world.context.tables.forgotten.keys();
    expect(await world.call('POST', path, order(changes))).toMatchObject({ status, json: { code } });
    expect(await world.context.tables.forgotten.keys()).toEqual(before);
  });
});
