import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, startWorld, type World } from '../../../support/administration.ts';

let world: World;
let token = '';
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  token = await world.serviceToken('acme');
});
afterAll(() => world.stop());

const secret = 'a secret that nobody guesses';
const register = (changes: object = {}, bearer = token) =>
  world.call(
    'PUT',
    '/v1/webhooks/signature',
    { operator_id: 'acme', secret_key: secret, ...changes },
    { token: bearer },
  );

describe('a webhook signature (O1)', () => {
  it('is answered in the shape of an error that is none', async () => {
    const answer = await register();
    expect([answer.status, answer.json]).toEqual([
      200,
      { status_code: 200, code: 'ok', message: expect.any(String) },
    ]);
    expect(answer.text).not.toContain(secret);
  });

  it("of the brand precedes the operator's, and each is replaced by the next one", async () => {
    const { webhookSecrets } = world.access;
    expect(webhookSecrets.secretFor('acme:main')).toBe(secret);
    expect((await register({ brand_id: 'main', secret_key: 'the secret of main' })).status).toBe(200);
    expect((await register({ brand_id: null, secret_key: 'the second of acme' })).status).toBe(200);
    expect(webhookSecrets.secretFor('acme:main')).toBe('the secret of main');
    expect(webhookSecrets.secretFor('acme:vip')).toBe('the second of acme');
    expect((await register({ brand_id: 'acme:main', secret_key: 'another one of main' })).status).toBe(200);
    expect(webhookSecrets.secretFor('acme:main')).toBe('another one of main');
    expect(webhookSecrets.secretFor('rival:main')).toBeNull();
  });

  it('is nowhere in the clear', async () => {
    for (const text of await world.stored('accounts')) expect(text).not.toContain('another one of main');
  });

  it.each([
    [{ secret_key: 'fifteen letters' }, 422, 'secret_too_weak'],
    [{ secret_key: '' }, 400, 'invalid_request'],
    [{ secret_key: null }, 400, 'invalid_request'],
    [{ secret_key: 1234567890123456 }, 400, 'invalid_request'],
    [{ operator_id: undefined }, 400, 'invalid_request'],
    [{ operator_id: 'rival' }, 404, 'operator_not_found'],
    [{ operator_id: 'nobody' }, 404, 'operator_not_found'],
    [{ brand_id: 'none' }, 404, 'brand_not_found'],
    [{ brand_id: 'rival:main' }, 404, 'brand_not_found'],
    [{ brand: 'main' }, 400, 'invalid_request'],
    [{ operator_id: 'a b' }, 400, 'invalid_identifier'],
  ])('with %j is %i %s', async (changes, status, code) => {
    expect(await register(changes)).toMatchObject({ status, json: { status_code: status, code } });
    expect(world.access.webhookSecrets.secretFor('acme:vip')).toBe('the second of acme');
  });

  it("is for the operator's own services", async () => {
    const narrow = await world.serviceToken('acme', ['acme:vip']);
    expect((await register({ brand_id: 'main' }, narrow)).json.code).toBe('brand_forbidden');
    const own = { brand_id: 'vip', secret_key: 'the secret of vip' };
    expect((await register(own, narrow)).status).toBe(200);
    expect(world.access.webhookSecrets.secretFor('acme:vip')).toBe('the secret of vip');
    expect((await register({}, '')).json.code).toBe('unauthenticated');
    expect((await register({}, await world.token())).json.code).toBe('unauthenticated');
  });

  it("of the operator is not replaced by a service of some of its brands, nor of all of today's", async () => {
    const { webhookSecrets } = world.access;
    const before = webhookSecrets.secretFor('acme:none');
    for (const brands of [['acme:vip'], ['acme:main', 'acme:vip']]) {
      const narrow = await world.serviceToken('acme', brands);
      for (const changes of [{}, { brand_id: null }, { secret_key: 'short' }])
        expect(await register({ secret_key: 'mine from now on', ...changes }, narrow)).toMatchObject({
          status: 403,
          json: { status_code: 403, code: 'forbidden' },
        });
    }
    expect(webhookSecrets.secretFor('acme:none')).toBe(before);
  });
});
