import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
});
afterAll(() => world.stop());

const path = '/config/webhook-origins';
const origin = (changes: object = {}) => ({
  operator_id: 'acme',
  origin: 'https://hooks.acme.example',
  ...changes,
});
const list = async (query = '') => (await world.call('GET', `${path}${query}`)).json;

describe('webhook origins', () => {
  it('are registered in their canonical form, listed and removed', async () => {
    const created = await world.call('POST', path, origin({ origin: 'https://Hooks.ACME.example:443/' }));
    expect([created.status, created.json]).toEqual([201, origin()]);
    const local = await world.call('POST', path, origin({ origin: 'http://127.0.0.1:9000' }));
    expect(local.status).toBe(201);
    await world.call('POST', path, origin({ operator_id: 'rival' }));
    expect(await list('?owner_id=acme')).toEqual([origin({ origin: 'http://127.0.0.1:9000' }), origin()]);
    expect(await list('?limit=1&page=1')).toEqual([origin()]);
    expect(await list()).toHaveLength(3);
    expect(world.readModel.allowsWebhook('acme', 'https://hooks.acme.example')).toBe(true);
    const removed = await world.call('DELETE', path, origin({ origin: 'https://hooks.acme.example/' }));
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect(world.readModel.allowsWebhook('acme', 'https://hooks.acme.example')).toBe(false);
    expect(world.readModel.allowsWebhook('rival', 'https://hooks.acme.example')).toBe(true);
    expect((await world.call('DELETE', path, origin())).status).toBe(204);
    expect(await list('?owner_id=acme')).toEqual([origin({ origin: 'http://127.0.0.1:9000' })]);
  });

  it('are there once', async () => {
    const again = origin({ origin: 'HTTP://127.0.0.1:9000/' });
    expect(await world.call('POST', path, again)).toMatchObject({
      status: 409,
      json: { code: 'already_exists' },
    });
  });

  it.each([
    [{ origin: 'http://hooks.acme.example' }, 422, 'endpoint_not_allowed'],
    [{ origin: 'https://hooks.acme.example/path' }, 422, 'endpoint_not_allowed'],
    [{ origin: 'https://192.168.0.1' }, 422, 'endpoint_not_allowed'],
    [{ origin: 'https://*.acme.example/' }, 422, 'endpoint_not_allowed'],
    [{ origin: 'null' }, 422, 'endpoint_not_allowed'],
    [{ origin: '' }, 400, 'invalid_request'],
    [{ origin: 5 }, 400, 'invalid_request'],
    [{ operator_id: 'nobody' }, 404, 'operator_not_found'],
    [{ operator_id: 'acme:main' }, 400, 'invalid_identifier'],
    [{ brand_id: 'main' }, 400, 'invalid_request'],
  ])('of %j are %i %s', async (changes, status, code) => {
    expect(await world.call('POST', path, origin(changes))).toMatchObject({ status, json: { code } });
  });

  it('are for administrators of the operator', async () => {
    const rival = await world.token(['security'], ['rival']);
    expect((await world.call('POST', path, origin(), { token: rival })).json.code).toBe('operator_not_found');
    expect((await world.call('DELETE', path, origin(), { token: rival })).json.code).toBe(
      'operator_not_found',
    );
    expect((await world.call('GET', path, undefined, { token: rival })).json).toHaveLength(1);
    const config = await world.token(['config'], ['*']);
    expect((await world.call('POST', path, origin(), { token: config })).json.code).toBe('forbidden');
  });
});
