import { afterEach, describe, expect, it } from 'vitest';
import { FeedWorld, until } from './feed-world.ts';

let feed: FeedWorld;
afterEach(() => feed.stop());

function say(lane: number, condition: 'serving' | 'stopped', atMs: number): void {
  const code = condition === 'stopped' ? 'engine_fault' : '';
  feed.readModel.laneSignalled({ lane, host: 'host', condition, code } as never, atMs);
}

describe('the feeds while a lane has stopped', () => {
  it('begin without it, say in O4 which lane is missing, and take it in when it is back', async () => {
    feed = new FeedWorld(2);
    feed.addBrand('demo:main');
    feed.setRates('', { EUR: '1' });
    feed.addInstance('pot-1');
    say(0, 'serving', 1);
    say(1, 'stopped', 1);
    await feed.start({ statusPeriodMs: 100 });
    expect(feed.fanout.unready()).toBeNull();
    const socket = await feed.open('/v1/jackpot/status');
    socket.say({
      AuthenticateRequest: { token: await feed.token(), operator_id: null, brand_id: null, currency: null },
    });
    await until(() => socket.frames.length > 0);
    expect(socket.frames[0]).toMatchObject({ incomplete_lanes: [1], jackpots: [{ id: 'pot-1' }] });

    feed.addInstance('pot-2', {}, 1);
    feed.readModel.laneCurrent(1);
    say(1, 'serving', 2);
    await until(() => socket.frames.at(-1)?.jackpots.length === 2);
    expect(socket.frames.at(-1)?.incomplete_lanes).toBeUndefined();

    say(0, 'stopped', 3);
    await until(() => socket.frames.at(-1)?.jackpots.length === 1);
    expect(socket.frames.at(-1)).toMatchObject({ incomplete_lanes: [0], jackpots: [{ id: 'pot-2' }] });
    expect(feed.fanout.unready()).toBeNull();
    expect(socket.closeCode).toBeNull();

    say(1, 'stopped', 4);
    expect(feed.fanout.unready()).toBe('no_lane_serves');
  });
});
