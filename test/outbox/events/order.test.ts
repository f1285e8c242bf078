import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KnownDelivery } from '../../../src/outbox/stored/stored-deliveries.ts';
import { isWhole } from '../../jackpot/checks/scale.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { SimOutbox, type WriteFault, type WriteFaultKind, writeFaults } from '../support/sim-outbox.ts';
import { firstArrivals, furtherInstance, readEvents, statusChanges, subscription } from './support.ts';

const origin = 'https://games.example.com';
const optIn = {
  kind: 'OptIn',
  instance: 'jackpot',
  brand: 'op:main',
  player: 'player-one',
  country: 'DE',
  optIn: true,
  valueAtoms: null,
  currency: '',
  linked: false,
  user: '',
} as const;
const minuteMs = 60_000;
const hourMs = 3_600_000;
let sim: SimOutbox;

async function begin(fault: WriteFault | null = null): Promise<void> {
  sim = new SimOutbox();
  sim.fault = fault;
  sim.subscriptions.set('op', [subscription()]);
  await sim.during(sim.lane.open());
  await sim.during(sim.lane.write(...furtherInstance('silver')));
  await sim.during(sim.start());
}
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const arrived = (instance?: string) => firstArrivals(sim.arrivals, instance);
const has = (count: number, instance?: string) => () => arrived(instance).length >= count;
const stored = (): KnownDelivery[] => sim.known().filter(({ kind }) => kind === 'Event');

describe('the events of an instance', () => {
  beforeEach(() => begin());
  afterEach(() => sim.stop());

  it('arrive in order, one at a time, each with what a service sees of it', async () => {
    await sim.during(sim.lane.write(...statusChanges(20)));
    await sim.world.until(has(21), minuteMs, 'all arrive');
    expect(arrived()).toEqual(numbers(1, 21));
    const [first] = readEvents(sim.arrivals);
    expect(first).toMatchObject({
      subscription_id: subscription().id,
      event_type: 'InstanceStatusEvent',
      operator_id: 'op',
      instance_id: 'jackpot',
      data: { instance_id: 'jackpot', status: 'Active' },
    });
  });

  it('wait for one that the receiver refuses, those of others do not', async () => {
    await sim.world.until(() => has(1)() && has(1, 'silver')(), minuteMs, 'the first ones');
    let isRefused = true;
    sim.refuses = ({ content }) =>
      isRefused && content.kind === 'Event' && content.instance === 'jackpot' ? 'status_500' : null;
    await sim.during(sim.lane.write(...statusChanges(2), ...statusChanges(10, 'silver')));
    await sim.world.until(has(11, 'silver'), minuteMs, 'those of the other');
    expect(arrived()).toEqual([1]);
    const [head, next] = stored();
    expect([head?.tries, next?.tries]).toEqual([1, 0]);
    isRefused = false;
    await sim.world.until(has(3), minuteMs, 'they arrive');
    expect(arrived()).toEqual([1, 2, 3]);
    await sim.world.until(() => sim.keys('event-item.').length === 0, minuteMs, 'nothing is left');
  });

  it('go on when the one before is dead', async () => {
    await sim.world.until(has(1), minuteMs, 'the first one');
    sim.refuses = ({ content }) =>
      content.kind === 'Event' && content.body.includes('"seq":2,') ? 'status_500' : null;
    await sim.during(sim.lane.write(...statusChanges(3)));
    await sim.world.passes(minuteMs);
    expect(arrived()).toEqual([1]);
    await sim.world.until(has(3), 30 * hourMs, 'the others arrive');
    expect(arrived()).toEqual([1, 3, 4]);
    await sim.world.until(() => stored().length === 1, minuteMs, 'they leave');
    expect(stored()).toMatchObject([{ state: 'dead', tries: 9, instance: 'jackpot' }]);
    sim.refuses = () => null;
    await sim.ask({ kind: 'replay', id: stored()[0]!.id });
    await sim.world.until(has(4), minuteMs, 'the replay arrives');
  });

  it('and all others wait in a backlog where there is no room for so many', async () => {
    await sim.world.until(has(1), minuteMs, 'the first one');
    sim.failing.set(origin, 'status_503');
    await sim.during(sim.lane.write(...statusChanges(20), ...statusChanges(20, 'silver')));
    await sim.world.until(() => sim.keys('event-backlog.').length === 1, minuteMs, 'the backlog');
    expect(sim.keys('event-item.').length).toBeLessThanOrEqual(5);
    await sim.world.passes(hourMs);
    sim.failing.clear();
    await sim.world.until(() => has(21)() && has(21, 'silver')(), 2 * hourMs, 'all arrive');
    expect(arrived()).toEqual(numbers(1, 21));
    expect(arrived('silver')).toEqual(numbers(1, 21));
    await sim.world.until(() => sim.keys('event-backlog.').length === 0, minuteMs, 'its end');
    await sim.during(sim.lane.write(...statusChanges(2)));
    await sim.world.until(has(23), minuteMs, 'the next ones');
    expect(arrived()).toEqual(numbers(1, 23));
  });

  it('are forgotten with their subscription', async () => {
    sim.failing.set(origin, 'no_answer');
    await sim.during(sim.lane.write(...statusChanges(20)));
    await sim.world.until(() => sim.keys('event-backlog.').length === 1, minuteMs, 'the backlog');
    sim.subscriptions.set('op', []);
    const isEmpty = () => [...sim.keys('event-backlog.'), ...sim.keys('event-item.')].length === 0;
    await sim.world.until(isEmpty, minuteMs, 'nothing is left');
    sim.failing.clear();
    await sim.world.passes(hourMs);
    expect(readEvents(sim.arrivals)).toEqual([]);
    expect(sim.known()).toEqual([]);
  });

  it('go to the address that the subscription has now', async () => {
    sim.failing.set(origin, 'status_404');
    await sim.during(sim.lane.write(...statusChanges(20)));
    await sim.world.until(() => sim.keys('event-backlog.').length === 1, minuteMs, 'the backlog');
    sim.subscriptions.set('op', [subscription({ url: 'https://new.example.com/events' })]);
    await sim.world.until(has(21), 2 * hourMs, 'all arrive');
    expect(arrived()).toEqual(numbers(1, 21));
  });
});

it('a subscription gets what happens from its creation on, and earlier events by a replay', async () => {
  await begin();
  await sim.world.until(has(1), minuteMs, 'the first one');
  const later = subscription({ id: '00000000-0000-4000-8000-000000000002' });
  sim.subscriptions.set('op', [{ ...later, created_timestamp: Number.MAX_SAFE_INTEGER }]);
  await sim.during(sim.lane.write(...statusChanges(3)));
  await sim.world.passes(minuteMs);
  const ofLater = () =>
    readEvents(sim.arrivals).filter(({ subscription_id }) => subscription_id === later.id);
  expect(ofLater()).toEqual([]);
  await sim.replayAll('11111111-1111-4111-8111-111111111111', true);
  await sim.world.until(() => ofLater().length >= 5, minuteMs, 'the replay');
  expect(ofLater().flatMap(({ instance_id, seq }) => (instance_id === 'jackpot' ? [seq] : []))).toEqual([
    1, 2, 3, 4,
  ]);
  await sim.stop();
});

it('a subscription that the outbox learns of late has missed nothing', async () => {
  await begin();
  await sim.world.until(has(1), minuteMs, 'the first one');
  await sim.during(sim.lane.write(...statusChanges(4)));
  await sim.world.until(has(5), minuteMs, 'all arrive');
  const late = subscription({ id: '00000000-0000-4000-8000-000000000003' });
  sim.subscriptions.set('op', [subscription(), late]);
  const ofLate = () => readEvents(sim.arrivals).filter(({ subscription_id }) => subscription_id === late.id);
  await sim.world.until(() => ofLate().length >= 6, minuteMs, 'its events');
  expect(ofLate().flatMap(({ instance_id, seq }) => (instance_id === 'jackpot' ? [seq] : []))).toEqual(
    numbers(1, 5),
  );
  await sim.stop();
});

it('players are named for their own brands only, and payments are for these alone', async () => {
  await begin();
  const types = ['WinEvent', 'OptInEvent', 'PayoutEvent'];
  const own = subscription({ brands: ['op:main'], event_types: types });
  const other = subscription({
    id: '00000000-0000-4000-8000-000000000004',
    brands: ['op:other'],
    event_types: types,
  });
  sim.subscriptions.set('op', [own, other]);
  sim.subscriptions.set('rival', [
    subscription({ id: '00000000-0000-4000-8000-000000000005', event_types: types }),
  ]);
  await sim.during(sim.lane.write(contribution(), optIn));
  await sim.world.until(
    () => readEvents(sim.arrivals).some(({ event_type }) => event_type === 'OptInEvent'),
    minuteMs,
    'the opt-in',
  );
  await sim.world.passes(minuteMs);
  const events = readEvents(sim.arrivals).filter(({ event_type }) => event_type === 'OptInEvent');
  expect(events.map(({ subscription_id, player_id, seq }) => [subscription_id, player_id, seq])).toEqual([
    [own.id, 'player-one', null],
  ]);
  await sim.stop();
});

/** `npm test` has one fault at each write, `npm run checks -- test/outbox/events` all. */
function faultsAt(write: number): readonly WriteFaultKind[] {
  return isWhole ? writeFaults : [writeFaults[write % writeFaults.length]!];
}

async function history(fault: WriteFault | null, error: 'no_answer' | 'status_503'): Promise<void> {
  await begin(fault);
  sim.failing.set(origin, error);
  for (let round = 0; round < 3; round += 1) {
    await sim.during(sim.lane.write(...statusChanges(2), ...statusChanges(2, 'silver')));
    await sim.world.passes(200);
  }
  await sim.world.passes(3 * minuteMs);
  sim.failing.clear();
  await sim.world.until(() => has(7)() && has(7, 'silver')(), 4 * hourMs, 'everything arrives');
  // What a process stores behind its successor's back is read, sent once more and removed at the next start.
  if (sim.fault?.kind === 'paused') {
    await sim.world.passes(minuteMs);
    sim.kill();
  }
  const isEmpty = () => [...sim.keys('event-backlog.'), ...sim.keys('event-item.')].length === 0;
  await sim.world.until(isEmpty, 4 * hourMs, 'nothing is left');
  await sim.during(sim.lane.write(...statusChanges(2)));
  await sim.world.until(has(9), minuteMs, 'the last ones arrive');
  await sim.world.passes(minuteMs);
  expect(arrived()).toEqual(numbers(1, 9));
  expect(arrived('silver')).toEqual(numbers(1, 7));
  for (const bodies of sim.received.values()) expect(new Set(bodies).size).toBe(1);
}

for (const error of ['no_answer', 'status_503'] as const) {
  it(`nothing is lost and the order holds around any write, with a receiver of ${error}`, async () => {
    await history(null, error);
    const { writes, received } = sim;
    await sim.stop();
    const kinds = new Set(writes.map((key) => key.split('.')[0]));
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining([
        '-event-backlog',
        '-event-item',
        'event-backlog',
        'event-cursor',
        'event-item',
      ]),
    );
    expect([...received.values()].filter((bodies) => bodies.length > 1)).toEqual([]);
    for (let at = 1; at <= writes.length; at += 1) {
      for (const kind of faultsAt(at)) {
        try {
          await history({ at, kind }, error);
        } catch (failure) {
          throw new Error(`${kind} at write ${at}, ${writes[at - 1]}`, { cause: failure });
        } finally {
          await sim.stop();
        }
      }
    }
    // Histories around each of a hundred writes: three minutes on a quiet machine.
  }, 1_200_000);
}
