import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContributionError, LoginError, PotstreamError } from '../../sdk/src/index.ts';
import { assemble } from '../../sdk/src/potstream.ts';
import { startTestGateway, type TestGateway } from '../gateway/support/gateway.ts';
import { stillPace } from './support/still-pace.ts';

const minuteMs = 60_000;
const patience = { timeout: 60_000, interval: 2 };
const user = { username: 'service', password: 'a long password' };
const body = {
  token: 'session',
  brand_id: 'acme:main',
  player_id: 'ada',
  player_country: 'DE',
  base_wager: '1.00',
  currency: 'EUR',
};

let gateway: TestGateway;
let pace: ReturnType<typeof stillPace>;
/** Paths of all requests in order. */
let sent: string[];
/** Replaceable: what happens to a request on its way. */
let network: typeof fetch;
beforeEach(async () => {
  gateway = await startTestGateway();
  gateway.stopClock();
  await gateway.access.createServiceUser({ ...user, operator: 'acme', brands: null });
  pace = stillPace();
  sent = [];
  network = fetch;
});
afterEach(() => gateway.stop());

const client = (credentials: Parameters<typeof assemble>[0]['credentials'] = user) =>
  assemble(
    {
      baseUrl: `http://127.0.0.1:${gateway.port}/`,
      credentials,
      fetch: (input, init) => {
        sent.push(new URL(String(input)).pathname);
        return network(input, init);
      },
    },
    pace,
  );
const pass = (durationMs: number) => {
  pace.passMs(durationMs);
  gateway.nowMs += durationMs;
};
const ofAccess = () => sent.filter((path) => path.startsWith('/v1/auth/'));
const logIn = '/v1/auth/service';
const renewal = '/v1/auth/service/renew';

describe('the token of a service', () => {
  it('comes from one log-in, however many requests wait for it', async () => {
    const potstream = client();
    await Promise.all(Array.from({ length: 8 }, () => potstream.contributeToInstance('gold', body)));
    expect(ofAccess()).toEqual([logIn]);
    expect(gateway.commands).toHaveLength(8);
  });

  it('is renewed before it expires, once, and no request waits for that', async () => {
    const potstream = client();
    const first = await potstream.token();
    pass(10 * minuteMs);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    network = async (input, init) => {
      if (String(input).endsWith(renewal)) await held;
      return fetch(input, init);
    };
    const during = await Promise.all([potstream.token(), potstream.token()]);
    await potstream.contributeToInstance('gold', body);
    expect(during).toEqual([first, first]);
    release();
    await expect.poll(() => potstream.token(), patience).not.toBe(first);
    pass(8 * minuteMs);
    await potstream.contributeToInstance('gold', body);
    expect(ofAccess()).toEqual([logIn, renewal]);
  });

  it('stays in use while it cannot be renewed', async () => {
    const potstream = client();
    const first = await potstream.token();
    pass(10 * minuteMs);
    network = (input, init) =>
      String(input).endsWith(renewal) ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init);
    expect(await potstream.token()).toBe(first);
    await expect.poll(() => sent.filter((path) => path === renewal).length, patience).toBe(6);
    await potstream.contributeToInstance('gold', body);
    expect(sent.filter((path) => path === logIn)).toHaveLength(1);
  });

  it('comes from a new log-in where the session is over, or nothing was sent for long', async () => {
    const potstream = client();
    await potstream.token();
    pass(14 * minuteMs);
    await potstream.contributeToInstance('gold', body);
    expect(ofAccess()).toEqual([logIn, logIn]);
    for (let renewals = 0; renewals < 144; renewals += 1) {
      pass(10 * minuteMs);
      const old = await potstream.token();
      await expect.poll(() => potstream.token(), patience).not.toBe(old);
    }
    expect(ofAccess().at(-1)).toBe(logIn);
    expect(ofAccess().filter((path) => path === logIn)).toHaveLength(3);
  });

  it('is replaced when it was refused, and the request sent again', async () => {
    const potstream = client();
    const token = await potstream.token();
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const admin = await gateway.adminToken(['security'], ['*']);
    const revoked = await gateway.call('DELETE', `/config/tokens/${jti}`, { token: admin });
    expect(revoked.status).toBe(204);
    await potstream.contributeToInstance('gold', body);
    expect(ofAccess()).toEqual([logIn, logIn]);
    expect(gateway.commands).toHaveLength(1);
  });

  it('is not asked for again and again with a wrong password', async () => {
    const potstream = client({ ...user, password: 'another password' });
    for (let tries = 0; tries < 20; tries += 1) {
      const error = await potstream.contributeToInstance('gold', body).catch((reason) => reason);
      expect(error).toBeInstanceOf(ContributionError);
      expect(error).toMatchObject({ code: 'invalid_credentials', outcome: 'not_applied' });
    }
    expect(sent).toEqual([logIn]);
    pass(11_000);
    await expect(potstream.token()).rejects.toThrow(PotstreamError);
    expect(sent).toEqual([logIn, logIn]);
  });
});

describe('a key of a service user', () => {
  const signing = async () => {
    const { keyId, secret } = await gateway.access.requestKeys.create(
      gateway.access.accounts.find('service', user.username)!,
    );
    // The signature names the real time.
    gateway.nowMs = Date.now();
    return { key_id: keyId, secret };
  };

  it('signs requests, which then need no log-in', async () => {
    const potstream = client(await signing());
    await potstream.contributeToInstance('gold', body);
    const { data } = await potstream.api.GET('/v1/jackpot/sources', {
      params: { query: { owner_id: 'acme' } },
    });
    expect(data?.map(({ source_id }) => source_id)).toEqual(['slot-1']);
    expect(ofAccess()).toEqual([]);
    await expect(potstream.token()).rejects.toThrow(TypeError);
  });

  it('signs each attempt, because a nonce counts once', async () => {
    const potstream = client(await signing());
    let lost = 0;
    network = async (input, init) => {
      const response = await fetch(input, init);
      lost += 1;
      if (lost > 2) return response;
      throw new TypeError('fetch failed');
    };
    await potstream.contributeToInstance('gold', body);
    expect(gateway.commands).toHaveLength(3);
    const keys = gateway.commands.map((command) => 'idempotencyKey' in command && command.idempotencyKey);
    expect(keys[0]).toBeInstanceOf(Uint8Array);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
  });

  it('with a wrong secret is refused', async () => {
    const potstream = client({ ...(await signing()), secret: 'wrong' });
    const error = await potstream.contributeToInstance('gold', body).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'signature_invalid', status_code: 401, outcome: 'not_applied' });
    expect(error.request_id).toMatch(/./);
  });
});

describe('other operations', () => {
  const ticker = (potstream = client()) =>
    potstream.api
      .GET('/v1/jackpot/instances/{instance_id}/ticker', { params: { path: { instance_id: 'nothing' } } })
      .catch((reason: unknown) => reason);

  it('throw what Potstream refuses', async () => {
    const error = await ticker();
    expect(error).toBeInstanceOf(PotstreamError);
    expect(error).toMatchObject({ code: 'instance_not_found', status_code: 404 });
  });

  it.each<[string, string, () => Promise<Response>]>([
    ['a lost connection', 'no_answer', () => Promise.reject(new TypeError('fetch failed'))],
    ['an answer that breaks off', 'no_answer', async () => new Response(broken())],
    ['a page of a proxy', 'unexpected_answer', async () => new Response('<h1>Log in to the hotel</h1>')],
    ['an empty error', 'unexpected_answer', async () => new Response('', { status: 502 })],
    ['an error of another status', 'unexpected_answer', async () => new Response(refused, { status: 400 })],
  ])('throw an error after %s', async (_, code, answer) => {
    const potstream = client();
    await potstream.token();
    network = answer;
    const error = await ticker(potstream);
    expect(error).toBeInstanceOf(PotstreamError);
    expect(error).toMatchObject({ code });
  });

  it('are not sent if nobody can log in', async () => {
    const error = await ticker(client({ ...user, password: 'another password' }));
    expect(error).toBeInstanceOf(LoginError);
    expect(error).toMatchObject({ code: 'invalid_credentials' });
    expect(sent).toEqual([logIn]);
  });

  it('end with the signal of their caller, also while the log-in waits', async () => {
    network = () => new Promise(() => {});
    const signal = AbortSignal.abort(new Error('The player left.'));
    const params = { path: { instance_id: 'gold' } };
    const asked = client().api.GET('/v1/jackpot/instances/{instance_id}/ticker', { params, signal });
    await expect(asked).rejects.toMatchObject({
      code: 'no_answer',
      message: expect.stringContaining('left'),
    });
  });
});

const refused = '{"status_code":404,"code":"instance_not_found","message":"No."}';

function broken(): ReadableStream {
  return new ReadableStream({
    pull(controller) {
      controller.error(new TypeError('terminated'));
    },
  });
}
