import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, startWorld, type World } from '../../support/administration.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  await world.serviceUser('till', 'acme');
});
afterAll(() => world.stop());

const transaction = '6f9619ff-8b86-5011-b42d-00c04fc964ff';
const person = { username: 'mira', password: 'a long password', roles: ['viewer'], owners: ['acme'] };

describe('an id of the path in the body', () => {
  it.each([
    ['POST', '/config/service-users/{}/keys', 'username', 'till', {}, 201],
    ['PATCH', '/config/service-users/{}', 'username', 'till', { enabled: true }, 200],
    ['PATCH', '/config/users/{}', 'username', 'mira', { enabled: true }, 200],
    ['DELETE', '/config/service-users/{}', 'username', 'nobody', {}, 404],
    ['DELETE', '/config/tokens/{}', 'token_id', 'AAAAAAAAAAAAAAAAAAAAAA', {}, 204],
    ['POST', '/config/approvals/{}/reject', 'id', 'AAAAAAAAAAAAAAAAAAAAAA', {}, 404],
    ['POST', '/config/settlements/{}/release', 'id', transaction, { reason: 'seen' }, 404],
    ['POST', '/config/settlements/{}/retry', 'id', transaction, { reason: 'seen' }, 404],
    ['POST', '/config/settlements/{}/resolve', 'id', transaction, { reason: 'seen' }, 404],
    ['POST', '/config/deliveries/{}/replay', 'id', transaction, {}, 404],
    ['POST', '/config/deliveries/{}/resolve', 'id', transaction, { result: 'failed', reason: 'seen' }, 404],
  ] as const)('%s %s may repeat %s, if it is equal', async (method, path, name, id, body, status) => {
    await world.call('POST', '/config/users', person);
    const send = (changes: object) => world.call(method, path.replace('{}', id), { ...body, ...changes });
    expect((await send({})).status).toBe(status);
    expect((await send({ [name]: id })).status).toBe(status);
    expect((await send({ [name]: null })).status).toBe(status);
    for (const other of ['other', 1, [id]])
      expect(await send({ [name]: other })).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    const misspelt = await send({ [`${name}s`]: id });
    expect(misspelt).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  });
});
