import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FeedWorld, type Frame, type TestSocket, until } from '../feed-world.ts';
import { upgrade } from '../upgrade.ts';

const path = '/v1/jackpot/status';
let feed: FeedWorld;
beforeEach(async () => {
  feed = new FeedWorld();
  feed.addBrand('demo:main');
  feed.addBrand('rival:main');
  feed.setRates('', { EUR: '1', USD: '2' });
  feed.addInstance('pot-1');
  feed.addInstance('asleep', { status: 'Pending' });
  feed.addInstance('foreign', {
    owner: 'rival',
    configuration: { currency: 'EUR', jackpot_type: 'Jackpot' },
  });
  await feed.start({ statusPeriodMs: 150 });
});
afterEach(() => feed.stop());

describe('a service', () => {
  it('gets all active jackpots of its scope, at once and again and again', async () => {
    const socket = await authenticated(await feed.token());
    expect(socket.frames[0]).toEqual({
      msg_type: 'JackpotStatus',
      timestamp: expect.any(Number),
      part: 1,
      parts: 1,
      jackpots: [
        {
          id: 'pot-1',
          jackpot_type: 'Jackpot',
          currency: 'EUR',
          pots: [{ id: 'main', is_progressive: true, current_value: '100', community_split: '0.15' }],
          allowed_brands: ['demo:main'],
          allowed_sources: [],
          status: 'Active',
          timestamp_start: 1,
          timestamp_end: null,
          last_updated: 1_700_000_000_000,
        },
      ],
    });
    feed.tick('pot-1', 2, 123_45678901n);
    await until(() => potValue(socket.frames.at(-1)) === '123.45678901');
    expect(new Set(socket.frames.map((frame) => frame.msg_type))).toEqual(new Set(['JackpotStatus']));
  });

  it('gets many in parts of a hundred', async () => {
    for (let number = 0; number < 249; number += 1) feed.addInstance(`many-${number}`);
    const socket = await authenticated(await feed.token());
    await until(() => socket.frames.length >= 6);
    for (const round of [0, 3]) {
      const parts = socket.frames.slice(round, round + 3);
      expect(parts.map((frame) => [frame.part, frame.parts, frame.jackpots.length])).toEqual([
        [1, 3, 100],
        [2, 3, 100],
        [3, 3, 50],
      ]);
      expect(new Set(parts.flatMap((frame) => frame.jackpots.map(({ id }: Frame) => id))).size).toBe(250);
    }
  });

  it('that can see nothing active is told so', async () => {
    const socket = await authenticated(await feed.token('nobody'));
    expect(socket.frames[0]).toMatchObject({ part: 1, parts: 1, jackpots: [] });
  });

  it('gets no events, and is told of a win by nobody', async () => {
    const socket = await authenticated(await feed.token());
    await feed.advance(6_000);
    await until(() => socket.frames.length > 3);
    expect(socket.frames.every((frame) => frame.msg_type === 'JackpotStatus')).toBe(true);
  });
});

it('a service may say that it is no player', async () => {
  const socket = await feed.open(path);
  const nobody = { operator_id: null, brand_id: null, currency: null };
  socket.say({ AuthenticateRequest: { token: await feed.token(), ...nobody } });
  await until(() => socket.frames.length > 0);
});

it('a player gets what is open to the brand, in its currency', async () => {
  feed.wallet.set('known', 'player-1@demo:main');
  const socket = await authenticated('known', { operator_id: 'demo', brand_id: 'main', currency: 'USD' });
  expect(socket.frames[0].jackpots.map(({ id, currency }: Frame) => [id, currency])).toEqual([
    ['pot-1', 'USD'],
  ]);
  expect(potValue(socket.frames[0])).toBe('200');
});

describe('closes with', () => {
  const player = { operator_id: 'demo', brand_id: 'main', currency: 'EUR' };

  it.each([
    ['an unknown token', { token: 'nonsense' }],
    ["a player's token without its brand", { token: 'known' }],
    [
      "a player's token of another brand",
      { token: 'known', operator_id: 'rival', brand_id: 'main', currency: 'EUR' },
    ],
    ['an unknown player token', { token: 'nonsense', ...player }],
  ])('4401 for %s', async (_, request) => {
    feed.wallet.set('known', 'player-1@demo:main');
    expect(await closeAfter({ AuthenticateRequest: request })).toBe(4401);
  });

  it("4401 for a player's token of a session in another currency", async () => {
    feed.wallet.set('known', 'player-1@demo:main');
    feed.walletSays.set('known', { currency: 'USD' });
    expect(await closeAfter({ AuthenticateRequest: { token: 'known', ...player } })).toBe(4401);
  });

  it('4429 for a token of an address that has shown too many', async () => {
    feed.turnedAway = { kind: 'limited', retryAfterSeconds: 7 };
    expect(await closeAfter({ AuthenticateRequest: { token: 'any', ...player } })).toBe(4429);
  });

  it.each([
    ['no JSON', 'nonsense'],
    ['a subscription', { SubscribeRequest: { events: [{ source: 'jackpot', event_type: '*' }] } }],
    ['a renewal before authentication', { RefreshTokenRequest: { token: 'known' } }],
    ['no token', { AuthenticateRequest: {} }],
    ['half an identity', { AuthenticateRequest: { token: 'known', brand_id: 'main' } }],
    ['an unknown currency', { AuthenticateRequest: { token: 'known', ...player, currency: 'ZZZ' } }],
  ])('4400 for %s', async (_, message) => {
    expect(await closeAfter(message)).toBe(4400);
  });

  it('4408 without authentication within 5 s', async () => {
    const silent = await feed.open(path);
    await feed.advance(5_500);
    await until(() => silent.closeCode !== null);
    expect(silent.closeCode).toBe(4408);
  });

  it('4401 when the token expires, unless it was renewed', async () => {
    const lapsed = await authenticated(await feed.token());
    const renewed = await authenticated(await feed.token());
    await feed.advance(10 * 60_000);
    await feed.renew(renewed, await feed.token());
    await feed.advance(6 * 60_000);
    await until(() => lapsed.closeCode !== null);
    expect(lapsed.closeCode).toBe(4401);
    expect(renewed.closeCode).toBe(null);
  });

  it('4403 when the operator is disabled, 1013 for the sixth socket of a player and a silent wallet', async () => {
    feed.wallet.set('known', 'player-1@demo:main');
    for (let count = 0; count < 5; count += 1) await authenticated('known', player);
    expect(await closeAfter({ AuthenticateRequest: { token: 'known', ...player } })).toBe(1013);
    feed.walletAnswers = false;
    expect(await closeAfter({ AuthenticateRequest: { token: 'known', ...player } })).toBe(1013);
    const [first] = feed.sockets;
    feed.addBrand('demo:main', { enabled: false });
    await until(() => first?.closeCode !== null);
    expect(first?.closeCode).toBe(4403);
  });

  it('1001 at shutdown, authenticated or not', async () => {
    const sockets = [await feed.open(path), await authenticated(await feed.token())];
    await feed.fanout.stop();
    await until(() => sockets.every((socket) => socket.closeCode !== null));
    expect(sockets.map((socket) => socket.closeCode)).toEqual([1001, 1001]);
    await feed.startFanout();
  });
});

it('lets pages of its own address in and no others', async () => {
  await feed.open(path, { Origin: `http://127.0.0.1:${feed.fanout.port}` });
  expect((await upgrade(feed, path, { Origin: 'http://evil.example' })).body.code).toBe('origin_forbidden');
});

it('a socket that does not read gets a whole status again once it reads', async () => {
  for (let number = 0; number < 900; number += 1) feed.addInstance(`many-${number}`);
  const socket = await authenticated(await feed.token());
  socket.raw.pause();
  await until(() => [...feed.fanout.connections].some(({ statusParts }) => statusParts.length > 0));
  feed.tick('pot-1', 9, 77_00000000n);
  socket.raw.resume();
  await until(() => socket.frames.some((frame) => frame.part === 1 && potValue(frame) === '77'));
  const rounds: Frame[][] = [];
  for (const frame of socket.frames) {
    if (frame.part === 1) rounds.push([]);
    rounds.at(-1)?.push(frame);
  }
  for (const round of rounds.slice(0, -1))
    expect(round.map((frame) => frame.part)).toEqual(round.map((_, index) => index + 1));
  expect(rounds.slice(0, -1).every((round) => round.length === round[0]?.parts)).toBe(true);
});

async function authenticated(token: string, player: Record<string, string> = {}): Promise<TestSocket> {
  const socket = await feed.open(path);
  socket.say({ AuthenticateRequest: { token, ...player } });
  await until(() => socket.frames.length > 0);
  return socket;
}

async function closeAfter(message: unknown): Promise<number | null> {
  const socket = await feed.open(path);
  socket.say(message);
  await until(() => socket.closeCode !== null);
  return socket.closeCode;
}

function potValue(frame: Frame): string {
  return frame.jackpots.find(({ id }: Frame) => id === 'pot-1')?.pots[0].current_value;
}
