import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scenario, World } from '../campaign/scenario.ts';
import { until } from '../campaign/wait.ts';
import { ownerOf, standbyOf } from './hosts.ts';

/** Steps of the clock of one process, and back after `--seconds`. nats-server asks the kernel itself: no library can change its time. */
export const clocks: readonly Scenario[] = [
  ...stepsOf('owner', ownerOf),
  ...stepsOf('standby', standbyOf),
  ...stepsOf('gateway', async ({ random }) => `gateway-${1 + random.below(2)}`),
  ...stepsOf('wallet', async () => 'wallet'),
];

function stepsOf(name: string, victim: (world: World) => Promise<string>): Scenario[] {
  return [
    { way: 'ahead', step: '+3600' },
    { way: 'back', step: '-3600' },
  ].map(({ way, step }) => ({
    name: `clock-${name}-${way}`,
    description: `the clock of the ${name} steps an hour ${way} for --seconds, then it is right again`,
    topology: { servers: 1, hosts: 2 },
    needs: ['faketime'],
    async round(world) {
      const unit = world.system.unit(await victim(world));
      const clockFile = join(world.system.dataDirectory, `${unit.name}.clock`);
      writeFileSync(clockFile, '+0');
      await withOwnClock(world, unit.name, clockFile);
      writeFileSync(clockFile, step);
      await pause(world.seconds * 1_000);
      writeFileSync(clockFile, '+0');
      // What halted at the sight of times that cannot be is started again once its clock is right (docs/operate.md "log_time_ahead").
      if ((await unit.fault()) !== null) await unit.kill('SIGTERM');
    },
  }));
}

/** The process runs from now on with a clock that the file steps; it is the same one in the system as before. */
async function withOwnClock(world: World, name: string, clockFile: string): Promise<void> {
  const { system } = world;
  if (system.variables.has(name)) return;
  system.variables.set(name, {
    LD_PRELOAD: String(process.env.POTSTREAM_FAKETIME),
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_NO_CACHE: '1',
    DONT_FAKE_MONOTONIC: '1',
  });
  const before = await world.watch.shard();
  await system.unit(name).kill('SIGTERM');
  await world.steady();
  if (before.owner !== name) return;
  // Its standby has the lane meanwhile, and gives it back.
  await system.unit(await ownerOf(world)).kill('SIGTERM');
  await world.steady();
  await until('the host owns the lane again', async () => (await world.watch.shard()).owner === name);
}
