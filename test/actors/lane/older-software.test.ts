import { expect, it } from 'vitest';
import { haltText } from '../../../src/contracts/lanes/halts.ts';
import { engineVersions } from '../../../src/jackpot/lane/versions/versions.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { createInstance, setBrand } from '../../jackpot/support/commands.ts';
import { threePots } from '../../jackpot/support/configurations.ts';
import { newestEngine } from '../../jackpot/support/new-lane.ts';
import { engines, enginesOf } from '../../sim/sim-system.ts';
import { withNextVersion } from '../../support/next-engine.mjs';
import { SimLanes } from '../../support/sim-lanes.ts';

const code = 'engine_version_unsupported';
const newer = enginesOf(undefined, withNextVersion(engineVersions));
const nextEngine = newestEngine + 1;
const toNext: Command = { kind: 'UpgradeTo', version: nextEngine };

async function opened(seed: number, software = engines): Promise<SimLanes> {
  const lanes = new SimLanes(seed);
  lanes.engines = software;
  lanes.startHost();
  await lanes.until(() => lanes.host.unready() === null, 'the lanes are owned');
  for (const lane of [0, 1]) await lanes.ask(lane, [setBrand(), createInstance(threePots())]);
  return lanes;
}

it('a host without the version halts that lane at the upgrade, by name, and newer software goes on from there', async () => {
  const lanes = await opened(1);
  const sequence = lanes.send(0, [toNext]);
  await lanes.until(() => lanes.halted(0) !== null, 'lane 0 halts');
  expect(lanes.halted(0)).toBe(code);
  const message = `The lane runs version ${nextEngine} of the engine. This host runs 1 to ${newestEngine}.`;
  const runbook = `Runbook: docs/operate.md#${code}`;
  expect(lanes.alarms).toEqual([`lane 0 ${code}: ${message} ${runbook}`]);
  expect(haltText(code)?.toDo).toContain('Replace the software');
  const { outcomes } = lanes.server.lane(0);
  await lanes.until(() => outcomes.length === sequence - 1, 'the records before it are stored');
  await lanes.ask(1, [setBrand()]);

  lanes.engines = newer;
  lanes.startHost();
  await lanes.ask(0, [setBrand()]);
  expect(lanes.host.status(0)?.engineVersion).toBe(nextEngine);
  expect(lanes.host.status(1)?.engineVersion).toBe(newestEngine);
  expect((await lanes.replayed(0)).engine.engineVersion).toBe(nextEngine);
});

it('an upgrade that no host can run is refused as a whole by a quarantine, as long as it has no outcome', async () => {
  const lanes = await opened(2);
  lanes.send(0, [toNext]);
  await lanes.until(() => lanes.halted(0) === code, 'lane 0 halts');
  await lanes.quarantineHalted(0);
  await lanes.ask(0, [setBrand()]);
  expect(lanes.host.status(0)?.engineVersion).toBe(newestEngine);
});

it('a host without the version refuses a snapshot of it, by name, and replays nothing older', async () => {
  const lanes = await opened(3, newer);
  const before = (await lanes.ask(0, [setBrand()])).sequence;
  await lanes.until(() => newestSnapshot(lanes) >= before, 'a snapshot of the first version');
  await lanes.ask(0, [toNext]);
  const upgraded = (await lanes.ask(0, [setBrand()])).sequence;
  await lanes.until(() => newestSnapshot(lanes) >= upgraded, 'a snapshot of the next version');

  lanes.engines = engines;
  lanes.startHost();
  await lanes.until(() => lanes.halted(0) !== null, 'lane 0 halts');
  expect(lanes.halted(0)).toBe(code);
  expect(lanes.host.status(0)?.appliedSequence).toBe(0);
  await lanes.ask(1, [setBrand()]);
});

function newestSnapshot(lanes: SimLanes): number {
  return Math.max(0, ...lanes.snapshots.sequences(0));
}
