import { expect, it } from 'vitest';
import { noFaults } from '../support/sim-server.ts';
import { checkInvariants } from './invariants.ts';
import { SimOperator } from './sim-operator.ts';
import { lane, SimSystem } from './sim-system.ts';
import { instances, prepare } from './win-often.ts';

const seeds = 60;
const intents = 60;
const trafficMs = 6_000;
const restMs = 120_000;
const largeText = 'm'.repeat(600);
/** A lane that is full says so; uploads are given up in an outage. */
const mayFail = /^(lane_full|stream_full|snapshot_upload_failed|epoch_not_published):/;

it(`streams that fill, are limited by hand and made larger again: ${seeds} histories`, async () => {
  const seen = { lane_full: 0, stream_full: 0 };
  for (const seed of chosenSeeds()) {
    try {
      const alarms = await live(seed);
      for (const code of Object.keys(seen) as (keyof typeof seen)[])
        if (alarms.some((alarm) => alarm.startsWith(code))) seen[code] += 1;
    } catch (error) {
      throw new Error(`SIM_SEED=${seed} fails: ${(error as Error).message}`, { cause: error });
    }
  }
  // Both happened, and often.
  if (process.env.SIM_SEED === undefined) {
    expect(seen.lane_full).toBeGreaterThan(seeds / 4);
    expect(seen.stream_full).toBeGreaterThan(seeds / 8);
  }
});

function chosenSeeds(): number[] {
  const named = process.env.SIM_SEED;
  return named === undefined ? Array.from({ length: seeds }, (_, index) => index + 1) : [Number(named)];
}

async function live(seed: number): Promise<readonly string[]> {
  const system = new SimSystem(seed);
  const { world, server } = system;
  await prepare(system, instances);
  const { commandBytes, outcomeBytes } = server.lane(lane);
  server.maxCommandBytes = commandBytes + world.between(10_000, 60_000);
  server.maxOutcomeBytes = outcomeBytes + world.between(10_000, 60_000);
  // An owner that starts sees them at once.
  system.startHost();
  await world.until(() => system.owned, restMs, 'an owner');
  if (world.chance(0.4)) {
    server.faults = { ...noFaults, lostAnswer: 0.05, lostBusMessage: 0.1, maxDelayMs: 20 };
  }
  const operator = new SimOperator(system, instances, largeText);
  operator.begin(intents, trafficMs);
  disturb(system);
  await world.passes(trafficMs + world.between(0, 5_000));
  expect(system.stopped).toBeNull();

  server.faults = noFaults;
  server.maxCommandBytes = Number.POSITIVE_INFINITY;
  server.maxOutcomeBytes = Number.POSITIVE_INFINITY;
  await world.until(() => operator.settled(intents), restMs, 'an answer for every intent');
  const { commands, outcomes } = server.lane(lane);
  await world.until(() => outcomes.length === commands.length, restMs, 'an outcome for every command');
  expect(system.stopped).toBeNull();
  expect(system.alarms.filter((alarm) => !mayFail.test(alarm))).toEqual([]);
  checkInvariants(system, operator.intents, instances.length);
  return system.alarms;
}

/** Limits below what is stored, by hand, and kills of the owner, at any moment. */
function disturb(system: SimSystem): void {
  const { world, server } = system;
  if (world.chance(0.4)) {
    world.schedule(world.between(0, trafficMs), () => {
      if (world.chance(0.7)) server.maxOutcomeBytes = server.lane(lane).outcomeBytes;
      else server.maxCommandBytes = server.lane(lane).commandBytes;
    });
  }
  for (let kills = world.between(0, 2); kills > 0; kills -= 1) {
    world.schedule(world.between(0, trafficMs), () => {
      system.killHost();
      world.schedule(world.between(0, 1_000), () => system.startHost());
    });
  }
}
