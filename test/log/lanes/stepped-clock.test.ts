import { beforeEach, describe, expect, it } from 'vitest';
import { ReadModel } from '../../../src/directory/read-model.ts';
import { heartbeatSubject } from '../../../src/log/base/names.ts';
import { startLaneClaims } from '../../../src/log/lanes/lane-claims.ts';
import { startReadModelFeed } from '../../../src/log/lanes/read-model-feed.ts';
import { encodeHeartbeat } from '../../../src/messages/codec/codec.ts';
import { type SimNode, SimServer } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';

const hourMs = 3_600_000;
/** Longer than an owner may be silent, and than a lease lasts. */
const longMs = 6_500;

describe.each([
  ['back', -hourMs],
  ['ahead', hourMs],
])('a clock that is set an hour %s', (_, stepMs) => {
  let world: SimWorld;
  let server: SimServer;
  let node: SimNode;
  beforeEach(() => {
    world = new SimWorld(3);
    server = new SimServer(world, 1);
    node = server.connect('gateway');
  });

  it('makes no lane silent, and hides no silence', async () => {
    const readModel = new ReadModel(1);
    await startReadModelFeed(readModel, node, 1);
    const owner = server.connect('owner');
    let beats = true;
    const beat = (): void => {
      const heartbeat = { lane: 0, host: 'a', term: 1, appliedSequence: 0, storedOutcome: 0 };
      const condition = { condition: 'serving', code: '' } as const;
      if (beats) owner.bus.publish(heartbeatSubject(0), encodeHeartbeat({ ...heartbeat, ...condition }));
      owner.clock.after(200, beat);
    };
    beat();
    readModel.conditions.read(0);
    await world.passes(1_000);
    const condition = (): string => readModel.conditions.reports()[0]!.condition;
    expect(condition()).toBe('serving');
    node.clockOffsetMs = stepMs;
    await world.passes(1_000);
    expect(condition()).toBe('serving');
    await world.passes(longMs);
    expect(condition()).toBe('serving');
    beats = false;
    await world.passes(longMs);
    expect(condition()).toBe('silent');
  });

  it('takes no lease from its holder, and keeps none that has run out', async () => {
    const events: string[] = [];
    const claims = async (name: string, of: SimNode) =>
      startLaneClaims({
        ...{ table: await of.log.table('LEASES'), clock: of.clock, role: 'wallet', holder: name, lanes: 1 },
        gained: () => events.push(`${name} gained`),
        lost: () => events.push(`${name} lost`),
        report: (error) => events.push(String(error)),
      });
    await claims('first', node);
    await world.passes(longMs);
    const other = server.connect('other');
    await claims('second', other);
    await world.passes(longMs);
    node.clockOffsetMs = stepMs;
    other.clockOffsetMs = -stepMs;
    await world.passes(longMs);
    expect(events).toEqual(['first gained']);
    node.kill();
    await world.passes(longMs);
    expect(events).toEqual(['first gained', 'second gained']);
  });
});
