import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { winSizesOf } from '../../../src/messages/announced-bytes.ts';
import type { LaneEvent } from '../../../src/messages/events.ts';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import { type Answer, quiet, startTestGateway, type TestGateway } from '../support/gateway.ts';

const paths = {
  acme: '/v1/jackpot/instances/gold/contributions',
  rival: '/v1/jackpot/sources/rival-slot/contributions',
};

let gateway: TestGateway;
let tokens: { readonly acme: string; readonly rival: string };
let revision = 1_000;

beforeEach(async () => {
  gateway = await startTestGateway();
  gateway.stopClock();
  tokens = { acme: await gateway.serviceToken('acme'), rival: await gateway.serviceToken('rival') };
});
afterEach(() => gateway.stop());

interface Quota {
  readonly contributions_per_second: number | null;
  readonly bytes_per_second: number | null;
}

function setQuota(operator: string, quota?: Quota): void {
  const entry = { ...gateway.readModel.entries.operators.get(operator)!, quota } as never;
  revision += 1;
  gateway.readModel.directoryChanged({ kind: 'set', entry }, revision);
}

function contribute(operator: 'acme' | 'rival', more: object = {}): Promise<Answer> {
  const body = {
    token: 'session',
    brand_id: 'main',
    player_id: 'p',
    player_country: 'DE',
    base_wager: 1,
    currency: 'EUR',
    ...more,
  };
  return gateway.call('POST', paths[operator], { token: tokens[operator], body });
}

async function statuses(count: number, operator: 'acme' | 'rival' = 'acme'): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index += 1) all.push((await contribute(operator)).status);
  return all;
}

it('without a quota takes everything', async () => {
  expect(await statuses(30)).toEqual(Array(30).fill(200));
});

it('takes so many contributions a second, and refuses more before anything is published', async () => {
  setQuota('acme', { contributions_per_second: 5, bytes_per_second: null });
  expect(await statuses(7)).toEqual([...Array(5).fill(200), 429, 429]);
  expect(gateway.commands).toHaveLength(5);
  const refused = await contribute('acme');
  expect(refused.json).toMatchObject({ status_code: 429, code: 'rate_limited' });
  expect(refused.headers['retry-after']).toBe('1');
  gateway.nowMs += 400;
  expect(await statuses(3)).toEqual([200, 200, 429]);
  gateway.nowMs += 60_000;
  expect(await statuses(6)).toEqual([...Array(5).fill(200), 429]);
});

it('does not let one operator feel the quota of another', async () => {
  setQuota('acme', { contributions_per_second: 1, bytes_per_second: null });
  expect(await statuses(3)).toEqual([200, 429, 429]);
  expect(await statuses(20, 'rival')).toEqual(Array(20).fill(200));
});

it('counts the bytes of bodies, lets one be larger than a second, and says when to come back', async () => {
  setQuota('acme', { contributions_per_second: null, bytes_per_second: 1_024 });
  const metadata = { event_metadata: { text: 'm'.repeat(6_000) } };
  expect((await contribute('acme', metadata)).status).toBe(200);
  const refused = await contribute('acme');
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers['retry-after']);
  expect(seconds).toBeGreaterThanOrEqual(5);
  expect(seconds).toBeLessThanOrEqual(6);
  gateway.nowMs += seconds * 1_000;
  expect((await contribute('acme')).status).toBe(200);
});

/** A win of a player of the brand that so many others have a share of. */
function won(brand: string, shares: number): LaneEvent {
  const share = (player: string) => ({ brand, player, amountAtoms: 1n });
  const others = Array.from({ length: shares }, (_, index) => share(`${'𝕡'.repeat(124)}${1_000 + index}`));
  return { kind: 'Won', gameround: '', eventMetadata: null, winner: share('p'), community: others } as never;
}

it('takes what wins made the log store from the bytes afterwards', async () => {
  setQuota('acme', { contributions_per_second: null, bytes_per_second: 100_000 });
  expect(await statuses(1)).toEqual([200]);
  gateway.replied({ wins: winSizesOf([won('rival:main', 800)]) });
  expect(await statuses(1)).toEqual([200]);
  // 800 shares of 96 + 9 + 500 bytes.
  gateway.replied({ wins: winSizesOf([won('acme:main', 800)]) });
  const refused = await contribute('acme');
  expect(refused.json).toMatchObject({ status_code: 429, code: 'rate_limited' });
  const seconds = Number(refused.headers['retry-after']);
  expect(seconds).toBe(4);
  expect(await statuses(1, 'rival')).toEqual([200]);
  gateway.nowMs += 3_700;
  expect(await statuses(1)).toEqual([429]);
  gateway.nowMs += 300;
  expect(await statuses(1)).toEqual([200]);
});

it('lets few contributions be under way at a time where each one wins', async () => {
  setQuota('acme', { contributions_per_second: null, bytes_per_second: 500_000 });
  await statuses(1);
  gateway.replied({ wins: winSizesOf([won('acme:main', 600)]) });
  gateway.nowMs += 1_000;
  const release: (() => void)[] = [];
  gateway.respond = (command) =>
    new Promise<CommandOutcome>((resolve) => release.push(() => resolve(quiet(command))));
  const underWay = [contribute('acme'), contribute('acme')];
  while (release.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await statuses(3)).toEqual([429, 429, 429]);
  for (const go of release) go();
  expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual([200, 200]);
  // None of them won: what was held back for it is there again.
  gateway.respond = quiet;
  expect(await statuses(3)).toEqual([200, 200, 200]);
});

it('lets wins keep nobody out for more than a minute, and without a quota for no time', async () => {
  gateway.replied({ wins: winSizesOf([won('acme:main', 800)]) });
  expect(await statuses(1)).toEqual([200]);
  setQuota('acme', { contributions_per_second: 100, bytes_per_second: 1_000 });
  for (let count = 0; count < 10; count += 1) gateway.replied({ wins: winSizesOf([won('acme:main', 800)]) });
  expect((await contribute('acme')).headers['retry-after']).toBe('61');
  setQuota('acme', { contributions_per_second: 100, bytes_per_second: null });
  gateway.replied({ wins: winSizesOf([won('acme:main', 800)]) });
  expect(await statuses(1)).toEqual([200]);
});

it('follows a change at once, and a clock that went back', async () => {
  setQuota('acme', { contributions_per_second: 1, bytes_per_second: null });
  expect(await statuses(2)).toEqual([200, 429]);
  setQuota('acme', { contributions_per_second: 1_000, bytes_per_second: null });
  gateway.nowMs += 100;
  expect(await statuses(50)).toEqual(Array(50).fill(200));
  gateway.nowMs -= 3_600_000;
  expect(await statuses(20)).toEqual(Array(20).fill(200));
  setQuota('acme');
  expect(await statuses(200)).toEqual(Array(200).fill(200));
});

it('holds for requests that the fast path leaves to the server, too', async () => {
  setQuota('acme', { contributions_per_second: 1, bytes_per_second: null });
  const body = JSON.stringify({
    token: 'session',
    brand_id: 'main',
    player_id: 'p',
    player_country: 'DE',
    base_wager: 1,
    currency: 'EUR',
  });
  const chunked = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          port: gateway.port,
          method: 'POST',
          path: paths.acme,
          headers: {
            authorization: `Bearer ${tokens.acme}`,
            'content-type': 'application/json',
            'transfer-encoding': 'chunked',
          },
        },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode as number);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  expect([await chunked(), await chunked(), (await contribute('acme')).status]).toEqual([200, 429, 429]);
});
