import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tickSubject } from '../../../src/log/base/names.ts';
import { encodeLaneTick } from '../../../src/messages/codec/codec.ts';
import { packLiveValues } from '../../../src/messages/codec/live-values.ts';
import type { LiveValues } from '../../../src/messages/records.ts';
import { atoms } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { SimOutbox } from '../support/sim-outbox.ts';
import { readEvents, type SentEvent, subscription } from './support.ts';

const minuteMs = 60_000;
const pot_types = [
  { Threshold: { min_value: '10', max_value: '20' } },
  { Threshold: { min_value: '10', max_value: '30' } },
];
let sim: SimOutbox;
let publish: (values: Uint8Array) => void;

beforeEach(async () => {
  sim = new SimOutbox();
  sim.subscriptions.set('op', [subscription({ event_types: ['MustDropEvent'] })]);
  await sim.during(sim.lane.open(onePot({ pot_types })));
  await sim.during(sim.start());
  const { bus } = sim.server.connect('ticker');
  publish = (liveValues) =>
    bus.publish(
      tickSubject(0),
      encodeLaneTick({ lane: 0, appliedSequence: 4, storedOutcome: 4, liveValues }),
    );
});
afterEach(() => sim.stop());

/** The owner of the lane tells the pot's value, as it does several times a second. */
async function holds(value: string, instanceCount = 0, changes: Partial<LiveValues> = {}): Promise<void> {
  const pot = { pot: 'main', currentAtoms: atoms(value), instanceCount, enabled: true };
  const values = {
    ...{ instance: 'jackpot', sequence: 4, version: 1, status: 'Active', pots: [pot] },
    ...{ head: new Uint8Array(32), epoch: 0, lastUpdatedMs: sim.world.nowMs, ...changes },
  };
  for (let count = 0; count < 3; count += 1) {
    publish(packLiveValues([values]));
    await sim.world.passes(1_000);
  }
}

const warnings = (): SentEvent[] => readEvents(sim.arrivals);

describe('a pot with a Threshold', () => {
  it('is told of once in a cycle, from nine tenths of its lowest maximum on', async () => {
    await holds('17.99999999');
    expect(warnings()).toEqual([]);
    await holds('18');
    await holds('19');
    expect(warnings()).toMatchObject([
      {
        event_type: 'MustDropEvent',
        operator_id: 'op',
        instance_id: 'jackpot',
        seq: null,
        data: { pot_id: 'main', instance_count: 0, currency: 'EUR', current_value: 18, max_value: 20 },
      },
    ]);
    await holds('18.5', 1);
    expect(warnings().map(({ data }) => data.instance_count)).toEqual([0, 1]);
  });

  it('is not told of while nothing can be contributed', async () => {
    await holds('19', 0, { status: 'Paused' });
    await holds('19', 0, {
      pots: [{ pot: 'main', currentAtoms: atoms('19'), instanceCount: 0, enabled: false }],
    });
    expect(warnings()).toEqual([]);
  });

  it('is told of to those who see it', async () => {
    sim.subscriptions.set('rival', [
      subscription({ id: '00000000-0000-4000-8000-000000000002', event_types: ['MustDropEvent'] }),
    ]);
    await holds('19');
    expect(warnings().map(({ subscription_id }) => subscription_id)).toEqual([subscription().id]);
  });

  it('is told of under the same id until the receiver has it, also by the next process', async () => {
    sim.refuses = () => 'status_503';
    await holds('19');
    const [stored] = sim.known().filter(({ kind }) => kind === 'Event');
    expect(stored).toMatchObject({ tries: 1 });
    sim.kill();
    await sim.world.passes(minuteMs);
    sim.refuses = () => null;
    await holds('19.5');
    await sim.world.until(() => warnings().length > 0, 60 * minuteMs, 'it arrives');
    expect(new Set(warnings().map(({ event_id }) => event_id))).toEqual(new Set([stored?.id]));
  });
});
