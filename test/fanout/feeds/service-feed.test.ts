import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  FeedWorld,
  payoutChanged,
  raffleWon,
  statusChanged,
  type TestSocket,
  until,
  won,
} from '../feed-world.ts';

let feed: FeedWorld;
beforeEach(async () => {
  feed = new FeedWorld();
  feed.addInstance('pot-1');
  feed.addInstance('foreign', {
    owner: 'rival',
    configuration: { currency: 'EUR', jackpot_type: 'Jackpot', pots: [] },
  });
  await feed.start();
});
afterEach(() => feed.stop());

describe('snapshot and updates', () => {
  it('sends the ticker of each visible instance right after subscribing', async () => {
    const socket = await feed.connect();
    socket.subscribe();
    await until(() => socket.frames.length > 0);
    expect(socket.frames[0]).toEqual({
      msg_type: 'Event',
      source: 'jackpot',
      event_type: 'JackpotUpdate',
      operator_id: 'demo',
      brand_id: null,
      player_id: null,
      instance_id: 'pot-1',
      seq: 1,
      timestamp: expect.any(Number),
      data: {
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
        head: 'ab'.repeat(32),
        event_seq: 0,
        epoch: 0,
      },
    });
    await feed.advance(6_000);
    await until(() => socket.of('JackpotUpdate').length >= 2);
    expect(socket.frames.every((frame) => frame.instance_id === 'pot-1')).toBe(true);
  });

  it('conflates: of many changes the newest value wins', async () => {
    const socket = await feed.connect();
    socket.subscribe();
    await until(() => socket.frames.length > 0);
    for (let sequence = 2; sequence <= 200; sequence += 1)
      feed.tick('pot-1', sequence, BigInt(sequence) * 1_00000000n);
    await until(() => socket.frames.at(-1)?.seq === 200);
    expect(socket.frames.at(-1)?.data.pots[0].current_value).toBe('200');
    expect(socket.frames.length).toBeLessThan(6);
  });

  it('narrows to named instances and ignores foreign and unknown ones', async () => {
    feed.addInstance('pot-2');
    const socket = await feed.connect();
    socket.subscribe({ instance_ids: ['pot-2', 'foreign', 'nowhere'] });
    await feed.advance(6_000);
    await until(() => socket.frames.length >= 2);
    feed.store([won('pot-1', 1), won('foreign', 1), won('pot-2', 1)]);
    await until(() => socket.of('WinEvent').length > 0);
    expect(new Set(socket.frames.map((frame) => frame.instance_id))).toEqual(new Set(['pot-2']));
  });

  it('sends no updates where only wins are subscribed, and nothing after UnsubscribeRequest', async () => {
    const socket = await feed.connect();
    socket.subscribe({ event_type: 'WinEvent' });
    await feed.advance(6_000);
    feed.store([won('pot-1', 1)]);
    await until(() => socket.frames.length > 0);
    expect(socket.frames.map((frame) => frame.event_type)).toEqual(['WinEvent']);
    const other = await feed.connect();
    other.subscribe();
    socket.say({ UnsubscribeRequest: {} });
    await until(() => other.frames.length > 0);
    feed.store([won('pot-1', 2)]);
    await until(() => other.of('WinEvent').length === 1);
    expect(socket.frames).toHaveLength(1);
  });
});

describe('a second SubscribeRequest', () => {
  it('replaces the first', async () => {
    feed.addInstance('pot-2');
    const socket = await feed.connect();
    socket.subscribe({ instance_ids: ['pot-1'] });
    await until(() => socket.frames.length > 0);
    socket.subscribe({ instance_ids: ['pot-2'], event_type: 'WinEvent' });
    await feed.settled();
    const before = socket.frames.length;
    await feed.advance(6_000);
    feed.store([won('pot-1', 1), won('pot-2', 1)]);
    await until(() => socket.of('WinEvent').length > 0);
    await feed.advance(6_000);
    expect(socket.frames.slice(before).map((frame) => [frame.event_type, frame.instance_id])).toEqual([
      ['WinEvent', 'pot-2'],
    ]);
  });
});

describe('settlements and raffles', () => {
  it('tell what became of a win to services that may name the player, and to nobody else', async () => {
    feed.addBrand('demo:main');
    const service = await feed.connect();
    const restricted = await feed.connect(await feed.token('demo', ['demo:other']));
    const player = await feed.connectPlayer('player-1');
    for (const socket of [service, restricted, player]) socket.subscribe();
    await until(() => [service, restricted, player].every((socket) => socket.frames.length > 0));
    feed.store([payoutChanged('main', 'pending'), payoutChanged('close', 'settled')]);
    feed.store([payoutChanged('community', 'settled'), payoutChanged('community', 'dead')]);
    feed.store([won('pot-1', 1)]);
    await until(() => [service, restricted, player].every((socket) => socket.of('WinEvent').length === 1));
    const settlements = (socket: TestSocket) =>
      socket.frames.filter(({ event_type }) => /Payout/.test(event_type));
    expect(settlements(service).map(({ event_type, seq, data }) => [event_type, seq, data.state])).toEqual([
      ['PayoutEvent', 1, 'pending'],
      ['PayoutEvent', 2, 'settled'],
      ['CommunityPayoutErrorEvent', 3, 'dead'],
    ]);
    expect(settlements(service)[0]).toMatchObject({
      brand_id: 'demo:main',
      player_id: 'player-1',
      data: { win_amount: 12.5, currency: 'EUR', paid_amount: 13.75, paid_currency: 'USD', batch_id: null },
    });
    expect([...settlements(restricted), ...settlements(player)]).toEqual([]);
  });

  it('tell the prizes of a round to everyone, counted', async () => {
    const socket = await feed.connect();
    socket.subscribe();
    await until(() => socket.frames.length > 0);
    feed.store([
      raffleWon('pot-1', 1, 'demo:main', 'player-1'),
      raffleWon('pot-1', 2, 'other:brand', 'stranger'),
    ]);
    await until(() => socket.of('RaffleWinEvent').length === 2);
    expect(socket.of('RaffleWinEvent').map((frame) => [frame.seq, frame.data.winners])).toEqual([
      [
        1,
        [
          {
            player_id: 'player-1',
            brand_id: 'demo:main',
            tier: 0,
            ticket: 7,
            win_amount: 2,
            win_withheld: false,
          },
        ],
      ],
      [
        2,
        [
          {
            player_id: 'st***',
            brand_id: 'other:brand',
            tier: 0,
            ticket: 7,
            win_amount: 2,
            win_withheld: false,
          },
        ],
      ],
    ]);
  });
});

describe('counted events', () => {
  it('sends wins with own players by name and strangers masked, amounts exact', async () => {
    const socket = await feed.connect();
    socket.subscribe();
    await until(() => socket.frames.length > 0);
    feed.store([won('pot-1', 1)]);
    await until(() => socket.of('WinEvent').length > 0);
    expect(socket.of('WinEvent')[0]).toMatchObject({
      operator_id: 'demo',
      brand_id: 'demo:main',
      player_id: 'player-1',
      instance_id: 'pot-1',
      seq: 1,
      data: {
        win_pot_id: 'main',
        win_amount: 123.45,
        currency: 'EUR',
        player_id: 'player-1',
        community_winners: [{ player_id: 'st***', win_amount: 5, currency: 'EUR' }],
        instance_count: 1,
        seed: 10,
        seed_deficit: 0,
        rate_version: 1,
        win_withheld: false,
        external: false,
        event_metadata: { campaign: 'x' },
      },
    });
  });

  it('sends metadata as the operator wrote them', async () => {
    const socket = await feed.connect();
    socket.subscribe();
    await until(() => socket.frames.length > 0);
    const eventMetadata = '{"id":12345678901234567890,"far":[1e400,1.0],"text":"\\u00e9"}';
    feed.store([won('pot-1', 1, { eventMetadata })]);
    await until(() => socket.of('WinEvent').length > 0);
    expect(socket.texts.at(-1)).toContain(`"event_metadata":${eventMetadata}`);
  });

  it('never conflates them: seq is gapless', async () => {
    const socket = await feed.connect();
    socket.subscribe();
    await until(() => socket.frames.length > 0);
    for (let counter = 1; counter <= 300; counter += 1)
      feed.store([counter % 7 === 0 ? statusChanged('pot-1', counter, 'Active') : won('pot-1', counter)]);
    const counted = () => socket.frames.filter((frame) => frame.event_type !== 'JackpotUpdate');
    await until(() => counted().length >= 300);
    expect(counted().map((frame) => frame.seq)).toEqual(Array.from({ length: 300 }, (_, n) => n + 1));
  });

  it('a win is only sent when its record is stored: ticks carry none', async () => {
    const socket = await feed.connect();
    socket.subscribe();
    await until(() => socket.frames.length > 0);
    feed.tick('pot-1', 5, 0n);
    await until(() => socket.frames.at(-1)?.seq === 5);
    expect(socket.of('WinEvent')).toHaveLength(0);
  });

  it('recovers with since, also after a restart of the fan-out, and says so', async () => {
    for (let counter = 1; counter <= 5; counter += 1) feed.store([won('pot-1', counter)]);
    await feed.advance(100);
    await feed.fanout.stop();
    await feed.startFanout();
    const socket = await feed.connect();
    socket.subscribe({ since: { 'pot-1': 3 } });
    await until(() => socket.of('WinEvent').length >= 2);
    expect(socket.of('JackpotUpdate')[0].data.recovered).toBe(true);
    expect(socket.of('WinEvent').map((frame) => frame.seq)).toEqual([4, 5]);
  });

  it('recovers once: a renewal that brings other brands sends nothing again', async () => {
    for (let counter = 1; counter <= 3; counter += 1) feed.store([won('pot-1', counter)]);
    await feed.advance(100);
    const socket = await feed.connect(await feed.token('demo', ['demo:main']));
    socket.subscribe({ since: { 'pot-1': 1 } });
    await until(() => socket.of('WinEvent').length >= 2);
    await feed.renew(socket, await feed.token('demo', ['demo:main', 'demo:second']));
    feed.store([won('pot-1', 4)]);
    await until(() => socket.of('WinEvent').at(-1)?.seq === 4);
    expect(socket.of('WinEvent').map((frame) => frame.seq)).toEqual([2, 3, 4]);
  });

  it('says recovered: false for what is older than two minutes', async () => {
    feed.store([won('pot-1', 1)]);
    feed.store([won('pot-1', 2)]);
    await feed.advance(125_000);
    feed.store([won('pot-1', 3)]);
    await feed.advance(100);
    const socket = await feed.connect();
    socket.subscribe({ since: { 'pot-1': 0 } });
    await until(() => socket.frames.length > 0);
    expect(socket.frames[0].data.recovered).toBe(false);
    expect(socket.of('WinEvent')).toHaveLength(0);
  });
});
