import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../../src/gateway/api/operations/index.ts';
import { openApi } from '../../../src/reference/openapi.ts';
import { createInstance, furnish, startWorld, type World } from '../support/administration.ts';

let world: World;
let instance: string;
let service: string;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  instance = await createInstance(world);
  service = await world.serviceToken('acme');
});
afterAll(() => world.stop());

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}
type Paths = Readonly<
  Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>
>;

const known: Readonly<Record<string, string>> = { owner_id: 'acme', brand_id: 'acme:main', player_id: 'ann' };
const inputs = Object.entries(openApi(operations, '1').paths as Paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { parameters = [] }]) => {
    const inQuery = parameters.filter((each) => each.in === 'query');
    return inQuery.map(({ name }) => ({ method: method.toUpperCase(), path, name, inQuery }));
  }),
);

it('there are many', () => {
  expect(inputs.length).toBeGreaterThan(80);
});

it.each(inputs)(
  '$name of $method $path is absent where it has no value',
  async ({ method, path, name, inQuery }) => {
    const target = path.replaceAll(/\{([a-z_]+)\}/g, (_, each) =>
      each === 'instance_id' ? instance : (known[each] ?? 'x'),
    );
    const needed = inQuery
      .filter((each) => each.required === true && each.name !== name)
      .map((each) => `${each.name}=${known[each.name] ?? 'x'}`);
    const token = path.startsWith('/config') ? await world.token() : service;
    const ask = async (...more: string[]) => {
      const answer = await world.call(method, `${target}?${[...needed, ...more].join('&')}`, undefined, {
        token,
      });
      return [answer.status, answer.text];
    };
    const absent = await ask();
    expect(await ask(`${name}=`)).toEqual(absent);
    // An unusual encoding is none of the fast path's.
    expect(await ask(`${name.replace('_', '%5F')}=`)).toEqual(absent);
  },
);

it.each(['/config/operators?nmae=', '/v1/jackpot/sources?owner_id=acme&nmae='])(
  'of a name that nobody knows is refused: %s',
  async (target) => {
    const token = target.startsWith('/config') ? await world.token() : service;
    expect((await world.call('GET', target, undefined, { token })).status).toBe(400);
  },
);
