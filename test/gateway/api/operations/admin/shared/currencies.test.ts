import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createInstance,
  furnish,
  startWorld,
  template,
  type World,
} from '../../../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
});
afterAll(() => world.stop());

describe('currency rates', () => {
  it('shows the default table publicly, with the base currency in it', async () => {
    const { status, json } = await world.call('GET', '/v1/currencies', undefined, { token: '' });
    expect(status).toBe(200);
    expect(json).toEqual({
      last_updated: expect.any(Number),
      base_currency: 'EUR',
      multipliers: { EUR: 1, SEK: 11.2, USD: 1.08 },
    });
  });

  it('is in every lane when it is answered, and a brand without multipliers has the default ones', async () => {
    const before = world.lanes.map((lane) => lane.rateVersion(''));
    const body = {
      base_currency: 'EUR',
      multipliers: { USD: '1.080000000000000001', DOGE: 5 },
      exponents: { DOGE: 4 },
    };
    const answer = await world.call('PUT', '/config/currencies', body);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"USD":1.080000000000000001');
    world.lanes.forEach((lane, index) => {
      expect(lane.rateVersion('')).toBeGreaterThan(before[index]!);
    });
    const token = await world.serviceToken('acme');
    const own = await world.call('GET', '/v1/currencies/main', undefined, { token });
    expect(own.json).toMatchObject({ brand_id: 'acme:main', base_currency: 'EUR', multipliers: { DOGE: 5 } });
    const set = await world.call('PUT', '/config/currencies/acme:vip', { multipliers: { USD: 2 } });
    expect(set.json).toEqual({ brand_id: 'acme:vip', base_currency: 'EUR', multipliers: { EUR: 1, USD: 2 } });
    const list = await world.call('GET', '/config/currencies');
    expect(list.json.map((item: { brand_id: string }) => item.brand_id)).toEqual([
      'acme:main',
      'acme:vip',
      'rival:main',
    ]);
    const vip = await world.call('GET', '/v1/currencies/acme:vip', undefined, { token });
    expect(vip.text).toBe(set.text);
  });

  it('gives a brand the default rates again when its own are set without multipliers', async () => {
    const token = await world.serviceToken('acme');
    const path = '/config/currencies/acme:vip';
    const table = async () => JSON.parse((await world.call('GET', '/v1/currencies')).text).multipliers;
    const set = await world.call('PUT', path, { multipliers: { USD: 3 } });
    expect(set.json.multipliers).toEqual({ EUR: 1, USD: 3 });
    const removed = await world.call('PUT', path, { multipliers: {} });
    expect(removed.status).toBe(200);
    expect(removed.json).toEqual({
      brand_id: 'acme:vip',
      base_currency: 'EUR',
      multipliers: await table(),
      exponents: { DOGE: 4 },
    });
    const read = () => world.call('GET', '/v1/currencies/acme:vip', undefined, { token });
    expect((await read()).text).toBe(removed.text);
    for (const lane of world.lanes) expect(lane.rateVersion('acme:vip')).toBe(0);
    const whole = { base_currency: 'EUR', multipliers: { USD: 1.1, DOGE: 5 }, exponents: { DOGE: 4 } };
    expect((await world.call('PUT', '/config/currencies', whole)).status).toBe(200);
    expect((await read()).json.multipliers).toEqual({ EUR: 1, USD: 1.1, DOGE: 5 });
  });

  it('answers foreign brands as missing ones, and own ones that the claims leave out as forbidden', async () => {
    const token = await world.serviceToken('acme', ['acme:main']);
    const read = (brand: string) => world.call('GET', `/v1/currencies/${brand}`, undefined, { token });
    expect((await read('rival:main')).text).toBe((await read('acme:none')).text);
    expect((await read('acme:vip')).json.code).toBe('brand_forbidden');
    await world.call('PATCH', '/config/operators/acme/brands/main', { enabled: false });
    expect((await read('main')).json.code).toBe('owner_disabled');
    await world.call('PATCH', '/config/operators/acme/brands/main', { enabled: true });
  });

  it.each([
    [{ USD: 0 }, 422, 'rate_invalid'],
    [{ USD: -1 }, 422, 'rate_invalid'],
    [{ USD: '-0.5' }, 422, 'rate_invalid'],
    [{ USD: '0' }, 422, 'rate_invalid'],
    [{ USD: '0.0000000000000000001' }, 422, 'rate_invalid'],
    [{ USD: '1000000000000001' }, 422, 'rate_invalid'],
    [{ EUR: 2 }, 422, 'rate_invalid'],
    [{ DOGE: 2 }, 422, 'rate_invalid'],
    [{ USD: null }, 400, 'invalid_request'],
    [{ USD: true }, 400, 'invalid_request'],
    [{ USD: [1] }, 400, 'invalid_request'],
    [{ USD: 'one' }, 400, 'invalid_request'],
    [{ USD: '-0' }, 400, 'invalid_request'],
    [{ USD: '-0.00' }, 400, 'invalid_request'],
    [{ USD: '01.5' }, 400, 'invalid_request'],
    [{ usd: 1 }, 400, 'invalid_request'],
    [{}, 400, 'invalid_request'],
  ])('multipliers %j are %i %s and change nothing', async (multipliers, status, code) => {
    const before = (await world.call('GET', '/v1/currencies')).text;
    const answer = await world.call('PUT', '/config/currencies', { base_currency: 'EUR', multipliers });
    expect(answer).toMatchObject({ status, json: { code } });
    expect((await world.call('GET', '/v1/currencies')).text).toBe(before);
  });

  it('takes no other exponent for a currency of ISO 4217, in the default table or of a brand', async () => {
    const before = (await world.call('GET', '/v1/currencies')).text;
    const multipliers = { USD: 1, JPY: 150, DOGE: 5 };
    const set = (path: string, exponents: Record<string, number>) =>
      world.call('PUT', path, {
        ...(path === '/config/currencies' ? { base_currency: 'EUR' } : {}),
        multipliers,
        exponents: { DOGE: 4, ...exponents },
      });
    for (const path of ['/config/currencies', '/config/currencies/acme:vip']) {
      for (const exponents of [{ USD: 3 }, { EUR: 0 }, { JPY: 2 }]) {
        const answer = await set(path, exponents);
        expect(answer).toMatchObject({ status: 422, json: { code: 'rate_invalid' } });
      }
    }
    expect((await world.call('GET', '/v1/currencies')).text).toBe(before);
    expect((await set('/config/currencies/acme:vip', { USD: 2, EUR: 2, JPY: 0 })).status).toBe(200);
  });

  it('keeps the exponent of a currency while an instance has it', async () => {
    const set = (exponents: Record<string, number>) =>
      world.call('PUT', '/config/currencies', {
        base_currency: 'EUR',
        multipliers: { USD: 1.1, ...Object.fromEntries(Object.keys(exponents).map((each) => [each, 5])) },
        exponents,
      });
    expect((await set({ COIN: 4, DOGE: 4 })).status).toBe(200);
    expect(
      (await world.call('POST', '/config/templates', template('coins', { currency: 'COIN' }))).status,
    ).toBe(201);
    const id = await createInstance(world, { template_id: 'coins' });
    const before = (await world.call('GET', '/v1/currencies')).text;
    for (const exponents of [{ DOGE: 4 }, { COIN: 3, DOGE: 4 }]) {
      expect(await set(exponents)).toMatchObject({ status: 422, json: { code: 'rate_invalid' } });
    }
    expect((await world.call('GET', '/v1/currencies')).text).toBe(before);
    expect((await set({ COIN: 4, DOGE: 2 })).status).toBe(200);
    const cancelled = { status: 'Cancelled', reason: 'not wanted' };
    expect((await world.call('POST', `/config/instances/${id}/status`, cancelled)).status).toBe(200);
    expect((await set({ DOGE: 2 })).status).toBe(200);
  });

  it('needs the role finance, and the whole system for the default table', async () => {
    const body = { base_currency: 'EUR', multipliers: { USD: 1 } };
    for (const [roles, owners] of [
      [['config'], ['*']],
      [['finance'], ['acme']],
    ] as const) {
      const token = await world.token(roles, owners);
      expect((await world.call('PUT', '/config/currencies', body, { token })).json.code).toBe('forbidden');
    }
    const token = await world.token(['finance'], ['acme']);
    const foreign = await world.call(
      'PUT',
      '/config/currencies/rival:main',
      { multipliers: { USD: 1 } },
      { token },
    );
    expect(foreign.json.code).toBe('brand_not_found');
  });
});
