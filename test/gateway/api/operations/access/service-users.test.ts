import { afterAll, beforeAll, expect, it } from 'vitest';
import { furnish, startWorld, type World } from '../../../support/administration.ts';

let world: World;
let token = '';
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  token = await world.token(['security'], ['*']);
  for (const [username, operator_id] of [
    ['ada', 'rival'],
    ['bob', 'acme'],
    ['cyd', 'acme'],
  ]) {
    const created = await create({ username, operator_id });
    expect(created.status, created.text).toBe(201);
  }
});
afterAll(() => world.stop());

const path = '/config/service-users';
const create = (changes: object) =>
  world.call('POST', path, { password: 'a long and good one', brands: ['main'], ...changes }, { token });
const list = (query: string) => world.call('GET', `${path}${query}`, undefined, { token });
const names = async (query: string) =>
  (await list(query)).json.map(({ username }: { username: string }) => username);

it('are listed by name, or by another field in either direction, a page at a time', async () => {
  expect(await names('')).toEqual(['ada', 'bob', 'cyd']);
  expect(await names('?sort_direction=-1')).toEqual(['cyd', 'bob', 'ada']);
  expect(await names('?sort_field=operator_id')).toEqual(['bob', 'cyd', 'ada']);
  expect(await names('?limit=2&page=1')).toEqual(['cyd']);
  expect(await names('?owner_id=acme')).toEqual(['bob', 'cyd']);
});

it.each(['limit=0', 'limit=501', 'page=-1', 'page=01', 'sort_direction=0', 'sort_field=password'])(
  'with %s are refused',
  async (query) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, json: { code: 'invalid_parameter' } });
  },
);

it('have each of their brands once', async () => {
  const { status, json } = await create({
    username: 'dot',
    operator_id: 'acme',
    brands: ['main', 'acme:main', 'acme:vip'],
  });
  expect(status).toBe(201);
  expect(json.brands).toEqual(['acme:main', 'acme:vip']);
});
