import { writeFileSync } from 'node:fs';
import { constants, hostname, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { engineSettings, enginesOf } from '../actors/replica/engines.ts';
import type { Settings } from '../config/settings.ts';
import { LoopTurn } from '../lib/turns.ts';
import { booksSubject, simulationsSubject } from '../log/base/names.ts';
import { connectBus, connectReader, connectSideStreams } from '../log/jetstream/connect.ts';
import { systemId } from '../log/system/system-id.ts';
import { requireLanes } from '../log/system/system-lanes.ts';
import type { BusMessage } from '../ports.ts';
import { dataPaths } from '../runtime/data-directory.ts';
import { type RoleParts, type RunRole, startRole } from '../runtime/role.ts';
import { logSettings, systemClock, systemRandom, withArchive } from '../wiring.ts';
import { dayAt, startOfDay } from './base/days.ts';
import { StoreError } from './base/errors.ts';
import { reportingLimits } from './base/limits.ts';
import { openBooks } from './books/open-books.ts';
import { checkLane, lastClosedDay } from './check/lane-accounts.ts';
import { SpareTime } from './lane/spare-time.ts';
import { unwrittenFrom, writeClosedHours } from './parquet/closed-hours.ts';
import { Warehouse } from './parquet/warehouse.ts';
import { Answers } from './role/answers.ts';
import { followForgotten } from './role/forgotten-list.ts';
import { ReopeningStore } from './role/reopening-store.ts';
import { startReporting } from './role/reporting.ts';
import { playOnThread } from './simulations/play.ts';
import { Simulations } from './simulations/simulations.ts';
import { openStore } from './store/open.ts';
import { booksPlace } from './store/place.ts';
import { removeRowsBefore } from './store/retention.ts';

const answerProgram = fileURLToPath(new URL('./answer-thread.js', import.meta.url));
const simulationProgram = fileURLToPath(new URL('./simulation-thread.js', import.meta.url));

/** The role `reporting`: recomputes the lanes, without draw keys, and writes what happened to a database. */
export const run: RunRole = (settings) => startRole('reporting', settings, assemble);

async function assemble(settings: Settings, logger: Logger): Promise<RoleParts> {
  if (settings.reportingGivesWayMs > 0) giveWay();
  const reach = logSettings(settings, 'reporting');
  const [streams, bus, sides] = await Promise.all([
    connectReader(reach),
    connectBus(reach),
    connectSideStreams(reach),
  ]);
  const log = withArchive(streams, settings);
  const placement = await log.table('PLACEMENT');
  await requireLanes(placement, settings.lanes);
  const system = await systemId(placement);
  const report = (error: unknown): void =>
    logger.error({ err: error, code: 'reporting' }, 'The reporting role met a bug.');
  const place = () => booksPlace(settings, dataPaths(settings.dataDirectory).reporting);
  const store = new ReopeningStore(() => openStore(place(), system), report);
  const warehouse =
    settings.reportingParquetDirectory === null
      ? null
      : new Warehouse(settings.reportingParquetDirectory, system);
  const turn = new LoopTurn();
  const books = { log, engines: enginesWith(settings), turn };
  const forgotten = await followForgotten(await log.table('FORGOTTEN'));
  const reporting = startReporting({
    log,
    clock: systemClock,
    turn,
    spareTime: new SpareTime(systemClock),
    givesWayMs: settings.reportingGivesWayMs,
    systemId: system,
    store,
    open: (lane, position) => openBooks(lane, position ?? 'oldest', books),
    leases: await log.table('LEASES'),
    // One process of a data directory: the next one is its successor.
    holder: `${hostname()}:${settings.dataDirectory}`,
    lanes: settings.lanes,
    forgotten: () => forgotten.players(),
    streams: { TRIES: sides.tries, AUDIT: sides.audit },
    checkHour: settings.reportingCheckHour,
    async *check(lane) {
      const checked = await openStore(place(), system);
      try {
        yield* checkLane(checked, lane, reportingLimits.checkedDays, { ...books, turn: new LoopTurn() });
      } finally {
        await checked.close();
      }
    },
    writeHours:
      warehouse === null
        ? null
        : async (lane, goesOn) => {
            const read = await openStore(place(), system);
            try {
              const count = forgotten.players()?.players.length ?? 0;
              return await writeClosedHours(lane, { store: read, warehouse, forgotten: count, goesOn });
            } finally {
              await read.close();
            }
          },
    async removeOld() {
      if (settings.reportingKeepMs === null) return 0;
      const trimmed = await openStore(place(), system);
      try {
        const lanes = Array.from({ length: settings.lanes }, (_, lane) => lane);
        const closed = await lastClosedDay(trimmed, lanes);
        if (closed === null) return 0;
        // What is not in files yet stays. An unreadable directory is the alarm of those who write to it.
        const unwritten =
          warehouse === null ? null : await unwrittenFrom(trimmed, warehouse, lanes).catch(unlessStore);
        const beforeMs = Math.min(
          startOfDay(closed) - settings.reportingKeepMs,
          unwritten ?? Number.POSITIVE_INFINITY,
        );
        return beforeMs < 0 ? 0 : await removeRowsBefore(trimmed, dayAt(beforeMs));
      } finally {
        await trimmed.close();
      }
    },
    isConnected: () => bus.connected(),
    alarm: (code, message, error) => logger.error({ code, err: error }, message),
    notice: (message) => logger.info(message),
    report,
  });
  const answers = new Answers(answerProgram, () => ({ place: place(), systemId: system }), report);
  // Processes of the role share the questions.
  answers.start();
  const play = playOnThread(simulationProgram, report);
  const simulations = new Simulations({ clock: systemClock, random: systemRandom, play, report });
  const simulate = (message: BusMessage): void => simulations.answer(message);
  const questions = [
    bus.subscribe(booksSubject, (message) => answers.answer(message), { queue: 'reporting' }),
    bus.subscribe(simulationsSubject(), simulate, { queue: 'reporting' }),
    bus.subscribe(simulationsSubject(simulations.process), simulate),
  ];
  return {
    port: null,
    probes: { readyz: reporting.unready, metrics: reporting.metrics },
    async stop() {
      for (const each of questions) each.stop();
      await reporting.stop();
      await Promise.all([answers.stop(), simulations.stop()]);
      await store.close();
      await forgotten.stop();
      await Promise.all([log.close(), bus.close(), sides.close()]);
    },
  };
}

/** What cannot be found out may be anything. */
function unlessStore(error: unknown): number {
  if (error instanceof StoreError) throw error;
  return Number.NEGATIVE_INFINITY;
}

/** Roles that take contributions have the core first, where a process may say so. */
function giveWay(): void {
  const { PRIORITY_LOW: lowest } = constants.priority;
  try {
    setPriority(lowest);
    // Linux weighs sessions first, and each role of `up` is one: there the priority alone says nothing.
    writeFileSync('/proc/self/autogroup', String(lowest));
  } catch {}
}

function enginesWith(settings: Settings) {
  return (hashing: Parameters<typeof enginesOf>[0]) => enginesOf(hashing, engineSettings(settings));
}
