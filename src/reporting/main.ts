import { writeFileSync } from 'node:fs';
import { constants, hostname, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { engineSettings, enginesOf } from '../actors/replica/engines.ts';
import type { Settings } from '../config/settings.ts';
import { readSecretFile } from '../files/secret-file.ts';
import { LoopTurn } from '../lib/turns.ts';
import { booksSubject } from '../log/base/names.ts';
import { connectBus, connectReader } from '../log/jetstream/connect.ts';
import { systemId } from '../log/system/system-id.ts';
import { requireLanes } from '../log/system/system-lanes.ts';
import { dataPaths } from '../runtime/data-directory.ts';
import { type RoleParts, type RunRole, startRole } from '../runtime/role.ts';
import { logSettings, systemClock, withArchive } from '../wiring.ts';
import { StoreError } from './base/errors.ts';
import { openBooks } from './books/open-books.ts';
import { SpareTime } from './lane/spare-time.ts';
import { Answers } from './role/answers.ts';
import { ReopeningStore } from './role/reopening-store.ts';
import { startReporting } from './role/reporting.ts';
import { openStore } from './store/open.ts';

const answerProgram = fileURLToPath(new URL('./answer-thread.js', import.meta.url));

/** The role `reporting`: recomputes the lanes, without draw keys, and writes what happened to a database. */
export const run: RunRole = (settings) => startRole('reporting', settings, assemble);

async function assemble(settings: Settings, logger: Logger): Promise<RoleParts> {
  giveWay();
  const reach = logSettings(settings, 'reporting');
  const [streams, bus] = await Promise.all([connectReader(reach), connectBus(reach)]);
  const log = withArchive(streams, settings);
  const placement = await log.table('PLACEMENT');
  await requireLanes(placement, settings.lanes);
  const system = await systemId(placement);
  const report = (error: unknown): void =>
    logger.error({ err: error, code: 'reporting' }, 'The reporting role met a bug.');
  const store = new ReopeningStore(() => openStore(placeOf(settings), system), report);
  const turn = new LoopTurn();
  const books = { log, engines: enginesWith(settings), turn };
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
    isConnected: () => bus.connected(),
    alarm: (code, message, error) => logger.error({ code, err: error }, message),
    notice: (message) => logger.info(message),
    report,
  });
  const answers = new Answers(answerProgram, () => ({ place: placeOf(settings), systemId: system }), report);
  // Processes of the role share the questions.
  answers.start();
  const questions = bus.subscribe(booksSubject, (message) => answers.answer(message), { queue: 'reporting' });
  return {
    port: null,
    probes: { readyz: reporting.unready, metrics: reporting.metrics },
    async stop() {
      questions.stop();
      await reporting.stop();
      await answers.stop();
      await store.close();
      await Promise.all([log.close(), bus.close()]);
    },
  };
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

/** PostgreSQL, or files of this data directory. */
function placeOf({ dataDirectory, reportingUrl, reportingPasswordFile }: Settings) {
  if (reportingUrl === null) return { directory: dataPaths(dataDirectory).reporting };
  const url = new URL(reportingUrl);
  if (reportingPasswordFile !== null) url.password = passwordIn(reportingPasswordFile);
  return { url: url.href };
}

function passwordIn(file: string): string {
  const text = readSecretFile(file, (message) => new StoreError('reporting_unavailable', message));
  if (text === null) throw new StoreError('reporting_unavailable', `${file} is missing.`);
  return text.trim();
}

function enginesWith(settings: Settings) {
  return (hashing: Parameters<typeof enginesOf>[0]) => enginesOf(hashing, engineSettings(settings));
}
