import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddressCheck } from '../../../../../../src/outbound/checked-addresses.ts';
import { walletAddressStatus } from '../../../../../../src/wallet/role/address-status.ts';
import { furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
/** What names resolve to. */
const names = new Map([
  ['wallet.acme.example', ['93.184.215.14']],
  ['wallet.inner.example', ['93.184.215.14', '10.0.0.1']],
]);
const addresses: AddressCheck = {
  development: true,
  async resolve(name) {
    const found = names.get(name);
    if (found === undefined) throw new Error('ENOTFOUND');
    return found;
  },
};
beforeAll(async () => {
  world = await startWorld({ walletAddress: (baseUrl) => walletAddressStatus(baseUrl, addresses) });
  await furnish(world);
});
afterAll(() => world.stop());

const path = '/config/operators/acme/brands/main/wallet';
const bearer = 'bearer-key-of-the-wallet';
const hmac = 'hmac-secret-of-the-wallet';
const settings = (changes: object = {}) => ({
  base_url: 'https://Wallet.acme.example:443/v1/',
  bearer_key: bearer,
  hmac_secret: hmac,
  provider_id: 'potstream',
  close_rounds: true,
  verification_limit: 1000.5,
  ...changes,
});
const shown = {
  base_url: 'https://wallet.acme.example/v1',
  provider_id: 'potstream',
  close_rounds: true,
  batch_debits: false,
  verification_limit: '1000.5',
  address_status: 'callable',
  certificate: null,
};

describe("a brand's wallet", () => {
  it('is not there before it is set', async () => {
    expect(await world.call('GET', path)).toMatchObject({ status: 404, json: { code: 'brand_not_found' } });
  });

  it('is set and read, but for its secrets', async () => {
    const answer = await world.call('PUT', path, settings());
    expect([answer.status, answer.json]).toEqual([200, shown]);
    expect((await world.call('GET', path)).json).toEqual(shown);
    for (const secret of [bearer, hmac]) expect(answer.text).not.toContain(secret);
  });

  it('is what the wallet role opens, and the directory says that there is one', async () => {
    expect(world.access.wallets.find('acme:main')).toEqual({
      brand: 'acme:main',
      baseUrl: shown.base_url,
      bearerKey: bearer,
      hmacSecret: hmac,
      providerId: 'potstream',
      closeRounds: true,
      batchDebits: false,
      verificationLimit: '1000.5',
    });
    expect(world.readModel.brand('acme:main')).toMatchObject({
      wallet: true,
      provider: 'potstream',
      close_rounds: true,
      verification_limit: '1000.5',
      verification_currency: 'EUR',
    });
    expect(world.access.wallets.find('acme:vip')).toBeUndefined();
  });

  it('keeps no secret in the clear', async () => {
    const stored = [...(await world.stored('accounts')), ...(await world.stored('directory'))];
    expect(stored.length).toBeGreaterThan(3);
    for (const text of stored) {
      expect(text).not.toContain(bearer);
      expect(text).not.toContain(hmac);
    }
  });

  it('is replaced as a whole', async () => {
    const changes = { base_url: 'http://127.0.0.1:9000', close_rounds: null, verification_limit: null };
    const answer = await world.call('PUT', path, settings({ ...changes, bearer_key: 'another-key' }));
    const replaced = {
      ...shown,
      base_url: 'http://127.0.0.1:9000',
      close_rounds: false,
      verification_limit: null,
    };
    expect(answer.json).toEqual(replaced);
    expect(world.access.wallets.find('acme:main')).toMatchObject({ bearerKey: 'another-key' });
    expect(world.readModel.brand('acme:main')).toMatchObject({
      verification_limit: null,
      close_rounds: false,
    });
  });

  it('shares W4s among debits where it is asked to, and then closes no rounds', async () => {
    const asked = settings({ close_rounds: false, batch_debits: true });
    expect(await world.call('PUT', path, asked)).toMatchObject({
      status: 200,
      json: { close_rounds: false, batch_debits: true },
    });
    expect((await world.call('GET', path)).json).toMatchObject({ batch_debits: true });
    expect(world.access.wallets.find('acme:main')).toMatchObject({ closeRounds: false, batchDebits: true });
    expect(world.readModel.brand('acme:main')).toMatchObject({ close_rounds: false, batch_debits: true });
  });

  it.each([
    [{ base_url: 'http://wallet.acme.example' }, 422, 'endpoint_not_allowed'],
    [{ base_url: 'https://10.0.0.7' }, 422, 'endpoint_not_allowed'],
    [{ base_url: 'https://user:pass@wallet.acme.example' }, 422, 'endpoint_not_allowed'],
    [{ base_url: 'https://wallet.acme.example/?a=1' }, 422, 'endpoint_not_allowed'],
    [{ base_url: 'wallet' }, 422, 'endpoint_not_allowed'],
    [{ base_url: 'https://167772161' }, 422, 'endpoint_not_allowed'],
    [{ base_url: 'https://[::10.0.0.1]' }, 422, 'endpoint_not_allowed'],
    [{ base_url: 'https://localhost.' }, 422, 'endpoint_not_allowed'],
    [{ base_url: 'https://wallet.inner.example' }, 422, 'endpoint_not_allowed'],
    [{ hmac_secret: 'short' }, 422, 'secret_too_weak'],
    [{ bearer_key: 'with space' }, 400, 'invalid_request'],
    [{ bearer_key: null }, 400, 'invalid_request'],
    [{ hmac_secret: undefined }, 400, 'invalid_request'],
    [{ provider_id: '' }, 400, 'invalid_identifier'],
    [{ close_rounds: 1 }, 400, 'invalid_request'],
    [{ close_rounds: false, batch_debits: 'yes' }, 400, 'invalid_request'],
    [{ close_rounds: true, batch_debits: true }, 400, 'invalid_request'],
    [{ verification_limit: '-1' }, 422, 'amount_negative'],
    [{ verification_limit: '0.000000001' }, 422, 'amount_precision'],
    [{ verification_limit: [5] }, 400, 'invalid_request'],
    [{ timeout: 1 }, 400, 'invalid_request'],
    [{ brand_id: 'vip' }, 400, 'invalid_request'],
    [{ operator_id: 'rival' }, 400, 'invalid_request'],
  ])('with %j is %i %s, and nothing changes', async (changes, status, code) => {
    const before = (await world.call('GET', path)).json;
    expect(await world.call('PUT', path, settings(changes))).toMatchObject({ status, json: { code } });
    expect((await world.call('GET', path)).json).toEqual(before);
  });

  it('is shown with what its name resolves to now', async () => {
    const status = async () => (await world.call('GET', path)).json.address_status;
    await world.call('PUT', path, settings());
    expect(await status()).toBe('callable');
    names.set('wallet.acme.example', ['10.0.0.1']);
    expect(await status()).toBe('address_not_allowed');
    names.delete('wallet.acme.example');
    expect(await status()).toBe('name_not_resolved');
    // It may resolve later.
    expect((await world.call('PUT', path, settings())).status).toBe(200);
    names.set('wallet.acme.example', ['93.184.215.14']);
    expect(await status()).toBe('callable');
  });

  it('takes the ids of the path in the body, too', async () => {
    for (const brand_id of ['main', 'acme:main']) {
      const answer = await world.call('PUT', path, settings({ operator_id: 'acme', brand_id }));
      expect(answer.status).toBe(200);
    }
    expect((await world.call('GET', '/config/operators/acme/brands/acme:main/wallet')).status).toBe(200);
  });

  it('is for administrators of the brand with the role for secrets', async () => {
    const call = async (roles: Parameters<World['token']>[0], owners: readonly string[], method = 'PUT') =>
      (
        await world.call(method, path, method === 'PUT' ? settings() : undefined, {
          token: await world.token(roles, owners),
        })
      ).json;
    expect(await call(['config', 'finance', 'viewer'], ['*'])).toMatchObject({ code: 'forbidden' });
    expect(await call(['security'], ['rival'])).toMatchObject({ code: 'brand_not_found' });
    expect(await call(['security'], ['rival'], 'GET')).toMatchObject({ code: 'brand_not_found' });
    expect(await call(['security'], ['acme:main'])).toEqual(shown);
    expect(await call(['viewer'], ['acme'], 'GET')).toEqual(shown);
    expect((await world.call('GET', path.replace('main', 'none'))).json.code).toBe('brand_not_found');
    expect((await world.call('GET', path.replace('acme', 'nobody'))).json.code).toBe('brand_not_found');
    expect((await world.call('GET', path.replace('main', 'rival:main'))).json.code).toBe('brand_not_found');
  });
});

describe("the certificate of a brand's wallet", () => {
  const put = (changes: object = {}, token?: string) =>
    world.call('PUT', `${path}/certificate`, { ...found, ...changes }, token === undefined ? {} : { token });
  const found = {
    operator_id: 'acme',
    brand_id: 'acme:main',
    base_url: 'https://Wallet.acme.example:443/v1/',
    verified_timestamp: 1_700_000_000_000,
    version: '1.2.3',
    passed: 58,
    failed: ['w2.unknown', 'http.error-shape'],
    skipped: ['w1.token-expired'],
  };
  const { operator_id: _operator, brand_id: _brand, ...members } = found;
  const recorded = { ...members, base_url: shown.base_url, certified: false };

  it('is shown with who recorded it and when, at the address as the wallet has it', async () => {
    await world.call('PUT', path, settings());
    const before = Date.now();
    const { status, json } = await put();
    expect([status, json.certificate]).toEqual([
      200,
      { ...recorded, recorded_by: expect.any(String), recorded_timestamp: expect.any(Number) },
    ]);
    expect(json.certificate.recorded_timestamp).toBeGreaterThanOrEqual(before);
    const token = await world.token(['security'], ['acme:main']);
    const second = await put({ failed: [] }, token);
    expect(second.json.certificate).toMatchObject({ certified: true, failed: [] });
    expect(second.json.certificate.recorded_by).not.toBe(json.certificate.recorded_by);
    expect((await world.call('GET', path)).json).toEqual(second.json);
  });

  it('certifies nothing without a check that passed', async () => {
    expect((await put({ passed: 0, failed: [] })).json.certificate).toMatchObject({ certified: false });
  });

  it('changes nothing of the wallet, and stays when that is set anew', async () => {
    const wallet = world.access.wallets.find('acme:main');
    const directory = world.readModel.brand('acme:main');
    await put();
    expect(world.access.wallets.find('acme:main')).toBe(wallet);
    expect(world.readModel.brand('acme:main')).toEqual(directory);
    const moved = await world.call('PUT', path, settings({ base_url: 'https://wallet.acme.example/v2' }));
    expect(moved.json).toMatchObject({
      base_url: 'https://wallet.acme.example/v2',
      certificate: recorded,
    });
  });

  it('is in the audit trail, with the one before', async () => {
    await put({ version: 'before' });
    await put({ version: 'after' });
    const [entry] = (await world.call('GET', '/config/audit?operation=wallet.certify&limit=1')).json;
    expect(entry.changes).toMatchObject([
      {
        object: 'certificate of the wallet acme:main',
        before: { version: 'before' },
        after: { version: 'after' },
      },
    ]);
  });

  it.each([
    [{ brand_id: 'acme:vip' }, 400, 'invalid_request'],
    [{ operator_id: 'rival' }, 400, 'invalid_request'],
    [{ verified_timestamp: 4_000_000_000_000 }, 400, 'invalid_request'],
    [{ verified_timestamp: -1 }, 400, 'invalid_request'],
    [{ version: '' }, 400, 'invalid_request'],
    [{ passed: '58' }, 400, 'invalid_request'],
    [{ failed: ['<b>'] }, 400, 'invalid_request'],
    [{ skipped: Array.from({ length: 501 }, () => 'a') }, 400, 'invalid_request'],
    [{ certified: true }, 400, 'invalid_request'],
    [{ recorded_by: 'somebody else' }, 400, 'invalid_request'],
    [{ base_url: 'https://10.0.0.7' }, 422, 'endpoint_not_allowed'],
    [{ base_url: 'https://wallet.acme.example/?a=1' }, 422, 'endpoint_not_allowed'],
  ])('with %j is %i %s, and the last one stays', async (changes, status, code) => {
    const before = (await put()).json;
    expect(await put(changes)).toMatchObject({ status, json: { code } });
    expect((await world.call('GET', path)).json).toEqual(before);
  });

  it('is of a wallet that is there', async () => {
    const none = await world.call('PUT', `${path.replace('main', 'vip')}/certificate`, members);
    expect(none).toMatchObject({ status: 404, json: { code: 'brand_not_found' } });
  });
});
