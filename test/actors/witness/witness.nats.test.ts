import { randomBytes } from 'node:crypto';
import { appendFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ActorHost } from '../../../src/actors/lane/actor-host.ts';
import type { Witness } from '../../../src/actors/ports/witness.ts';
import { TableWitness } from '../../../src/actors/witness/table-witness.ts';
import {
  openWitness,
  readWitness,
  secondWitnessPath,
  witnessPath,
} from '../../../src/actors/witness/witness-files.ts';
import { headsOf } from '../../../src/actors/witness/witness-lines.ts';
import { examineLog } from '../../../src/cli/doctor/log.ts';
import { acceptWitness } from '../../../src/cli/witness/run.ts';
import { readSettings, type Settings } from '../../../src/config/settings.ts';
import { systemId } from '../../../src/log/system/system-id.ts';
import type { TableExtent, TableName } from '../../../src/ports.ts';
import { systemClock } from '../../../src/wiring.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { ActorWorld, lane } from '../actor-world.ts';

let world: ActorWorld;
let settings: Settings;
let open: (Witness & { stop(): Promise<void> })[];
let lives: number;

beforeEach(async () => {
  world = await ActorWorld.open();
  open = [];
  lives = 0;
  settings = readSettings({
    POTSTREAM_DATA: world.dataDirectory,
    POTSTREAM_LANES: '1',
    POTSTREAM_WITNESS_DIRECTORY: join(world.dataDirectory, 'second'),
    ...world.reachInEnvironment(),
  });
});
afterEach(async () => {
  for (const witness of open) await witness.stop();
  await world.close();
});

/** A new life of the host's process: it reads the witness anew. */
async function startHost(): Promise<ActorHost> {
  const id = await systemId(await world.log.table('PLACEMENT'));
  const { witnessDirectory: secondDirectory, hostId: host } = settings;
  const places = { dataDirectory: world.dataDirectory, secondDirectory, host };
  const witness = await openWitness(places, id, systemClock, (message) => world.alarms.push(message));
  open.push(witness);
  world.witness = witness;
  lives += 1;
  return world.startHost(`life-${lives}`);
}

async function contribute(batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1)
    await world.reply(await world.send([contribution({ contributionId: randomBytes(16) })]));
}

/** A host with some history, a copy of the server's files, more history, and a drained host. */
async function historyWithBackup(): Promise<string> {
  const first = await startHost();
  await world.owned(first);
  await world.activeInstance();
  await contribute(5);
  await first.stop();
  const backup = join(world.dataDirectory, 'backup');
  await world.onStoppedServer(() => cp(world.storeDirectory, backup, { recursive: true }));
  const second = await startHost();
  await world.owned(second);
  await contribute(20);
  await second.stop();
  return backup;
}

async function restore(backup: string): Promise<void> {
  await rm(world.storeDirectory, { recursive: true });
  await cp(backup, world.storeDirectory, { recursive: true });
}

const snapshots = () => join(world.dataDirectory, 'snapshots');

it('a lane does not go on with an older copy of its log, although no snapshot tells', async () => {
  const backup = await historyWithBackup();
  const seen = await world.log.lastCommand(lane);
  expect(await examineLog(settings, world.reach())).toMatch(/^1 of 1 lanes .* the log still has everything$/);
  await world.onStoppedServer(async () => {
    await restore(backup);
    await rm(snapshots(), { recursive: true });
  });
  const host = await startHost();
  await world.until(() => host.statuses()[0]!.stopped !== null, 'the lane stops');
  expect(host.statuses()[0]!.stopped).toBe('log_behind_witness');
  expect(world.alarms.at(-1)).toMatch(
    /^log_behind_witness: The log of lane 0 ends at \d+, but this host saw it at \d+ .*accept 0/,
  );
  expect(world.alarms.at(-1)).toContain(`saw it at ${seen} `);
  await expect(examineLog(settings, world.reach())).rejects.toThrow(/ends at \d+, but this host saw/);
});

it('of what a killed host had stored nothing can be cut from the log unnoticed', async () => {
  const first = await startHost();
  await world.owned(first);
  await world.activeInstance();
  const backup = join(world.dataDirectory, 'backup');
  await first.stop();
  await world.onStoppedServer(() => cp(world.storeDirectory, backup, { recursive: true }));
  const second = await startHost();
  await world.owned(second);
  await contribute(20);
  const stored = await world.outcomesStored();
  const newest = async () =>
    headsOf(
      await readWitness({ dataDirectory: world.dataDirectory, secondDirectory: null }, [open[0]!.system]),
      lane,
    ).at(-1)?.sequence;
  await expect.poll(newest, { timeout: 60_000 }).toBe(stored);
  await second.abort();
  await world.onStoppedServer(async () => {
    await restore(backup);
    await rm(snapshots(), { recursive: true });
    // Of the last second it has nothing yet.
    await rm(witnessPath(world.dataDirectory), { force: true });
    await rm(settings.witnessDirectory!, { recursive: true, force: true });
  });
  const host = await startHost();
  await world.until(() => host.statuses()[0]!.stopped !== null, 'the lane stops');
  expect(host.statuses()[0]!.stopped).toBe('log_behind_witness');
  expect(world.alarms.at(-1)).toContain(`this host saw it at ${stored} `);
});

it('the second place tells it where the whole data directory is an older copy', async () => {
  const backup = await historyWithBackup();
  await world.onStoppedServer(async () => {
    await restore(backup);
    await rm(snapshots(), { recursive: true });
    await rm(join(world.dataDirectory, 'witness'), { recursive: true });
  });
  const host = await startHost();
  await world.until(() => host.statuses()[0]!.stopped !== null, 'the lane stops');
  expect(host.statuses()[0]!.stopped).toBe('log_behind_witness');
});

it('what somebody accepts is gone on with, snapshots of the other log are removed, and it is written down', async () => {
  const backup = await historyWithBackup();
  // The snapshots of what is given up stay behind.
  await world.onStoppedServer(() => restore(backup));
  const halted = await startHost();
  await world.until(() => halted.statuses()[0]!.stopped !== null, 'the lane stops');
  await halted.stop();
  const said: string[] = [];
  const why = { reason: 'the disk died; backup of noon', by: 'ada' };
  expect(await acceptWitness(settings, '0', why, (line) => said.push(line))).toBe(0);
  expect(await acceptWitness(settings, '7', why, (line) => said.push(line))).toBe(2);
  expect(said[0]).toMatch(/^The log of lane 0 is accepted as it is, by ada: the disk died/);
  for (const path of [witnessPath(world.dataDirectory), second()])
    expect(await readFile(path, 'utf8')).toContain('"by":"ada","reason":"the disk died; backup of noon"');
  const host = await startHost();
  await world.owned(host);
  await contribute(30);
  await host.stop();
  const last = await world.log.lastCommand(lane);
  const next = await startHost();
  await world.owned(next);
  expect(next.statuses()[0]!.appliedSequence).toBeGreaterThan(last);
  expect(await examineLog(settings, world.reach())).toMatch(/the log still has everything$/);
  function second(): string {
    return secondWitnessPath(settings.witnessDirectory!, open[0]!.system, settings.hostId);
  }
});

it('another history that is longer than what was seen is told by its heads', async () => {
  const backup = await historyWithBackup();
  const witness = join(world.dataDirectory, 'witness');
  await cp(witness, `${witness}-seen`, { recursive: true });
  await world.onStoppedServer(async () => {
    await restore(backup);
    await rm(snapshots(), { recursive: true });
    await rm(witness, { recursive: true });
    await rm(settings.witnessDirectory!, { recursive: true, force: true });
  });
  const other = await startHost();
  await world.owned(other);
  await contribute(60);
  await other.stop();
  await rm(witness, { recursive: true });
  await cp(`${witness}-seen`, witness, { recursive: true });
  await rm(settings.witnessDirectory!, { recursive: true, force: true });
  const host = await startHost();
  await world.until(() => host.statuses()[0]!.stopped !== null, 'the lane stops');
  expect(host.statuses()[0]!.stopped).toBe('witness_mismatch');
  await expect(examineLog(settings, world.reach())).rejects.toThrow(/another message \d+ than this host saw/);
});

it('a host without a witness begins from what is there, and torn or damaged lines say nothing', async () => {
  const first = await startHost();
  await world.owned(first);
  await world.activeInstance();
  await first.stop();
  const path = witnessPath(world.dataDirectory);
  const [line] = (await readFile(path, 'utf8')).split('\n');
  await rm(settings.witnessDirectory!, { recursive: true, force: true });
  await rm(join(path, '..'), { recursive: true });
  const second = await startHost();
  await world.owned(second);
  await second.abort();
  // It may have been killed before it wrote anything.
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `${line!.replace('"sequence":', '"sequence":9')}\n`);
  await appendFile(path, line!.slice(0, 40));
  await rm(settings.witnessDirectory!, { recursive: true, force: true });
  await world.owned(await startHost());
  expect(world.alarms).toEqual([]);
});

it('a host that saw less than others have stored since fights nobody', async () => {
  const first = await startHost();
  await world.owned(first);
  await world.activeInstance();
  const one = world.witness;
  await one.written();
  // Another host, with a witness of its own.
  settings = { ...settings, witnessDirectory: null };
  await mkdir(join(world.dataDirectory, 'elsewhere'));
  const elsewhere = await openWitness(
    { dataDirectory: join(world.dataDirectory, 'elsewhere'), secondDirectory: null, host: 'elsewhere' },
    one.system,
    systemClock,
    (message) => world.alarms.push(message),
  );
  open.push(elsewhere);
  world.witness = elsewhere;
  const second = await world.startHost('elsewhere');
  await world.owned(second);
  await contribute(5);
  await first.stop();
  await second.stop();
  await world.owned(await startHost());
  expect(world.alarms.filter((alarm) => !alarm.startsWith('fenced'))).toEqual([]);
});

it('a table that was set back is told, until somebody accepts it', async () => {
  const first = await startHost();
  await world.owned(first);
  const backup = join(world.dataDirectory, 'backup');
  await first.stop();
  await world.onStoppedServer(() => cp(world.storeDirectory, backup, { recursive: true }));
  await world.putRates({ USD: '1.1' });
  const tableAlarms = async (): Promise<string[]> => {
    const alarms: string[] = [];
    await startHost().then((host) => host.stop());
    const { monitor } = world.ports(world.log, world.bus);
    const alarm = (_: number, code: string, message: string): void => void alarms.push(`${code}: ${message}`);
    const ports = { clock: systemClock, monitor: { ...monitor, alarm }, witness: world.witness };
    let asked = 0;
    const tableExtent = (name: TableName): Promise<TableExtent> => {
      asked += 1;
      return world.log.tableExtent(name);
    };
    const counting = new TableWitness({ ...ports, log: { tableExtent } });
    counting.start();
    await world.until(() => asked >= 3, 'every table is asked');
    await world.log.tableExtent('PLACEMENT');
    counting.stop();
    await world.witness.written();
    return alarms;
  };
  expect(await tableAlarms()).toEqual([]);
  await world.onStoppedServer(async () => {
    await rm(world.filesOf('KV_DIRECTORY'), { recursive: true });
    const directory = join(backup, 'jetstream/$G/streams/KV_DIRECTORY');
    await cp(directory, world.filesOf('KV_DIRECTORY'), { recursive: true });
  });
  expect(await tableAlarms()).toEqual([
    expect.stringMatching(/^table_behind_witness: KV DIRECTORY is at revision 1, but this host saw 2/),
  ]);
  await expect(examineLog(settings, world.reach())).rejects.toThrow(/KV DIRECTORY is at revision 1/);
  await acceptWitness(settings, 'DIRECTORY', { reason: 'on purpose' }, () => {});
  expect(await tableAlarms()).toEqual([]);
});
