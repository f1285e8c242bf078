import { expect, it } from 'vitest';
import { reportingLimits } from '../../../src/reporting/base/limits.ts';
import { SpareTime } from '../../../src/reporting/lane/spare-time.ts';
import { createInstance, setBrand } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { givesWayMs, SimBooks } from '../support/sim-books.ts';

it('is there while others leave a quarter of the processors', () => {
  let nowMs = 0;
  let usage = { total: 0, spare: 0 };
  const time = new SpareTime({ elapsedMs: () => nowMs }, () => usage);
  const after = (spare: number): boolean => {
    nowMs += 500;
    usage = { total: usage.total + 1_000, spare: usage.spare + spare };
    return time.isThere;
  };
  expect(time.isThere).toBe(true);
  expect([after(1_000), after(250), after(249), after(0), after(300)]).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
  expect(after(0)).toBe(false);
  // Too soon to know better.
  usage = { total: usage.total + 1_000, spare: usage.spare + 1_000 };
  expect(time.isThere).toBe(false);
});

it('lets the books wait for as long as others need the machine, but no longer than a minute', async () => {
  const sim = new SimBooks(5);
  const { lanes } = sim;
  lanes.startHost();
  await lanes.ask(0, [createInstance(onePot())]);
  sim.start();
  await sim.current();
  const before = sim.sequence;
  sim.spareTime.isThere = false;
  lanes.send(0, [setBrand()], 'control');
  await lanes.settled(0);
  await lanes.world.passes(givesWayMs - 2 * reportingLimits.readQuietEveryMs);
  expect(sim.sequence).toBe(before);
  await sim.current();
  expect(sim.sequence).toBeGreaterThan(before);
  // What comes next waits anew, until there is time.
  const between = sim.sequence;
  lanes.send(0, [setBrand({ provider: 'again' })], 'control');
  await lanes.settled(0);
  await lanes.world.passes(givesWayMs / 2);
  expect(sim.sequence).toBe(between);
  sim.spareTime.isThere = true;
  await lanes.world.passes(2 * reportingLimits.readQuietEveryMs);
  expect(sim.sequence).toBeGreaterThan(between);
  await sim.stop();
});
