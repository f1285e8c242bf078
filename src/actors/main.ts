import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { freeBytesOf, minFreeBytes } from '../files/free-space.ts';
import { readJsonFile, writeJsonFile } from '../files/json-file.ts';
import { engineRangeOf, engineVersions } from '../jackpot/lane/versions/versions.ts';
import { toHex } from '../lib/bytes.ts';
import { defaultArchiveLimits, trimmedBelow } from '../log/archive/limits.ts';
import type { SegmentIndex } from '../log/archive/segment-index.ts';
import {
  connectArchiver,
  connectAudit,
  connectInspector,
  connectOwner,
  connectSlowReader,
} from '../log/jetstream/connect.ts';
import { journalOpener } from '../log/lanes/outcome-journal.ts';
import { hasHistory, systemId } from '../log/system/system-id.ts';
import { requireLanes } from '../log/system/system-lanes.ts';
import { dataPaths, makeDirectory } from '../runtime/data-directory.ts';
import { runOwnCommand } from '../runtime/own-command.ts';
import { type RoleParts, type RunRole, startRole } from '../runtime/role.ts';
import { logSettings, segmentIndex, sumLimits, systemClock, systemRandom, withArchive } from '../wiring.ts';
import { Archiver, type ArchiverPorts, storageClient } from './archive/archiver.ts';
import { type AuditedLane, auditsLane, NightlyAudit } from './audit/nightly-audit.ts';
import { epochThread } from './epochs/epoch-threads.ts';
import { moveDrawKeys } from './epochs/keys/draw-keys.ts';
import { createHashing } from './epochs/keys/hashing.ts';
import { openKeyRing, requireKeyRing } from './epochs/keys/key-ring.ts';
import { spoolFileOpener } from './epochs/spool.ts';
import { ActorHost } from './lane/actor-host.ts';
import { warmUp } from './lane/warm-up.ts';
import { claimName } from './placement/host-record.ts';
import { PlacedLanes } from './placement/placed-lanes.ts';
import {
  type ActorMonitor,
  defaultActorSettings,
  logRetentionOf,
  maximumMessageBytes,
} from './ports/actor-ports.ts';
import { openSnapshotFiles } from './recovery/snapshots/files.ts';
import { engineSettings, enginesOf } from './replica/engines.ts';
import { DiskWatch } from './watches/disk-watch.ts';
import { createActorMetrics } from './watches/metrics.ts';
import { PaymentWatch } from './watches/payments/payment-watch.ts';
import { StartReport } from './watches/start-report.ts';
import { ConfigurationWatch } from './watches/streams/configuration-watch.ts';
import { StreamWatch } from './watches/streams/stream-watch.ts';
import { defaultLogCheckSettings, LogCheck } from './witness/log-check.ts';
import { TableWitness } from './witness/table-witness.ts';
import { TrailWitness } from './witness/trail-witness.ts';
import { openWitness } from './witness/witness-files.ts';

const epochProgram = fileURLToPath(new URL('./epoch-thread.js', import.meta.url));
/** A snapshot that is being restored is restored to its end. */
const auditGraceMinutes = 10;

/** The role `actors`: a host of lanes, alone or beside others. */
export const run: RunRole = (settings) => startRole('actors', settings, assemble);

async function assemble(settings: Settings, logger: Logger): Promise<RoleParts> {
  const report = new StartReport();
  const reach = logSettings(settings, 'actors');
  const connecting = connectOwner(reach);
  // While the server answers.
  warmUp();
  const { log: streamsOfLanes, bus } = await connecting;
  const log = withArchive(streamsOfLanes, settings);
  report.mark('connected');
  const placement = await log.table('PLACEMENT');
  await requireLanes(placement, settings.lanes);
  // Each lane looks for its own streams: what is amiss with one of them stops that lane only.
  await log.prepare(0);
  const clock = systemClock;
  const random = systemRandom;
  makeDirectory(settings.hostDirectory);
  const { keys } = dataPaths(settings.dataDirectory);
  const drawKeys = settings.drawKeysDirectory;
  moveDrawKeys({ drawKeys, keys });
  if (!settings.newKeys && (await hasHistory(log, settings.lanes))) requireKeyRing(drawKeys);
  const keyRing = openKeyRing(drawKeys, random);
  const hashing = createHashing(keyRing);
  const engine = engineSettings(settings);
  const [checkLog, trail] = await Promise.all([connectSlowReader(reach), connectAudit(reach)]);
  const life = toHex(random.bytes(6));
  const { monitor, tookOver, text } = createActorMetrics(logger, {
    statuses: () => host.statuses(),
    fills: () => streams.fills(),
    payments: () => payments.payments(),
    owned: () => host.ownedLanes(),
    audited: () => audits?.audited() ?? [],
    archives: () => archiving?.archiver.archives() ?? [],
    oldRateTables: () => host.oldRateTables(),
    differingStreams: () => configurations.differing(),
    isStorageMissing: () => configurations.isStorageMissing(),
  });
  const epochs = epochThread(epochProgram, settings, monitor);
  const disk = new DiskWatch(
    { clock, monitor, freeBytes: () => freeBytesOf(settings.hostDirectory) },
    minFreeBytes,
  );
  const witness = await openWitness(
    {
      dataDirectory: settings.hostDirectory,
      secondDirectory: settings.witnessDirectory,
      host: settings.hostId,
    },
    await systemId(placement),
    clock,
    (message) => monitor.alarm(0, 'witness_not_written', message),
  );
  const tables = new TableWitness({ log: checkLog, clock, monitor, witness });
  const trailWitness = new TrailWitness({ trail, clock, monitor, witness }, settings.auditMaxAgeMs);
  const streams = new StreamWatch({ log, clock, monitor }, settings.lanes, {
    alarmRatio: settings.streamAlarmRatio,
    alarmMs: settings.streamAlarmMs,
    reserveRatio: settings.streamReserveRatio,
    trimmedBelow: settings.archive === 'off' ? 0 : trimmedBelow,
  });
  const inspector = await connectInspector(reach, settings.lanes);
  const configurations = new ConfigurationWatch({
    ...{ bus, clock, monitor },
    differences: () => inspector.differences(),
  });
  const placed: PlacedLanes = new PlacedLanes(
    {
      hosts: await log.table('HOSTS'),
      placement,
      leases: await log.table('LEASES'),
      bus,
      clock,
      monitor,
      tookOver,
      hostId: settings.hostId,
      life,
      lanes: settings.lanes,
      engine: engineRangeOf(engineVersions),
      keys: () => keyRing.keyIds(),
    },
    () => host,
  );
  keyRing.sealWhereAll((keyId) => placed.othersHaveKey(keyId));
  const host: ActorHost = new ActorHost(
    [],
    {
      log,
      bus,
      clock,
      random,
      hashing,
      keyRing,
      monitor,
      witness,
      snapshots: openSnapshotFiles(join(settings.hostDirectory, 'snapshots')),
      openSpoolFile: spoolFileOpener(join(settings.hostDirectory, 'epochs'), random),
      followEpochs: epochs.follow,
      openJournal: journalOpener(log, clock),
      engines: enginesOf(hashing, engine),
    },
    {
      ...defaultActorSettings,
      maximumLogLeadMs: settings.maximumLogLeadSeconds * 1000,
      rateAgeAlarmMs: settings.rateAgeAlarmSeconds * 1000,
      // The events of a message have no limit here: an owner sets one, and older messages replay as they
      // were.
      engine: { ...engine, maximumMessageBytes },
      host: claimName(settings.hostId, life),
      reserveRatio: settings.streamReserveRatio,
      logRetentionMs: logRetentionOf(settings),
    },
    placed,
  );
  const payments = new PaymentWatch(
    () => host.ownedLanes(),
    { clock, monitor },
    {
      automaticAgeMs: settings.paymentAlarmMs,
      manualAgeMs: settings.paymentWaitAlarmMs,
      sumsAtoms: sumLimits(settings.paymentSumAlarm),
    },
  );
  const check = new LogCheck(
    {
      log: checkLog,
      clock,
      hashing,
      monitor,
      witness,
      owns: (lane) => host.owns(lane),
      archivedTo: async (lane) => archiving?.archivedTo(lane) ?? 0,
      commandsDamaged: (lane) => host.requestSnapshot(lane),
    },
    settings.lanes,
    { ...defaultLogCheckSettings, maxAgeMs: logRetentionOf(settings) },
  );
  const watches = [streams, configurations, check, tables, trailWitness, disk, payments];
  const audits = nightlyAudit(settings, monitor, () =>
    host
      .statuses()
      .filter((status) => auditsLane(status, placed.hasStandby(status.lane)))
      .map(({ lane }) => lane),
  );
  const archiving = await openArchiving(settings, reach, {
    clock,
    trimming: storageClient(bus),
    monitor,
    owns: (lane) => host.owns(lane),
    isFull: (lane) => (host.status(lane)?.full ?? '') !== '',
    firstUnrevealed: (lane) => host.firstUnrevealed(lane),
    requestSnapshot: (lane) => host.requestSnapshot(lane),
  });
  report.mark('prepared');
  return {
    port: null,
    probes: {
      readyz: () => placed.unready() ?? host.unreadyForAll(),
      lanes: () => host.reports(),
      metrics: text,
      details: () => [
        ...fullLanes(host),
        ...watches.flatMap((watch) => watch.warnings()),
        ...(archiving?.archiver.warnings() ?? []),
      ],
    },
    settled: () => placed.unready() === null && host.settled(),
    async begin() {
      report.logWhen(() => host.unreadyForAll() === null, logger);
      await Promise.all([host.start(), placed.start()]);
      for (const watch of watches) watch.start();
      audits?.start();
      archiving?.archiver.start();
    },
    async stop() {
      audits?.stop();
      await Promise.all([placed.handOver(), archiving?.stop()]);
      for (const watch of watches) watch.stop();
      await host.stop();
      await epochs.stop();
      await placed.stop();
      await witness.stop();
      await Promise.all([log.close(), checkLog.close(), inspector.close(), trail.close(), bus.close()]);
    },
  };
}

/** Runs `potstream audit`, so that the lanes pay only reads of the log. null: no hour is set. */
function nightlyAudit(
  settings: Settings,
  monitor: ActorMonitor,
  lanes: () => readonly number[],
): NightlyAudit | null {
  const { laneAuditHour: hour, laneAuditMinutes: minutes } = settings;
  const file = join(settings.hostDirectory, 'lane-audits.json');
  const ports = {
    clock: systemClock,
    monitor,
    lanes,
    run: (lane: number, limit: number, signal: AbortSignal) =>
      runOwnCommand(
        ['audit', '--as', 'actors', '--lane', String(lane), '--minutes', String(limit), '--json'],
        settings,
        { timeoutMs: (limit + auditGraceMinutes) * 60_000, signal },
      ),
    load: () => readJsonFile(file),
    store: (audited: readonly AuditedLane[]) => writeJsonFile(file, audited),
  };
  return hour === null ? null : new NightlyAudit(ports, { hour, minutes });
}

/** null: these settings have no archive. */
async function openArchiving(
  settings: Settings,
  reach: ReturnType<typeof logSettings>,
  ports: Omit<ArchiverPorts, 'log' | 'index'>,
) {
  if (settings.archive === 'off') return null;
  const log = await connectArchiver(reach);
  const index = segmentIndex(settings, log) as SegmentIndex;
  const { archiveAfterMs, archiveKeepMs: keepMs, archiveMs } = settings;
  const archiver = new Archiver({ ...ports, log, index }, settings.lanes, {
    ...defaultArchiveLimits,
    ...{ archiveAfterMs, keepMs, archiveMs },
  });
  return {
    archiver,
    async archivedTo(lane: number): Promise<number> {
      await index.open();
      return index.lastSequence(lane);
    },
    async stop(): Promise<void> {
      await archiver.stop();
      await index.close();
      await log.close();
    },
  };
}

function fullLanes(host: ActorHost): string[] {
  return host
    .statuses()
    .filter(({ full }) => full !== '')
    .map(({ lane, full }) => `lane ${lane} takes no contributions: ${full} has no room for them`);
}
