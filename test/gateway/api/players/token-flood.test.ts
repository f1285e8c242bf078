import { request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { maxRefusalsOfAddress, refusalWindowMs } from '../../../../src/access/players/address-reputation.ts';
import { serverAuthorization } from '../../../../src/wallet/client/signature.ts';
import { type BadWallet, keys, startBadWallet } from '../../../wallet/support.ts';
import { createInstance } from '../../support/administration.ts';
import { startWalletWorld, type WalletWorld } from '../../support/wallet-world.ts';

const floodSize = 1_000;
const genuine = ['ada', 'ben', 'cleo', 'dan'];

let world: WalletWorld;
let instance = '';
let service = '';
/** In front of the reference wallet: what it says of made-up tokens is held back for as long as a test wants. */
let slow: BadWallet;
const held: ServerResponse[] = [];
let holds = true;

beforeAll(async () => {
  world = await startWalletWorld();
  service = await world.serviceToken('acme');
  instance = await createInstance(world, {
    overrides: { contribution_rules: { allowed_brands: ['acme:main', 'rival:main'] } },
  });
  const active = { status: 'Active', reason: 'go' };
  expect((await world.call('POST', `/config/instances/${instance}/status`, active)).status).toBe(200);
  for (const player of genuine) await world.addPlayer('acme:main', player);
  await world.addPlayer('rival:main', 'rita');
  slow = await startBadWallet(async (_request, response, count) => {
    const body = slow.received[count - 1]!;
    if (holds && body.includes('made-up')) held.push(response);
    else await pass(body, response);
  });
  await world.setWallet('acme:main', slow.url);
});
afterAll(async () => {
  for (const response of held) response.destroy();
  await world.stop();
  await slow.stop();
});

/** Asks the reference wallet in the same words. */
async function pass(body: string, response: ServerResponse): Promise<void> {
  const answer = await fetch(`${world.wallet.url}/authenticate`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${keys.bearerKey}`,
      'x-server-authorization': serverAuthorization(keys.hmacSecret, Buffer.from(body)),
    },
    body,
  });
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
}

interface Told {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: string | undefined;
}

/** An opt-in with a player's token, from one of loopback's many addresses: POSTs of frontends have no limit of their own. */
function optIn(token: string, player: string, localAddress: string, brand = 'acme:main'): Promise<Told> {
  const body = JSON.stringify({
    player_id: player,
    brand_id: brand,
    player_country: 'DE',
    opt_in: true,
    contribution_value: '0.5',
  });
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: world.port,
        localAddress,
        agent: false,
        method: 'POST',
        path: `/v1/jackpot/instances/${instance}/opt-in`,
        headers: { 'content-type': 'application/json', 'x-player-token': token },
      },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        const code = text === '' ? '' : JSON.parse(text).code;
        resolve({ status: response.statusCode!, code, retryAfter: response.headers['retry-after'] });
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

const contribute = (player: string) =>
  world.call(
    'POST',
    `/v1/jackpot/instances/${instance}/contributions`,
    {
      token: `token-of-${player}`,
      brand_id: 'acme:main',
      player_id: player,
      player_country: 'DE',
      base_wager: 1,
      currency: 'EUR',
      idempotency_key: `round of ${player}`,
    },
    { token: service },
  );

const flood = (from: (index: number) => string) =>
  Array.from({ length: floodSize }, (_, index) => optIn(`made-up ${index}`, 'ada', from(index)));
const release = async () => {
  holds = false;
  for (const response of held.splice(0)) await pass('{}', response);
};

it('an administrator sees at what kind of address the wallet is', async () => {
  const shown = await world.call('GET', '/config/operators/acme/brands/main/wallet');
  expect(shown.json).toMatchObject({ base_url: slow.url, address_status: 'callable' });
});

it('a flood of made-up tokens keeps no first contribution and nobody of another address or brand out', async () => {
  const bogus = flood(() => '127.0.0.66');
  await expect.poll(() => held.length, { timeout: 60_000 }).toBeGreaterThan(8);
  const contributions = await Promise.all(genuine.map(contribute));
  expect(contributions.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await optIn('token-of-rita', 'rita', '127.0.0.66', 'rival:main')).toMatchObject({ status: 204 });
  await release();
  const told = await Promise.all(bogus);
  expect(told.filter(({ status }) => status < 400)).toEqual([]);
  for (const { status, retryAfter } of told)
    if (status !== 401) expect(Number(retryAfter)).toBeGreaterThan(0);
});

it('an address that makes tokens up is told to wait, others are served', async () => {
  // The flood may have opened the wallet's breaker where answers were held for longer than a call waits.
  let looked = 0;
  const answersAgain = async () => (await optIn(`made-up to see ${++looked}`, 'ada', '127.0.0.69')).status;
  await expect.poll(answersAgain, { timeout: 60_000, interval: 500 }).toBe(401);
  let told: Told;
  let beganMs: number;
  // Refusals count within a window: a busy machine may need a longer one for so many.
  do {
    beganMs = performance.now();
    for (let asked = 0; asked < maxRefusalsOfAddress; asked += 1)
      await optIn(`made-up again ${++looked}`, 'ada', '127.0.0.67');
    told = await optIn(`made-up at last ${++looked}`, 'ada', '127.0.0.67');
  } while (told.status === 401 && performance.now() - beganMs >= refusalWindowMs);
  expect(told).toMatchObject({ status: 429, code: 'too_many_attempts' });
  expect(Number(told.retryAfter)).toBeGreaterThan(0);
  expect(await optIn('token-of-ada', 'ada', '127.0.0.68')).toMatchObject({ status: 204 });
});
