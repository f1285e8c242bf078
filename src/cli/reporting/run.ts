import { constants, setPriority } from 'node:os';
import { engineSettings, enginesOf } from '../../actors/replica/engines.ts';
import type { Settings } from '../../config/settings.ts';
import { LoopTurn } from '../../lib/turns.ts';
import { systemId } from '../../log/system/system-id.ts';
import type { Log } from '../../ports.ts';
import type { ForgottenPlayers } from '../../reporting/base/forgotten.ts';
import { type BooksPorts, openBooks } from '../../reporting/books/open-books.ts';
import { checkBooks } from '../../reporting/check/check.ts';
import { type Finding, findingText } from '../../reporting/check/finding.ts';
import { checkLaneAccounts, lastClosedDay } from '../../reporting/check/lane-accounts.ts';
import { followForgotten } from '../../reporting/role/forgotten-list.ts';
import { type RebuiltLane, rebuildBooks } from '../../reporting/role/rebuild.ts';
import { type BooksPlace, openStore } from '../../reporting/store/open.ts';
import { booksPlace } from '../../reporting/store/place.ts';
import type { BooksStore } from '../../reporting/store/store.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { systemClock } from '../../wiring.ts';
import { withLogReader } from '../system/log-reader.ts';
import { patientLog } from '../system/patient-log.ts';
import type { CommandOutput } from '../terminal/output.ts';

interface CheckChoices {
  readonly from: string | null;
  /** null: the last day that gets no more rows, and the balances of now. */
  readonly to: string | null;
  readonly instances: ReadonlySet<string> | null;
  readonly json: boolean;
}

/** The system whose books a command works on. */
interface BooksSystem {
  readonly log: Log;
  readonly lanes: number;
  readonly system: string;
  readonly place: BooksPlace;
}

/** `potstream reporting check`: 0 if everything agrees, otherwise 1. */
export async function checkCommand(
  settings: Settings,
  choices: CheckChoices,
  output: CommandOutput,
): Promise<number> {
  giveWay();
  const code = await withBooks(settings, output, async (books) => {
    const store = await openStore(books.place, books.system);
    try {
      return await checkAll(store, settings, books, choices, output);
    } finally {
      await store.close();
    }
  });
  return code ?? 1;
}

async function checkAll(
  store: BooksStore,
  settings: Settings,
  { log, lanes }: BooksSystem,
  { from, to, instances, json }: CheckChoices,
  { write, print }: CommandOutput,
): Promise<number> {
  const all = Array.from({ length: lanes }, (_, lane) => lane);
  const closed = await lastClosedDay(store, all);
  if (closed === null) {
    print('There are no books yet: the role reporting has not begun them.');
    return 1;
  }
  const last = to === null || to > closed ? closed : to;
  let count = 0;
  const report = async (findings: AsyncIterable<Finding>): Promise<void> => {
    for await (const finding of findings) {
      count += 1;
      write(`${json ? JSON.stringify(finding) : findingText(finding)}\n`);
    }
  };
  await report(checkBooks(store, { from, to: last, instances: instances ?? undefined }));
  const ports = booksPorts(settings, patientLog(log));
  if (to === null)
    for (const lane of all)
      await report(checkLaneAccounts(store, lane, ports, (id) => instances?.has(id) !== false));
  const days = `Days ${from === null ? 'up to' : `from ${from} to`} ${last}`;
  const what = to === null ? `${days}, and the newest balances` : days;
  print(`${what}: ${count === 0 ? 'everything agrees' : `${count} findings`}.`);
  return count === 0 ? 0 : 1;
}

/** `potstream reporting rebuild`. */
export async function rebuildCommand(settings: Settings, output: CommandOutput): Promise<number> {
  giveWay();
  const { print } = output;
  const code = await withBooks(settings, output, async ({ log, lanes, system, place }) => {
    const ports = booksPorts(settings, log);
    const beganMs = systemClock.elapsedMs();
    const made = await rebuildBooks({
      ...{ log, lanes, place, clock: systemClock, systemId: system, turn: ports.turn },
      forgotten: await forgottenNow(log),
      open: (lane, position) => openBooks(lane, position ?? 'oldest', ports),
      progress: (reports) => {
        for (const report of reports) print(progressOf(report));
      },
      notice: print,
    });
    const rows = made.reduce((sum, each) => sum + each.rows, 0);
    const seconds = Math.round((systemClock.elapsedMs() - beganMs) / 1000);
    for (const report of made) print(progressOf(report));
    print(`The books were made anew: ${rows} rows in ${seconds} s. A running role goes on with them.`);
    return 0;
  });
  return code ?? 1;
}

async function forgottenNow(log: Log): Promise<ForgottenPlayers | null> {
  const list = await followForgotten(await log.table('FORGOTTEN'));
  await list.stop();
  return list.players();
}

function progressOf({ lane, sequence, end, rows }: RebuiltLane): string {
  return `lane ${lane}: message ${sequence} of ${end}, ${rows} rows`;
}

function withBooks<T>(
  settings: Settings,
  { print }: CommandOutput,
  work: (books: BooksSystem) => Promise<T>,
): Promise<T | null> {
  const { reportingUrl, reportingPasswordFile, dataDirectory } = settings;
  const place = booksPlace({ reportingUrl, reportingPasswordFile }, dataPaths(dataDirectory).reporting);
  const reading = { settings, user: 'reporting', noun: 'log', print, archived: true } as const;
  return withLogReader(reading, async (log, lanes) => {
    const system = await systemId(await log.table('PLACEMENT'));
    return work({ log, lanes, system, place });
  });
}

function booksPorts(settings: Settings, log: BooksPorts['log']): BooksPorts {
  return { log, engines: (hashing) => enginesOf(hashing, engineSettings(settings)), turn: new LoopTurn() };
}

/** Everything else on the machine comes first, where a process may say so. */
function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {}
}
