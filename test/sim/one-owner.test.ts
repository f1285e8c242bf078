import { expect, it } from 'vitest';
import { epochDocumentName } from '../../src/contracts/jackpots/epochs.ts';
import { decodeCommandBatch } from '../../src/messages/codec/codec.ts';
import { scaled } from '../jackpot/checks/scale.ts';
import { noFaults, type SimFaults } from '../support/sim-server.ts';
import type { SimWorld } from '../support/sim-world.ts';
import { checkInvariants } from './invariants.ts';
import { SimOperator } from './sim-operator.ts';
import { lane, SimSystem } from './sim-system.ts';
import { instances, prepare } from './win-often.ts';

const seeds = scaled(30, 200);
const intents = 40;
const trafficMs = 8_000;
const restMs = 120_000;
/** Of many instances whose epochs end at every moment. */
const manySeeds = scaled(2, 12);
const manyIntents = 300;
const many = Array.from({ length: 30 }, (_, index) => `pot-${index}`);

it(`one owner, killed and restarted: ${seeds} histories`, async () => {
  let killed = 0;
  let duplicates = 0;
  let won = 0;
  let revealed = 0;
  for (const seed of chosenSeeds(seeds)) {
    try {
      const history = await live(seed, instances, intents);
      killed += history.killed;
      duplicates += history.duplicates;
      won += history.won;
      revealed += history.revealed;
    } catch (error) {
      throw new Error(`SIM_SEED=${seed} fails: ${(error as Error).message}`, { cause: error });
    }
  }
  // A campaign in which nothing happens proves nothing.
  expect(killed).toBeGreaterThan(0);
  expect(duplicates).toBeGreaterThan(0);
  expect(won).toBeGreaterThan(0);
  // A lane remembers eight of each instance.
  if (process.env.SIM_SEED === undefined) expect(revealed).toBeGreaterThan(seeds * instances.length * 8);
});

it(`publishes every epoch of ${many.length} instances, the owner killed and restarted: ${manySeeds} histories`, async () => {
  let killed = 0;
  let revealed = 0;
  for (const seed of chosenSeeds(manySeeds)) {
    try {
      const history = await live(seed, many, manyIntents);
      killed += history.killed;
      revealed += history.revealed;
    } catch (error) {
      throw new Error(`SIM_SEED=${seed} fails: ${(error as Error).message}`, { cause: error });
    }
  }
  if (process.env.SIM_SEED !== undefined) return;
  expect(killed).toBeGreaterThan(0);
  expect(revealed).toBeGreaterThan(manySeeds * many.length * 8);
});

/** All seeds, or the one that is looked for. */
function chosenSeeds(count: number): number[] {
  const named = process.env.SIM_SEED;
  return named === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(named)];
}

interface History {
  readonly killed: number;
  readonly duplicates: number;
  readonly won: number;
  readonly revealed: number;
}

async function live(seed: number, instances: readonly string[], intents: number): Promise<History> {
  const system = new SimSystem(seed);
  const { world } = system;
  await prepare(system, instances);

  system.setFaults(randomFaults(world));
  const operator = new SimOperator(system, instances);
  operator.begin(intents, trafficMs);
  disturb(system);
  await world.passes(trafficMs);

  // Healing: everything works again, and must come to rest by itself.
  system.setFaults(noFaults);
  system.server.up = true;
  if (system.stopped !== null || !system.owned) system.startHost();
  await world.until(() => operator.settled(intents), restMs, 'an answer for every intent');
  const { commands, outcomes } = system.server.lane(lane);
  const isAnswered = (): boolean => outcomes.length === commands.length;
  await world.until(isAnswered, restMs, 'an outcome for every command');
  const revealed = revealedEpochs(system);
  const isPublished = (name: string): boolean => system.server.archives.get('EPOCHS')?.has(name) ?? false;
  await world.until(() => revealed.every(isPublished), restMs, 'every revealed epoch in the archive');
  // Epochs have gone on meanwhile.
  await world.until(isAnswered, restMs, 'an outcome for every command');

  expect(system.alarms.filter((alarm) => !mayFail.test(alarm))).toEqual([]);
  checkInvariants(system, operator.intents, instances.length);
  const answers = operator.intents.flatMap((intent) => intent.answers);
  return {
    killed: system.lives - 1,
    revealed: revealed.length,
    duplicates: answers.filter((answer) => answer.outcome.kind === 'Duplicate').length,
    won: answers.filter(({ outcome }) => outcome.kind === 'Contributed' && outcome.results[0]!.win !== null)
      .length,
  };
}

/** The documents of all epochs that the log has revealed. */
function revealedEpochs(system: SimSystem): string[] {
  const { commands } = system.server.lane(lane);
  return commands.flatMap(({ bytes }) =>
    decodeCommandBatch(bytes).commands.flatMap((command) =>
      command.kind === 'RevealEpoch' ? [epochDocumentName(command.instance, command.epoch)] : [],
    ),
  );
}

/** Uploads are given up in an outage, and tried again with the next snapshot. */
const mayFail = /^(snapshot_upload_failed|epoch_not_published):/;

function randomFaults(world: SimWorld): SimFaults {
  return {
    lostRequest: world.chance(0.5) ? world.next() * 0.1 : 0,
    lostAnswer: world.chance(0.5) ? world.next() * 0.15 : 0,
    lostBusMessage: world.chance(0.5) ? world.next() * 0.3 : 0,
    minDelayMs: 0,
    maxDelayMs: world.between(1, 40),
  };
}

/** Kills of the owner and outages of the server, at any moment of the traffic. */
function disturb(system: SimSystem): void {
  const { world, server } = system;
  for (let kills = world.between(0, 3); kills > 0; kills -= 1) {
    world.schedule(world.between(0, trafficMs), () => {
      system.killHost();
      world.schedule(world.between(0, 1_500), () => system.startHost());
    });
  }
  if (world.chance(0.3)) {
    world.schedule(world.between(0, trafficMs), () => {
      server.up = false;
      world.schedule(world.between(100, 2_500), () => {
        server.up = true;
      });
    });
  }
}
