import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHashing } from '../../../src/actors/epochs/keys/hashing.ts';
import { LogCheck } from '../../../src/actors/witness/log-check.ts';
import { commandStream, outcomeStream } from '../../../src/log/base/names.ts';
import { systemClock } from '../../../src/wiring.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { flipBitIn, removeOldest } from '../../support/damage.ts';
import { ActorWorld, lane } from '../actor-world.ts';

const passEveryMs = 20;
let world: ActorWorld;
let alarms: string[];
let stopCheck: () => void;

beforeEach(async () => {
  world = await ActorWorld.open();
  alarms = [];
  stopCheck = () => {};
});
afterEach(async () => {
  stopCheck();
  await world.close();
});

async function history(): Promise<void> {
  const host = await world.startHost('first');
  await world.owned(host);
  await world.activeInstance();
  for (let batch = 0; batch < 40; batch += 1) {
    const commands = Array.from({ length: 20 }, () => contribution({ contributionId: randomBytes(16) }));
    await world.reply(await world.send(commands));
  }
  await host.stop();
}

function check(damaged: (lane: number) => void = () => {}): {
  passes(): number;
  warnings(): readonly string[];
} {
  let reads = 0;
  const log = Object.create(world.log, {
    extents: { value: (of: number) => world.log.extents(of) },
    readCommand: { value: (of: number, sequence: number) => world.log.readCommand(of, sequence) },
    readOutcome: { value: (of: number, sequence: number) => world.log.readOutcome(of, sequence) },
    readCommands: {
      value: (of: number, from: number) => {
        if (from === 1) reads += 1;
        return world.log.readCommands(of, from);
      },
    },
    readOutcomes: { value: (of: number, from: number) => world.log.readOutcomes(of, from) },
  });
  const hashing = createHashing({ unseal: (_keyId, sealed) => sealed });
  const { monitor } = world.ports(world.log, world.bus);
  const ports = {
    log,
    clock: systemClock,
    hashing,
    monitor: {
      ...monitor,
      alarm: (_: number, code: string, message: string) => void alarms.push(`${code}: ${message}`),
    },
    witness: world.witness,
    owns: () => true,
    commandsDamaged: damaged,
  };
  const running = new LogCheck(ports, 1, {
    bytesPerSecond: 2 ** 30,
    everyMs: passEveryMs,
    maxAgeMs: 35 * 86_400_000,
  });
  running.start();
  stopCheck = () => running.stop();
  return { passes: () => reads, warnings: () => running.warnings() };
}

it('finds nothing in a whole log, pass after pass', async () => {
  await history();
  const { passes, warnings } = check();
  await world.until(() => passes() >= 3, 'the log is read three times');
  expect(alarms).toEqual([]);
  expect(warnings()).toEqual([]);
});

it('says once that OUT has lost its beginning, though CMD has not', async () => {
  await history();
  await world.onStoppedServer(() => removeOldest(world.filesOf(outcomeStream(lane)), 12));
  const { passes, warnings } = check();
  await world.until(() => passes() >= 3, 'the log is read three times');
  expect(alarms).toHaveLength(1);
  expect(alarms[0]).toMatch(/^outcomes_damaged: OUT_0 has lost, or holds damaged: 1 to 12\. Repeats/);
  expect(warnings()).toHaveLength(1);
});

it('finds flipped bits in old commands and outcomes, of which no stream says anything', async () => {
  await history();
  const command = (await world.log.readCommand(lane, 20))!;
  const outcomes = [await world.log.readOutcome(lane, 30), await world.log.readOutcome(lane, 31)];
  await world.onStoppedServer(async () => {
    await flipBitIn(world.filesOf(commandStream(lane)), command.bytes);
    for (const outcome of outcomes) await flipBitIn(world.filesOf(outcomeStream(lane)), outcome!.bytes);
  });
  const { messages, lastSequence } = (await world.log.extents(lane)).commands;
  expect(messages).toBe(lastSequence);
  const damaged: number[] = [];
  const { passes } = check((of) => void damaged.push(of));
  await world.until(() => passes() >= 3, 'the log is read three times');
  expect(alarms).toHaveLength(2);
  expect(alarms[0]).toMatch(/^commands_damaged: CMD_0 has lost, or holds damaged: 20\. The lane goes on/);
  expect(alarms[1]).toMatch(/^outcomes_damaged: OUT_0 has lost, or holds damaged: 30 to 31\./);
  expect(damaged).toEqual([lane]);
});
