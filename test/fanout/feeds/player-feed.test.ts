import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FeedWorld, optedIn, share, ticketsAwarded, until, won } from '../feed-world.ts';
import { upgrade } from '../upgrade.ts';

let feed: FeedWorld;
beforeEach(async () => {
  feed = new FeedWorld();
  feed.addBrand('demo:main');
  feed.addBrand('demo:second');
  feed.addBrand('demo:bare', { wallet: false });
  feed.setRates('', { EUR: '1', USD: '1.1', JPY: '160.5', KWD: '0.333' });
  feed.addInstance('pot-1', { pots: potsOf(100_12345678n) });
  feed.addInstance('second-only', {
    configuration: {
      currency: 'EUR',
      jackpot_type: 'Jackpot',
      contribution_rules: { allowed_brands: ['demo:second'] },
    },
  });
  feed.addInstance('foreign', {
    owner: 'rival',
    configuration: { currency: 'EUR', jackpot_type: 'Jackpot' },
  });
  await feed.start();
});
afterEach(() => feed.stop());

describe('before the upgrade', () => {
  it.each([
    ['a token that the wallet does not know', '/events/demo/main?token=nonsense&currency=EUR'],
    ['a token of another brand', '/events/demo/second?token=known&currency=EUR'],
    ['no token', '/events/demo/main?currency=EUR'],
    ['two tokens', '/events/demo/main?token=known&token=known&currency=EUR'],
    ['a token that is not UTF-8', '/events/demo/main?token=%ff&currency=EUR'],
    ['a brand without a wallet', '/events/demo/bare?token=known&currency=EUR'],
    ['a brand that is not there', '/events/demo/nowhere?token=known&currency=EUR'],
    ['an operator that is not there', '/events/nobody/main?token=known&currency=EUR'],
    ["another operator's brand path", '/events/rival/demo:main?token=known&currency=EUR'],
    ['what is no identifier', '/events/demo/%ff?token=known&currency=EUR'],
    ["a service's token", '/events/demo/main?token=service&currency=EUR'],
  ])('answers 401 feed_token_invalid for %s', async (_, path) => {
    feed.wallet.set('known', 'player-1@demo:main');
    feed.wallet.set('\ufffd', 'player-1@demo:main');
    const token = encodeURIComponent(await feed.token());
    const answer = await upgrade(feed, path.replace('token=service', `token=${token}`));
    expect([answer.status, answer.body.code]).toEqual([401, 'feed_token_invalid']);
  });

  it.each([
    ['another currency than the session has', { currency: 'USD' }],
    ['another spelling of the currency', { currency: 'eur' }],
    ['another operator beside the brand path', { operator: 'rival' }],
  ])('answers 401 feed_token_invalid where the wallet names %s', async (_, said) => {
    feed.wallet.set('known', 'player-1@demo:main');
    feed.walletSays.set('known', said);
    const answer = await upgrade(feed, feed.playerPath('known', 'EUR'));
    expect([answer.status, answer.body.code]).toEqual([401, 'feed_token_invalid']);
  });

  it.each([
    ['no currency', '', 400, 'invalid_parameter'],
    ['two currencies', '&currency=EUR&currency=USD', 400, 'invalid_parameter'],
    ['an unknown currency', '&currency=ZZZ', 422, 'currency_unknown'],
    ['a name of every object', '&currency=constructor', 422, 'currency_unknown'],
    ['a currency without a rate', '&currency=CHF', 422, 'currency_not_supported'],
  ])('refuses %s', async (_, query, status, code) => {
    feed.wallet.set('known', 'player-1@demo:main');
    const answer = await upgrade(feed, `/events/demo/main?token=known${query}`);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(feed.walletQuestions).toBe(0);
  });

  it('answers 500 internal_error to a bug, and logs it', async () => {
    const bug = new TypeError('a bug');
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(feed.readModel, 'brand').mockImplementation(() => {
      throw bug;
    });
    const answer = await upgrade(feed, '/events/demo/main?token=known&currency=EUR');
    vi.restoreAllMocks();
    expect([answer.status, answer.body.code]).toEqual([500, 'internal_error']);
    expect(logged.mock.calls).toEqual([['An upgrade met a bug.', bug]]);
  });

  it('answers 503 wallet_unavailable where the wallet does not answer', async () => {
    feed.walletAnswers = false;
    const answer = await upgrade(feed, feed.playerPath('any', 'EUR'));
    expect([answer.status, answer.body.code]).toEqual([503, 'wallet_unavailable']);
    expect(answer.headers['retry-after']).toBe('1');
  });

  it.each([
    [{ kind: 'limited', retryAfterSeconds: 7 }, 429, 'too_many_attempts', '7'],
    [{ kind: 'busy' }, 503, 'overloaded', '1'],
  ] as const)('tells an address that is turned away (%j) when to come back', async (answer, ...told) => {
    feed.turnedAway = answer;
    const { status, body, headers } = await upgrade(feed, feed.playerPath('any', 'EUR'));
    expect([status, body.code, headers['retry-after']]).toEqual(told);
  });

  it('asks for the address that the proxy before it has seen', async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.1, 203.0.113.7' };
    await upgrade(feed, feed.playerPath('any', 'EUR'), headers);
    expect(feed.callers).toEqual([{ kind: 'frontend', address: '203.0.113.7' }]);
  });

  it('answers 403 owner_disabled for a disabled brand', async () => {
    feed.wallet.set('known', 'player-1@demo:main');
    feed.addBrand('demo:main', { enabled: false });
    expect((await upgrade(feed, feed.playerPath('known', 'EUR'))).body.code).toBe('owner_disabled');
  });

  it('answers 429 too_many_connections for the sixth socket of a player, whatever its currency', async () => {
    const open = [];
    for (const currency of ['EUR', 'USD', 'EUR', 'JPY', 'EUR'])
      open.push(await feed.connectPlayer('player-1', currency));
    const sixth = feed.playerPath('token-of-player-1@demo:main', 'EUR');
    const answer = await upgrade(feed, sixth);
    expect([answer.status, answer.body.code]).toEqual([429, 'too_many_connections']);
    await feed.connectPlayer('player-2');
    await feed.connectPlayer('player-1', 'EUR', 'demo:second');
    open[0]?.terminate();
    await until(() => feed.connections() === 6);
    await feed.open(sixth);
  });

  it('takes both forms of the path, and the brand bare or as a path', async () => {
    feed.wallet.set('known', 'player-1@demo:main');
    for (const path of [
      '/events/demo/main',
      '/event/demo/main',
      '/event/demo/demo:main',
      '/events/demo/demo%3Amain',
    ]) {
      const socket = await feed.open(`${path}?token=known&currency=EUR`);
      socket.subscribe();
      await until(() => socket.frames.length > 0);
    }
  });

  it('lets pages of its own address in and no others', async () => {
    feed.wallet.set('known', 'player-1@demo:main');
    const path = feed.playerPath('known', 'EUR');
    await feed.open(path, { Origin: `http://127.0.0.1:${feed.fanout.port}` });
    for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${feed.fanout.port + 1}`]) {
      const answer = await upgrade(feed, path, { Origin: origin });
      expect([answer.status, answer.body.code]).toEqual([403, 'origin_forbidden']);
    }
  });

  it('lets pages in whose origin a rule allows, for as long as it does', async () => {
    feed.wallet.set('known', 'player-1@demo:main');
    const path = feed.playerPath('known', 'EUR');
    const origin = 'https://lobby.shop.example';
    const refusal = async (from: string) => (await upgrade(feed, path, { Origin: from })).body.code;
    expect(await refusal(origin)).toBe('origin_forbidden');
    feed.setCorsRules([{ pattern: 'https://shop.example', match_mode: 'subdomain' }]);
    await feed.open(path, { Origin: origin });
    await feed.open('/v1/jackpot/status', { Origin: origin });
    expect(await refusal('https://evilshop.example')).toBe('origin_forbidden');
    expect(await refusal('null')).toBe('origin_forbidden');
    feed.setCorsRules([]);
    expect(await refusal(origin)).toBe('origin_forbidden');
  });
});

describe('what a player sees', () => {
  it.each([
    ['EUR', '100.12'],
    ['USD', '110.13'],
    ['JPY', '16069'],
    ['KWD', '33.341'],
  ])('values in %s, rounded down to its minor unit', async (currency, value) => {
    const socket = await feed.connectPlayer('player-1', currency);
    socket.subscribe();
    await until(() => socket.frames.length > 0);
    // A busy machine may bring the next update before anybody looks.
    expect([...new Set(socket.frames.map((frame) => frame.instance_id))]).toEqual(['pot-1']);
    expect(socket.frames[0].data.currency).toBe(currency);
    expect(socket.frames[0].data.pots[0].current_value).toBe(value);
  });

  it("the brand's own rates, from the moment that they change", async () => {
    const socket = await feed.connectPlayer('player-1', 'USD');
    socket.subscribe();
    await until(() => socket.frames.length > 0);
    feed.setRates('demo:main', { EUR: '1', USD: '2' });
    await until(() => socket.frames.at(-1)?.data.pots[0].current_value === '200.24');
  });

  it('an instance that cannot be converted in its own currency', async () => {
    feed.addInstance('odd', { configuration: { ...oneBrand, currency: 'CHF' }, pots: potsOf(7_77777777n) });
    const socket = await feed.connectPlayer('player-1', 'USD');
    socket.subscribe({ instance_ids: ['odd'] });
    await until(() => socket.frames.length > 0);
    expect(socket.frames[0].data.currency).toBe('CHF');
    expect(socket.frames[0].data.pots[0].current_value).toBe('7.77');
  });

  it('wins of others masked, own wins by name, in the own currency', async () => {
    const winner = await feed.connectPlayer('player-1', 'USD');
    const other = await feed.connectPlayer('player-2', 'USD');
    const elsewhere = await feed.connectPlayer('player-1', 'USD', 'demo:second');
    for (const socket of [winner, other, elsewhere]) {
      socket.subscribe();
      socket.say({ UnsubscribeRequest: {} });
      socket.subscribe({ event_type: 'WinEvent' });
    }
    await feed.settled();
    const community = [
      share('demo:main', 'player-2', 5_00000000n),
      share('demo:second', 'player-1', 1_00000000n),
    ];
    feed.store([won('pot-1', 1, { community })]);
    await until(() => winner.of('WinEvent').length + other.of('WinEvent').length === 2);
    const data = winner.of('WinEvent')[0].data;
    expect(winner.of('WinEvent')[0].player_id).toBe('player-1');
    expect(data).toMatchObject({ player_id: 'player-1', win_amount: 135.79, currency: 'USD', seed: 11 });
    expect(data.community_winners).toEqual([
      { player_id: 'pl***', win_amount: 5.5, currency: 'USD' },
      { player_id: 'pl***', win_amount: 1.1, currency: 'USD' },
    ]);
    expect(other.of('WinEvent')[0].data).toMatchObject({ player_id: 'pl***', win_amount: 135.79 });
    expect(other.of('WinEvent')[0].data.community_winners[0].player_id).toBe('player-2');
    expect(other.of('WinEvent')[0].data.community_winners[1].player_id).toBe('pl***');
    expect(elsewhere.of('WinEvent')).toEqual([]);
  });

  it('what was paid where that is known, rather than what it would be worth now', async () => {
    const socket = await feed.connectPlayer('player-1', 'USD');
    socket.subscribe({ event_type: 'WinEvent' });
    await feed.settled();
    const winner = {
      ...share('demo:main', 'player-1', 10_00000000n),
      paidAtoms: 12_00000000n,
      paidCurrency: 'USD',
    };
    feed.store([won('pot-1', 1, { winner })]);
    await until(() => socket.of('WinEvent').length === 1);
    expect(socket.of('WinEvent')[0].data).toMatchObject({ win_amount: 12, currency: 'USD' });
  });

  it('its own opt-ins and tickets, numbered by the socket, and nobody else', async () => {
    const mine = await feed.connectPlayer('player-1', 'USD');
    const other = await feed.connectPlayer('player-2', 'USD');
    const service = await feed.connect();
    for (const socket of [mine, other, service]) socket.subscribe({ event_type: 'OptInEvent' });
    for (const socket of [mine, other, service])
      socket.say({
        SubscribeRequest: {
          events: ['OptInEvent', 'RaffleTicketEvent'].map((event_type) => ({
            source: 'jackpot',
            event_type,
          })),
        },
      });
    await feed.settled();
    feed.store([optedIn('pot-1', 'demo:main', 'player-1'), ticketsAwarded('pot-1', 'demo:main', 'player-1')]);
    feed.store([optedIn('pot-1', 'demo:main', 'player-2')]);
    await until(() => mine.frames.length === 2 && other.frames.length === 1 && service.frames.length === 3);
    expect(mine.frames.map((frame) => [frame.event_type, frame.seq, frame.player_id])).toEqual([
      ['OptInEvent', 1, 'player-1'],
      ['RaffleTicketEvent', 2, 'player-1'],
    ]);
    expect(mine.frames[0].data).toMatchObject({
      contribution_value: 2.2,
      preferred_contribution_value: 0.5,
      preferred_contribution_currency: 'EUR',
    });
    expect(mine.frames[1].data).toMatchObject({
      player_id: 'demo:main:player-1',
      ext_player_id: 'player-1',
      ticket_count: 3,
      accumulated_cost: '0.55',
    });
    expect(service.frames.map((frame) => frame.seq)).toEqual([1, 2, 3]);
    expect(service.frames[0].data.contribution_value).toBe(2);
  });

  it('recovers with since what it would have seen, itself by name', async () => {
    for (let counter = 1; counter <= 3; counter += 1) feed.store([won('pot-1', counter)]);
    const other = { winner: share('demo:main', 'player-2', 1_00000000n) };
    feed.store([won('pot-1', 4, other)]);
    await feed.advance(100);
    const socket = await feed.connectPlayer('player-1');
    socket.subscribe({ since: { 'pot-1': 1 } });
    await until(() => socket.of('WinEvent').length === 3);
    expect(socket.of('WinEvent').map((frame) => [frame.seq, frame.player_id])).toEqual([
      [2, 'player-1'],
      [3, 'player-1'],
      [4, 'pl***'],
    ]);
    expect(socket.of('JackpotUpdate')[0].data.recovered).toBe(true);
  });

  it('says recovered: true where nothing happened for long, as the instance itself counts', async () => {
    feed.addInstance('quiet', { configuration: oneBrand, eventCounter: 7 });
    const socket = await feed.connectPlayer('player-1');
    socket.subscribe({ instance_ids: ['quiet'], since: { quiet: 7 } });
    const missed = await feed.connectPlayer('player-2');
    missed.subscribe({ instance_ids: ['quiet'], since: { quiet: 6 } });
    await until(() => socket.frames.length > 0 && missed.frames.length > 0);
    expect(socket.frames[0].data.recovered).toBe(true);
    expect(missed.frames[0].data.recovered).toBe(false);
  });
});

describe("a player's token", () => {
  it('is asked about again, and its sockets are closed with 4401 when the wallet has taken it back', async () => {
    const socket = await feed.connectPlayer('player-1');
    socket.subscribe();
    await feed.advance(70_000);
    await until(() => feed.walletQuestions > 1);
    expect(socket.closeCode).toBe(null);
    feed.wallet.clear();
    await feed.advance(61_000);
    await until(() => socket.closeCode !== null);
    expect(socket.closeCode).toBe(4401);
  });

  it('closes its sockets at once where the wallet says so by itself', async () => {
    const socket = await feed.connectPlayer('player-1');
    const other = await feed.connectPlayer('player-2');
    feed.revoke('demo:main', 'token-of-player-1@demo:main');
    await until(() => socket.closeCode !== null);
    expect(socket.closeCode).toBe(4401);
    expect(other.closeCode).toBe(null);
  });

  it('counts on while the wallet does not answer', async () => {
    const socket = await feed.connectPlayer('player-1');
    socket.subscribe();
    feed.walletAnswers = false;
    await feed.advance(200_000);
    await until(() => socket.frames.length > 3);
    socket.say({ RefreshTokenRequest: { token: 'another' } });
    await feed.advance(2_000);
    expect(socket.closeCode).toBe(null);
  });

  it('is renewed by one of the same player, and by no other', async () => {
    feed.wallet.set('newer', 'player-1@demo:main');
    feed.wallet.set('stranger', 'player-2@demo:main');
    const renewed = await feed.connectPlayer('player-1');
    renewed.subscribe();
    renewed.say({ RefreshTokenRequest: { token: 'newer' } });
    await until(() => feed.walletQuestions === 2);
    feed.revoke('demo:main', 'token-of-player-1@demo:main');
    await feed.advance(65_000);
    await until(() => renewed.frames.length > 2);
    expect(renewed.closeCode).toBe(null);
    renewed.say({ RefreshTokenRequest: { token: 'stranger' } });
    await until(() => renewed.closeCode !== null);
    expect(renewed.closeCode).toBe(4401);
  });
});

it('a socket ends after a day with 1000', async () => {
  const socket = await feed.connectPlayer('player-1');
  socket.subscribe();
  await until(() => socket.frames.length > 0);
  await feed.advance(24 * 3_600_000);
  await until(() => socket.closeCode !== null);
  expect(socket.closeCode).toBe(1000);
});

describe("other platforms' events", () => {
  const event = {
    source: 'campaign',
    event_type: 'Started',
    brand: 'demo:main',
    player: null,
    timestamp: 5,
    data: '{"a":1}',
  } as const;

  it('reach the named player or the whole brand, and services of the brand', async () => {
    const one = await feed.connectPlayer('player-1');
    const two = await feed.connectPlayer('player-2');
    const second = await feed.connectPlayer('player-1', 'EUR', 'demo:second');
    const service = await feed.connect();
    const restricted = await feed.connect(await feed.token('demo', ['demo:second']));
    const rival = await feed.connect(await feed.token('rival'));
    const all = [one, two, second, service, restricted, rival];
    for (const socket of all)
      socket.say({ SubscribeRequest: { events: [{ source: 'campaign', event_type: '*' }] } });
    await feed.settled();
    feed.bring(event);
    feed.bring({ ...event, player: 'player-1', event_type: 'Won' });
    feed.bring({ ...event, source: 'drop' });
    feed.bring({ ...event, brand: 'demo:second', event_type: 'Ended' });
    await until(
      () => service.frames.length === 3 && one.frames.length === 2 && restricted.frames.length === 1,
    );
    await until(() => two.frames.length === 1 && second.frames.length === 1);
    expect(one.frames).toEqual([
      {
        msg_type: 'Event',
        source: 'campaign',
        event_type: 'Started',
        operator_id: 'demo',
        brand_id: 'demo:main',
        player_id: null,
        instance_id: null,
        seq: 1,
        timestamp: 5,
        data: { a: 1 },
      },
      expect.objectContaining({ event_type: 'Won', player_id: 'player-1', seq: 2 }),
    ]);
    expect(rival.frames).toEqual([]);
  });

  it('bring their data as the platform wrote them', async () => {
    const socket = await feed.connectPlayer('player-1');
    socket.say({ SubscribeRequest: { events: [{ source: 'drop', event_type: '*' }] } });
    await feed.settled();
    const data = '{"data":12345678901234567890,"far":[1e400,1.0],"text":"\\u00e9,\\"data\\":"}';
    feed.bring({ ...event, source: 'drop', event_type: 'a,"data":b', data });
    await until(() => socket.frames.length > 0);
    expect(socket.texts[0]).toContain(`"data":${data}}`);
  });

  it('come by type where a type is subscribed', async () => {
    const socket = await feed.connectPlayer('player-1');
    socket.say({ SubscribeRequest: { events: [{ source: 'drop', event_type: 'Prize' }] } });
    await feed.settled();
    feed.bring({ ...event, source: 'drop' });
    feed.bring({ ...event, source: 'drop', event_type: 'Prize' });
    await until(() => socket.frames.length > 0);
    expect(socket.frames.map((frame) => frame.event_type)).toEqual(['Prize']);
  });
});

const oneBrand = {
  currency: 'EUR',
  jackpot_type: 'Jackpot',
  contribution_rules: { allowed_brands: ['demo:main'] },
  pots: [{ id: 'main' }],
};

function potsOf(currentAtoms: bigint) {
  return [
    {
      pot: 'main',
      enabled: true,
      instanceCount: 1,
      createdMs: 1,
      currentAtoms,
      seedAtoms: 0n,
      surplusAtoms: 0n,
      overflowAtoms: 0n,
      carryAtoms: 0n,
      contributedAtoms: 0n,
      contributedSeedAtoms: 0n,
      initialCostAtoms: 0n,
      totalContributions: 0,
    },
  ];
}
