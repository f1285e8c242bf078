import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FeedWorld, raffleWon, share, statusChanged, type TestSocket, until, won } from '../feed-world.ts';
import { upgrade } from '../upgrade.ts';

let feed: FeedWorld;
beforeEach(async () => {
  feed = new FeedWorld();
  feed.addBrand('demo:main', { public_feed: true, public_winners: true });
  feed.setRates('', { EUR: '1', USD: '2', GBP: '3' });
  feed.addInstance('pot-1');
  await feed.start({ publicFeedsPerAddress: 5, socketsLimit: 12 });
});
afterEach(() => feed.stop());

const path = '/v1/public/demo/main/events';
const everything = [{ source: 'jackpot', event_type: '*' }];
const visitor = (address: string) => ({ 'X-Forwarded-For': address });

async function visit(query = '', headers: Record<string, string> = {}): Promise<TestSocket> {
  const socket = await feed.open(path + query, headers);
  socket.subscribe();
  await until(() => socket.of('JackpotUpdate').length > 0);
  return socket;
}

async function refusal(of = path, headers: Record<string, string> = {}) {
  const { status, body } = await upgrade(feed, of, headers);
  return [status, body.code];
}

describe('everybody sees', () => {
  test('jackpots and what becomes of them, and nothing but what is on the list', async () => {
    const socket = await visit();
    expect(socket.frames[0]).toEqual({
      msg_type: 'Event',
      source: 'jackpot',
      event_type: 'JackpotUpdate',
      operator_id: 'demo',
      brand_id: 'demo:main',
      player_id: null,
      instance_id: 'pot-1',
      seq: 1,
      timestamp: expect.any(Number),
      data: {
        id: 'pot-1',
        currency: 'EUR',
        pots: [{ id: 'main', current_value: '100' }],
        allowed_sources: [],
        status: 'Active',
        timestamp_start: 1,
        timestamp_end: null,
        last_updated: 1_700_000_000_000,
        event_seq: 0,
      },
    });
    feed.store([
      won('pot-1', 1),
      statusChanged('pot-1', 2, 'Suspended'),
      raffleWon('pot-1', 3, 'demo:main', 'player-1'),
    ]);
    await until(() => socket.of('RaffleWinEvent').length === 1);
    expect(socket.of('WinEvent')[0]).toMatchObject({ brand_id: 'demo:main', player_id: null, seq: 1 });
    expect(socket.of('WinEvent')[0].data).toEqual({
      win_pot_id: 'main',
      win_amount: 123.45,
      currency: 'EUR',
      player_id: 'pl***',
      community_winners: [{ player_id: 'st***', win_amount: 5, currency: 'EUR' }],
    });
    expect(socket.of('InstanceStatusEvent')[0].data).toEqual({ instance_id: 'pot-1', status: 'Suspended' });
    expect(socket.of('RaffleWinEvent')[0].data).toEqual({
      win_pot_id: 'main',
      currency: 'EUR',
      winners: [{ player_id: 'pl***', win_amount: 2 }],
    });
    const texts = socket.texts.join('');
    for (const hidden of ['campaign', 'player-1', 'stranger', 'other:brand', 'reason', 'seed', 'head'])
      expect(texts).not.toContain(hidden);
  });

  test('values in the currency of the address', async () => {
    const socket = await visit('?currency=USD');
    expect(socket.frames[0].data).toMatchObject({ currency: 'USD', pots: [{ current_value: '200' }] });
    expect(await refusal(`${path}?currency=XXX`)).toEqual([422, 'currency_unknown']);
    expect(await refusal(`${path}?currency=`)).toEqual([400, 'invalid_parameter']);
    expect(await refusal(`${path}?token=x`)).toEqual([400, 'invalid_parameter']);
  });

  test('no wins without public_winners, and none of another brand', async () => {
    feed.addBrand('demo:main', { public_feed: true });
    const socket = await visit();
    feed.store([won('pot-1', 1), raffleWon('pot-1', 2, 'demo:main', 'player-1')]);
    feed.store([statusChanged('pot-1', 3, 'Suspended')]);
    await until(() => socket.of('InstanceStatusEvent').length === 1);
    feed.addBrand('demo:main', { public_feed: true, public_winners: true });
    feed.store([won('pot-1', 4, { winner: share('demo:other', 'other-1', 1n) })]);
    feed.store([raffleWon('pot-1', 5, 'demo:other', 'other-1'), statusChanged('pot-1', 6, 'Active')]);
    await until(() => socket.of('InstanceStatusEvent').length === 2);
    expect([...socket.of('WinEvent'), ...socket.of('RaffleWinEvent')]).toEqual([]);
  });

  test('an instance of another operator where its owner agrees, and its wins where that does', async () => {
    const shared = { owner: 'rival:shop' };
    feed.addBrand('rival:shop');
    feed.addInstance('pot-2', shared);
    const socket = await visit();
    const ids = () => new Set(socket.frames.map((frame) => frame.instance_id));
    feed.store([statusChanged('pot-2', 1, 'Suspended'), statusChanged('pot-1', 1, 'Suspended')]);
    await until(() => socket.of('InstanceStatusEvent').length === 1);
    expect(ids()).toEqual(new Set(['pot-1']));
    feed.addBrand('rival:shop', { public_feed: true });
    feed.store([won('pot-2', 2), statusChanged('pot-2', 3, 'Active')]);
    await until(() => socket.of('InstanceStatusEvent').length === 2);
    expect(socket.of('WinEvent')).toEqual([]);
    feed.addBrand('rival:shop', { public_feed: true, public_winners: true });
    feed.store([won('pot-2', 4)]);
    await until(() => socket.of('WinEvent').length === 1);
    expect(socket.of('WinEvent')[0]).toMatchObject({ operator_id: 'demo', brand_id: 'demo:main' });
  });

  test('no event of another platform', async () => {
    const socket = await visit();
    socket.say({ SubscribeRequest: { events: [...everything, { source: 'campaign', event_type: '*' }] } });
    await feed.settled();
    const event = {
      source: 'campaign',
      event_type: 'x',
      brand: 'demo:main',
      timestamp: 1,
      data: '{}',
    } as const;
    feed.bring({ ...event, player: null });
    const player = await feed.connectPlayer('player-1');
    player.say({ SubscribeRequest: { events: [{ source: 'campaign', event_type: '*' }] } });
    await feed.settled();
    feed.bring({ ...event, player: null });
    await until(() => player.frames.length > 0);
    await feed.settled();
    expect(socket.frames.filter(({ source }) => source === 'campaign')).toEqual([]);
  });
});

describe('what was missed', () => {
  test('comes after the event_seq that the first update said', async () => {
    feed.addInstance('pot-2', { eventCounter: 7 });
    const first = await visit();
    await until(() => first.of('JackpotUpdate').length === 2);
    const since = Object.fromEntries(
      first.frames.map(({ instance_id, data }) => [instance_id, data.event_seq]),
    );
    expect(since).toEqual({ 'pot-1': 0, 'pot-2': 7 });
    first.terminate();
    feed.store([won('pot-1', 1), statusChanged('pot-2', 8, 'Suspended')]);
    const other = await feed.open(path);
    other.subscribe();
    await until(() => other.of('JackpotUpdate').some(({ data }) => data.event_seq === 8));
    const back = await feed.open(path);
    back.subscribe({ since });
    await until(() => back.frames.length === 4);
    expect(back.frames.slice(0, 2).map(({ data }) => [data.event_seq, data.recovered])).toEqual([
      [0, true],
      [7, true],
    ]);
    expect(back.frames.slice(2).map(({ event_type, seq }) => [event_type, seq])).toEqual([
      ['WinEvent', 1],
      ['InstanceStatusEvent', 8],
    ]);
  });
});

describe('closed with the documented code', () => {
  test('4403 when the feed is turned off, and again not there', async () => {
    const socket = await visit();
    feed.addBrand('demo:main', { public_winners: true });
    await until(() => socket.closeCode !== null);
    expect(socket.closeCode).toBe(4403);
    expect(await refusal()).toEqual([404, 'brand_not_found']);
  });

  test('4400 for a token, a binary frame and what is no message; the process lives', async () => {
    for (const message of ['{"RefreshTokenRequest":{"token":"x"}}', 'x', '{}', Buffer.from('{}')]) {
      const socket = await visit();
      socket.raw.send(message);
      await until(() => socket.closeCode !== null);
      expect(socket.closeCode).toBe(4400);
    }
    await visit();
  });

  test('4408 without a subscription', async () => {
    const socket = await feed.open(path);
    await feed.advance(31_000);
    await until(() => socket.closeCode !== null);
    expect(socket.closeCode).toBe(4408);
  });
});

describe('is not there', () => {
  test.each([
    ['an unknown brand', '/v1/public/demo/none/events'],
    ['an unknown operator', '/v1/public/none/main/events'],
    ['a brand of another operator', '/v1/public/demo/rival:shop/events'],
    ['no name', '/v1/public/%FF/main/events'],
  ])('%s', async (_, of) => {
    expect(await refusal(of)).toEqual([404, 'brand_not_found']);
  });

  test('a brand that is disabled', async () => {
    feed.addBrand('demo:main', { public_feed: true, enabled: false });
    expect(await refusal()).toEqual([404, 'brand_not_found']);
  });
});

test('pages of every origin may connect', async () => {
  const socket = await feed.open(path, { Origin: 'https://anywhere.example' });
  expect(socket.closeCode).toBeNull();
});

describe('limits of its own', () => {
  test('sockets of an address', async () => {
    for (let sockets = 0; sockets < 5; sockets += 1) await visit();
    expect(await refusal()).toEqual([429, 'too_many_connections']);
    await visit('', visitor('203.0.113.7'));
  });

  test('handshakes of an address, good or bad', async () => {
    for (let tries = 0; tries < 40; tries += 1)
      expect(await refusal('/v1/public/demo/none/events')).toEqual([404, 'brand_not_found']);
    expect(await refusal()).toEqual([429, 'rate_limited']);
    await visit('', visitor('203.0.113.7'));
    // Those of others are not counted among them.
    await feed.connectPlayer('player-1');
    await feed.advance(2_000);
    await visit();
  });

  test('currencies of a brand', async () => {
    const currencies = ['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'HUF', 'NOK', 'PLN'];
    feed.setRates('', Object.fromEntries([...currencies, 'EUR', 'SEK'].map((one) => [one, '1'])));
    for (const [at, currency] of currencies.entries())
      await visit(`?currency=${currency}`, visitor(`203.0.113.${at}`));
    expect(await refusal(`${path}?currency=SEK`)).toEqual([503, 'overloaded']);
    await visit('?currency=AUD');
  });

  test('a full process: public sockets give way to those with a credential, not the other way round', async () => {
    const visitors: TestSocket[] = [];
    for (let at = 0; at < 12; at += 1) visitors.push(await visit('', visitor(`203.0.113.${at}`)));
    expect(await refusal(path, visitor('203.0.113.99'))).toEqual([503, 'overloaded']);
    const players: TestSocket[] = [];
    for (let at = 0; at < 12; at += 1) players.push(await feed.connectPlayer(`player-${at}`));
    await until(() => visitors.every(({ closeCode }) => closeCode === 1013));
    expect(players.map(({ closeCode }) => closeCode)).toEqual(players.map(() => null));
    expect(await refusal(path, visitor('203.0.113.99'))).toEqual([503, 'overloaded']);
    expect(await refusal(feed.playerPath('token-of-player-1@demo:main', 'EUR'))).toEqual([503, 'overloaded']);
    expect(await feed.fanout.metrics()).toContain('potstream_fanout_public_sockets 0');
  });
});
