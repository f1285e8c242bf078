import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FeedWorld, until } from '../feed-world.ts';
import { upgrade } from '../upgrade.ts';

let feed: FeedWorld;
beforeEach(async () => {
  feed = new FeedWorld();
  feed.addInstance('pot-1');
  await feed.start({ socketsLimit: 3 });
});
afterEach(() => feed.stop());

describe('before the upgrade', () => {
  it.each([
    ['an unknown token', '?token=nonsense'],
    ['an empty token', '?token='],
    ['no token', ''],
  ])('answers 401 feed_token_invalid for %s', async (_, query) => {
    const answer = await upgrade(feed, `/events/service${query}`);
    expect(answer.status).toBe(401);
    expect(Object.keys(answer.body)).toEqual(['status_code', 'code', 'message']);
    expect(answer.body).toMatchObject({ status_code: 401, code: 'feed_token_invalid' });
  });

  it('answers 401 for an expired token', async () => {
    const token = await feed.token();
    await feed.advance(16 * 60_000);
    expect((await upgrade(feed, `/events/service?token=${token}`)).body.code).toBe('feed_token_invalid');
  });

  it('answers 403 owner_disabled for a disabled operator, and closes its sockets with 4403', async () => {
    const token = await feed.token();
    const socket = await feed.connect(token);
    disable('demo');
    await until(() => socket.closeCode !== null);
    expect(socket.closeCode).toBe(4403);
    expect((await upgrade(feed, `/events/service?token=${token}`)).body.code).toBe('owner_disabled');
  });

  it('answers 503 overloaded above the limit of the process', async () => {
    for (let count = 0; count < 3; count += 1) await feed.connect();
    const answer = await upgrade(feed, `/events/service?token=${await feed.token()}`);
    expect(answer.status).toBe(503);
    expect(answer.body.code).toBe('overloaded');
    expect(answer.headers['retry-after']).toBe('1');
  });

  it('answers 404 for other paths', async () => {
    expect((await upgrade(feed, '/events/nowhere')).body.code).toBe('route_not_found');
  });
});

it('nobody who was let in is cut off without a reason', async () => {
  await feed.fanout.stop();
  await feed.startFanout();
  const token = await feed.token();
  for (let count = 0; count < 60; count += 1) await feed.connect(token);
  await feed.advance(1_000);
  expect(feed.sockets.filter((socket) => socket.closeCode !== null)).toEqual([]);
  expect(feed.connections()).toBe(60);
});

describe('close codes', () => {
  it.each([
    ['no JSON', 'nonsense'],
    ['an unknown message', { Hello: {} }],
    ['two messages in one', { SubscribeRequest: { events: [] }, UnsubscribeRequest: {} }],
    ['no entries', { SubscribeRequest: { events: [] } }],
    ['an unknown source', { SubscribeRequest: { events: [{ source: 'weather', event_type: '*' }] } }],
    ['an unknown event type', { SubscribeRequest: { events: [{ source: 'jackpot', event_type: 'Rain' }] } }],
    [
      'an unknown event type beside a known one',
      {
        SubscribeRequest: {
          events: ['*', 'winevent'].map((name) => ({ source: 'jackpot', event_type: name })),
        },
      },
    ],
    ['33 entries', { SubscribeRequest: { events: Array(33).fill({ source: 'drop', event_type: '*' }) } }],
    ['an unknown field', { SubscribeRequest: { events: [{ source: 'drop', event_type: '*', more: 1 }] } }],
    [
      'a negative since',
      { SubscribeRequest: { events: [{ source: 'jackpot', event_type: '*', since: { a: -1 } }] } },
    ],
  ])('4400 for %s', async (_, message) => {
    const socket = await feed.connect();
    socket.say(message);
    await until(() => socket.closeCode !== null);
    expect(socket.closeCode).toBe(4400);
  });

  it('1009 for more than 4 KiB', async () => {
    const socket = await feed.connect();
    socket.say('x'.repeat(4097));
    await until(() => socket.closeCode !== null);
    expect(socket.closeCode).toBe(1009);
  });

  it('4429 for a flood', async () => {
    const socket = await feed.connect();
    for (let count = 0; count < 40; count += 1) socket.say({ UnsubscribeRequest: {} });
    await until(() => socket.closeCode !== null);
    expect(socket.closeCode).toBe(4429);
  });

  it('4408 without a subscription within 30 s', async () => {
    const silent = await feed.connect();
    const subscribed = await feed.connect();
    subscribed.subscribe();
    await until(() => subscribed.frames.length > 0);
    await feed.advance(31_000);
    await until(() => silent.closeCode !== null);
    expect(silent.closeCode).toBe(4408);
    expect(subscribed.closeCode).toBe(null);
  });

  it('4401 when the token expires, unless it was renewed', async () => {
    const renewed = await feed.connect();
    const lapsed = await feed.connect();
    for (const socket of [renewed, lapsed]) socket.subscribe();
    await until(() => renewed.frames.length > 0 && lapsed.frames.length > 0);
    await feed.advance(10 * 60_000);
    await feed.renew(renewed, await feed.token());
    await feed.advance(6 * 60_000);
    await until(() => lapsed.closeCode !== null);
    expect(lapsed.closeCode).toBe(4401);
    expect(renewed.closeCode).toBe(null);
  });

  it('4401 when renewing is refused, also with a token of another operator', async () => {
    for (const token of ['nonsense', await feed.token('rival')]) {
      const socket = await feed.connect();
      socket.say({ RefreshTokenRequest: { token } });
      await until(() => socket.closeCode !== null);
      expect(socket.closeCode).toBe(4401);
    }
  });

  it('4401 when the service user is removed', async () => {
    const user = {
      username: 'leaver',
      password: 'a long enough password',
      operator: 'demo',
      brands: null,
    };
    const account = await feed.access.createServiceUser(user);
    const socket = await feed.connect(await feed.access.tokens.issueFeed(account!));
    await feed.access.accounts.remove('service', 'leaver');
    await until(() => socket.closeCode !== null);
    expect(socket.closeCode).toBe(4401);
  });

  it('1001 at shutdown', async () => {
    const socket = await feed.connect();
    await feed.fanout.stop();
    await until(() => socket.closeCode !== null);
    expect(socket.closeCode).toBe(1001);
    await feed.startFanout();
  });
});

function disable(operator: string): void {
  feed.readModel.directoryChanged(
    {
      kind: 'set',
      entry: { kind: 'operator', id: operator, name: operator, enabled: false, created_timestamp: 1 },
    },
    1,
  );
}
