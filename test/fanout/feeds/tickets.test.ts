import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TicketContent } from '../../../src/contracts/feeds/tickets.ts';
import { makeServiceUser } from '../../support/accounts.ts';
import { FeedWorld, statusChanged, until, won } from '../feed-world.ts';
import { upgrade } from '../upgrade.ts';

let feed: FeedWorld;
beforeEach(async () => {
  feed = new FeedWorld();
  feed.addBrand('demo:main');
  feed.addBrand('demo:other');
  feed.setRates('', { EUR: '1', USD: '2' });
  for (const id of ['pot-1', 'pot-2']) feed.addInstance(id);
  await feed.start();
});
afterEach(() => feed.stop());

const day = 24 * 3_600_000;

function ticketOf(changes: Partial<TicketContent> = {}): string {
  feed.wallet.set('token-1', 'player-1@demo:main');
  const holder = { kind: 'player', player: 'player-1', token: 'token-1' } as const;
  const content = { brand: 'demo:main', currency: 'EUR', instances: null, holder, ...changes };
  return feed.access.feedTickets!.issue(content)!;
}

async function serviceTicket(player: string | null, changes: Partial<TicketContent> = {}) {
  const clock = feed.world.clock(() => true);
  const random = feed.world.random();
  const username = `service-${player}-${Math.random()}`;
  const ports = { access: feed.access, clock, random };
  const { generation } = await makeServiceUser(ports, { username, operator: 'demo', brands: null });
  return {
    username,
    ticket: ticketOf({ holder: { kind: 'service', player, username, generation }, ...changes }),
  };
}

const open = (ticket: string, more = '', path = '/events/demo/main') =>
  feed.open(`${path}?ticket=${ticket}${more}`);

async function refusal(ticket: string, more = '', path = '/events/demo/main') {
  const { status, body } = await upgrade(feed, `${path}?ticket=${ticket}${more}`);
  return [status, body.code];
}

const invalid = [401, 'feed_token_invalid'];

describe("a player's ticket", () => {
  test('opens the feed of the player, in its currency', async () => {
    const socket = await open(ticketOf({ currency: 'USD' }));
    socket.subscribe();
    await until(() => socket.of('JackpotUpdate').length === 2);
    expect(socket.frames[0].data).toMatchObject({ currency: 'USD' });
    feed.store([won('pot-1', 1)]);
    await until(() => socket.of('WinEvent').length === 1);
    expect(socket.of('WinEvent')[0].player_id).toBe('player-1');
  });

  test('goes on being checked, every minute and when the wallet says so', async () => {
    const one = await open(ticketOf());
    one.subscribe();
    await until(() => one.frames.length === 2);
    feed.revoke('demo:main', 'token-1');
    await until(() => one.closeCode !== null);
    expect(one.closeCode).toBe(4401);
    const other = await open(ticketOf());
    other.subscribe();
    await until(() => other.frames.length === 2);
    feed.wallet.delete('token-1');
    await feed.advance(62_000);
    await until(() => other.closeCode !== null);
    expect(other.closeCode).toBe(4401);
  });

  test('lets its socket show a newer token', async () => {
    const socket = await open(ticketOf());
    feed.wallet.set('token-2', 'player-1@demo:main');
    await feed.renew(socket, 'token-2');
    feed.wallet.delete('token-1');
    await feed.advance(62_000);
    await feed.settled();
    expect(socket.closeCode).toBeNull();
  });

  test('is refused where the token has become another player’s, or none', async () => {
    const ticket = ticketOf();
    feed.wallet.set('token-1', 'player-2@demo:main');
    expect(await refusal(ticket)).toEqual(invalid);
    const other = ticketOf();
    feed.wallet.delete('token-1');
    expect(await refusal(other)).toEqual(invalid);
  });

  test('counts for the five sockets of its player', async () => {
    for (let sockets = 0; sockets < 5; sockets += 1) await open(ticketOf());
    expect(await refusal(ticketOf())).toEqual([429, 'too_many_connections']);
  });
});

describe("a service's ticket", () => {
  test('opens the feed of the player that it names, without a wallet', async () => {
    feed.addBrand('demo:main', { wallet: false });
    const { ticket } = await serviceTicket('player-1');
    const socket = await open(ticket);
    socket.subscribe();
    await until(() => socket.of('JackpotUpdate').length === 2);
    feed.store([won('pot-1', 1)]);
    await until(() => socket.of('WinEvent').length === 1);
    expect(socket.of('WinEvent')[0].player_id).toBe('player-1');
    expect(feed.walletQuestions).toBe(0);
  });

  test('for a brand opens one in which all are masked, and nobody is counted', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { ticket } = await serviceTicket(null);
        return open(ticket);
      }),
    );
    for (const socket of sockets) socket.subscribe();
    await until(() => sockets.every((socket) => socket.of('JackpotUpdate').length === 2));
    feed.store([won('pot-1', 1)]);
    await until(() => sockets.every((socket) => socket.of('WinEvent').length === 1));
    expect(sockets[0]!.of('WinEvent')[0].player_id).toBe('pl***');
  });

  test('ends its socket with the account, whatever of it changes', async () => {
    const { ticket, username } = await serviceTicket('player-1');
    const later = await serviceTicket(null);
    const socket = await open(ticket);
    await feed.access.accounts.update('service', username, (account) => ({ ...account, enabled: false }));
    await until(() => socket.closeCode !== null);
    expect(socket.closeCode).toBe(4401);
    await feed.access.accounts.remove('service', later.username);
    expect(await refusal(later.ticket)).toEqual(invalid);
  });

  test('ends its socket after a day, and takes no token before', async () => {
    const { ticket } = await serviceTicket('player-1');
    const socket = await open(ticket);
    socket.subscribe();
    await until(() => socket.frames.length === 2);
    await feed.advance(day);
    await until(() => socket.closeCode !== null);
    expect(socket.closeCode).toBe(1000);
    const other = await open((await serviceTicket('player-2')).ticket);
    other.say({ RefreshTokenRequest: { token: 'token-1' } });
    await until(() => other.closeCode !== null);
    expect(other.closeCode).toBe(4400);
  });
});

describe('a ticket binds', () => {
  test('instances: of others there is nothing, whatever is asked for', async () => {
    const socket = await open(ticketOf({ instances: ['pot-2'] }));
    socket.subscribe();
    await until(() => socket.frames.length === 1);
    socket.subscribe({ instance_ids: ['pot-1', 'pot-2'], since: { 'pot-1': 0, 'pot-2': 0 } });
    await until(() => socket.frames.length === 2);
    feed.store([statusChanged('pot-1', 1, 'Suspended'), statusChanged('pot-2', 1, 'Suspended')]);
    await until(() => socket.of('InstanceStatusEvent').length === 1);
    expect(new Set(socket.frames.map((frame) => frame.instance_id))).toEqual(new Set(['pot-2']));
  });

  test('the brand: it opens no other, and is used all the same', async () => {
    const ticket = ticketOf();
    expect(await refusal(ticket, '', '/events/demo/other')).toEqual(invalid);
    expect(await refusal(ticket)).toEqual(invalid);
  });

  test('everything: nothing may stand beside it', async () => {
    for (const more of ['&currency=USD', '&token=token-1', `&ticket=${ticketOf()}`])
      expect(await refusal(ticketOf(), more)).toEqual(invalid);
  });

  test('a brand that is enabled', async () => {
    const ticket = ticketOf();
    feed.addBrand('demo:main', { enabled: false });
    expect(await refusal(ticket)).toEqual([403, 'owner_disabled']);
  });
});

describe('no socket', () => {
  test('for a ticket that was used', async () => {
    const ticket = ticketOf();
    await open(ticket);
    expect(await refusal(ticket)).toEqual(invalid);
  });

  test('for one that is over', async () => {
    const ticket = ticketOf();
    await feed.advance(31_000);
    expect(await refusal(ticket)).toEqual(invalid);
  });

  test.each(['x', 'a'.repeat(1_700), '%00', '%FF', '-'.repeat(100), '..%2F..'])('for %s', async (ticket) => {
    expect(await refusal(ticket)).toEqual(invalid);
  });

  test('at the service feed and the status feed', async () => {
    expect(await refusal(ticketOf(), '', '/events/service')).toEqual(invalid);
  });

  test('for an address after a hundred wrong ones, and for others there is', async () => {
    for (let tries = 0; tries < 100; tries += 1) expect(await refusal('wrong')).toEqual(invalid);
    expect(await refusal(ticketOf())).toEqual([429, 'too_many_attempts']);
    const other = { 'X-Forwarded-For': '203.0.113.7' };
    await feed.open(`/events/demo/main?ticket=${ticketOf()}`, other);
    await feed.advance(10_000);
    await open(ticketOf());
  });

  test('while no gateway answers', async () => {
    feed.gatewayAnswers.stop();
    expect(await refusal(ticketOf())).toEqual([503, 'overloaded']);
  });
});

test('a token in the address goes on opening the feed', async () => {
  const socket = await feed.connectPlayer('player-1');
  socket.subscribe();
  await until(() => socket.frames.length === 2);
});
