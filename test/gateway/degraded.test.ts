import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

/** All groups of the test's gateway hash to it. */
const lane = 2;
let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.stop());

function stop(of = lane, host = 'host'): void {
  gateway.readModel.laneSignalled({ lane: of, host, condition: 'stopped', code: 'hole' } as never, 1);
}

function serve(of = lane): void {
  gateway.readModel.laneSignalled({ lane: of, host: 'host', condition: 'serving', code: '' } as never, 2);
}

async function ask(method: string, path: string, token?: string, body?: unknown) {
  const answer = await gateway.call(method, path, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  });
  return [answer.status, answer.json?.code ?? null, answer.headers['retry-after'] ?? null];
}

const unavailable = [503, 'instance_unavailable', '60'];
const contribution = {
  token: 't',
  brand_id: 'main',
  player_id: 'p',
  player_country: 'DE',
  base_wager: 1,
  currency: 'EUR',
};

describe('a gateway one of whose lanes has stopped', () => {
  it('answers one code to whatever needs the lane, sends nothing there, and serves again with it', async () => {
    const service = await gateway.serviceToken();
    const admin = await gateway.adminToken(['config'], ['acme']);
    stop();
    const requests: [string, string, string?, unknown?][] = [
      ['POST', '/v1/jackpot/instances/gold/contributions', service, contribution],
      ['POST', '/v1/jackpot/sources/slot-1/contributions', service, contribution],
      ['GET', '/v1/jackpot/instances/gold/ticker'],
      ['GET', '/v1/jackpot/instances/source/slot-1/brand/acme:main'],
      ['GET', '/v1/operator/jackpot/instances/source/slot-1/brand/main?player_id=p&country_code=DE', service],
      ['GET', '/v1/fairness/instances/gold'],
      ['GET', '/v1/fairness/instances/gold/conservation'],
      ['GET', '/v1/fairness/instances/gold/epochs'],
      ['GET', '/config/instances/gold', admin],
      ['GET', '/config/instances/gold/winners', admin],
    ];
    const told: Record<string, unknown> = {};
    // These ask the lane itself, which the test's stand-in for it does not refuse as the real way into the lanes does.
    const askTheLane = new Set(['/conservation', '/epochs', '/winners', 'instances/gold']);
    for (const [method, path, token, body] of requests) {
      if ([...askTheLane].some((end) => path.endsWith(end)) && !path.endsWith('fairness/instances/gold'))
        continue;
      told[path] = await ask(method, path, token, body);
      expect(told[path], path).toEqual(unavailable);
    }
    expect(Object.keys(told).length).toBeGreaterThanOrEqual(6);
    expect(gateway.commands).toEqual([]);
    serve();
    const served = await ask('POST', '/v1/jackpot/instances/gold/contributions', service, contribution);
    expect(served.slice(0, 2)).toEqual([200, null]);
    expect((await ask('GET', '/v1/jackpot/instances/gold/ticker'))[0]).toBe(200);
  });

  it('lists what it knows and says which lanes are missing', async () => {
    const admin = await gateway.adminToken(['config'], ['acme']);
    stop();
    const listed = await gateway.call('GET', '/config/instances?owner_id=acme', { token: admin });
    expect(listed.status).toBe(200);
    expect(listed.json.map(({ id }: { id: string }) => id)).toContain('gold');
    expect(listed.headers['x-incomplete']).toBe('lanes 2');
    const service = await gateway.serviceToken();
    const sources = await gateway.call('GET', '/v1/jackpot/sources?owner_id=acme', { token: service });
    expect([sources.status, sources.headers['x-incomplete']]).toEqual([200, 'lanes 2']);
    serve();
    const whole = await gateway.call('GET', '/v1/jackpot/sources?owner_id=acme', { token: service });
    expect(whole.headers['x-incomplete']).toBeUndefined();
  });

  it('shows at /readyz which lanes do not serve', async () => {
    for (const each of [0, 1, 3]) serve(each);
    stop();
    const answer = await gateway.call('GET', '/readyz');
    expect([answer.status, answer.json]).toEqual([
      200,
      { status: 'degraded', lanes: [{ lane: 2, condition: 'stopped', code: 'hole' }] },
    ]);
    serve();
    expect((await gateway.call('GET', '/readyz')).json).toEqual({ status: 'ok' });
  });
});

describe('a gateway that could never read one of its lanes', () => {
  it('says of no id that it is missing, and answers the same for one that only others may see', async () => {
    await gateway.stop();
    gateway = await startTestGateway({ unreadLanes: [3] });
    stop(3);
    const service = await gateway.serviceToken();
    const admin = await gateway.adminToken(['config'], ['acme']);
    for (const id of ['nowhere', 'foreign']) {
      const path = `/v1/jackpot/instances/${id}/contributions`;
      expect(await ask('POST', path, service, contribution), id).toEqual(unavailable);
      expect(await ask('GET', `/config/instances/${id}`, admin), id).toEqual(unavailable);
    }
    expect(await ask('GET', '/v1/jackpot/instances/nowhere/ticker')).toEqual(unavailable);
    const known = await ask('POST', '/v1/jackpot/instances/gold/contributions', service, contribution);
    expect(known[0]).toBe(200);
    gateway.readModel.laneCurrent(3);
    serve(3);
    for (const id of ['nowhere', 'foreign'])
      expect((await ask('GET', `/config/instances/${id}`, admin)).slice(0, 2)).toEqual([
        404,
        'instance_not_found',
      ]);
  });
});
