import { join } from 'node:path';
import { startOfDay } from '../base/days.ts';
import { schemaVersion } from '../base/tables.ts';
import { scan } from '../store/questions/scan.ts';
import { selectRows } from '../store/questions/select.ts';
import { firstWholeDay } from '../store/retention.ts';
import type { BooksStore } from '../store/store.ts';
import { ParquetFile } from './parquet-file.ts';
import { type HourManifest, hourMs, type LaneHour, parquetTables, type Warehouse } from './warehouse.ts';

interface ClosedHoursPorts {
  readonly store: BooksStore;
  readonly warehouse: Warehouse;
  /** Players that the rows must not have; the database may not have forgotten all of them yet. */
  readonly forgotten: number;
  /** Before each row group: waits until there is time. false: it is to end. */
  readonly goesOn: () => Promise<boolean>;
}

type Position = Pick<LaneHour, 'first' | 'startMs'>;

/**
 * Writes the closed hours of a lane that the warehouse does not have: those that end at or before the time of
 * the lane's position. The lane's time never falls, so no later message has a row of theirs. Gives whether
 * all are written.
 */
export async function writeClosedHours(lane: number, ports: ClosedHoursPorts): Promise<boolean> {
  const { store, warehouse } = ports;
  const position = await store.position(lane);
  const hours = position === null ? null : await unwrittenHours(store, warehouse, lane);
  for (;;) {
    const next = await hours?.next();
    if (position === null || next === undefined || next === null) return true;
    if (next.startMs + hourMs > position.timestampMs) return true;
    const last = (await ports.goesOn()) ? await writeHour(lane, next, ports) : null;
    if (last === null) return false;
    hours?.written({ lane, ...next, last });
  }
}

/**
 * The time from which on rows of these lanes are not in the warehouse, and have to stay; null: there are
 * none.
 */
export async function unwrittenFrom(
  store: BooksStore,
  warehouse: Warehouse,
  lanes: Iterable<number>,
): Promise<number | null> {
  let fromMs: number | null = null;
  for (const lane of lanes) {
    const next = await (await unwrittenHours(store, warehouse, lane)).next();
    if (next !== null && (fromMs === null || next.startMs < fromMs)) fromMs = next.startMs;
  }
  return fromMs;
}

/** Hours with rows that are not written, in order. Removed hours are among them. */
async function unwrittenHours(store: BooksStore, warehouse: Warehouse, lane: number) {
  const hours = new Map((await warehouse.hours(lane)).map((hour) => [hour.startMs, hour]));
  const byFirst = new Map([...hours.values()].map((hour) => [hour.first, hour]));
  // Earlier days may lack rows.
  const day = await firstWholeDay(store);
  let fromMs = day === null ? 0 : startOfDay(day);
  let first = 1;
  const written = (hour: LaneHour): void => {
    first = Math.max(first, hour.last + 1);
    fromMs = Math.max(fromMs, hour.startMs + hourMs);
  };
  return {
    written,
    async next(): Promise<Position | null> {
      for (;;) {
        for (let hour = byFirst.get(first); hour !== undefined; hour = byFirst.get(first)) written(hour);
        const timeMs = await firstTime(store, lane, first, fromMs);
        if (timeMs === null) return null;
        const startMs = Math.floor(timeMs / hourMs) * hourMs;
        const known = hours.get(startMs);
        if (known === undefined) return { first, startMs };
        written(known);
      }
    },
  };
}

async function firstTime(
  store: BooksStore,
  lane: number,
  first: number,
  fromMs: number,
): Promise<number | null> {
  let found: number | null = null;
  for (const table of parquetTables) {
    const [row] = await selectRows(store, table, {
      where: [...ofLane(lane, first), { column: 'time', is: '>=', value: fromMs }],
      limit: 1,
    });
    if (row !== undefined && (found === null || row.time < found)) found = row.time;
  }
  return found;
}

function ofLane(lane: number, first: number) {
  return [
    { column: 'lane', is: '=', value: lane },
    { column: 'sequence', is: '>=', value: first },
  ] as const;
}

/** Gives the last message that has a row in the hour; null: not now. */
async function writeHour(
  lane: number,
  { first, startMs }: Position,
  { store, warehouse, forgotten, goesOn }: ClosedHoursPorts,
): Promise<number | null> {
  const before = await stateOf(store);
  if (before.forgotten < forgotten) return null;
  const staged = await warehouse.stage(lane);
  const files: HourManifest['files'] = [];
  let last = first;
  for (const table of parquetTables) {
    let file: ParquetFile | null = null;
    try {
      for await (const row of scan(store, table, { where: ofLane(lane, first) })) {
        if (row.time >= startMs + hourMs) break;
        if (row.time < startMs) continue;
        file ??= await ParquetFile.create(join(staged, table), table);
        last = Math.max(last, row.sequence);
        const writing = file.add(row);
        if (writing === undefined) continue;
        await writing;
        if (!(await goesOn())) return null;
      }
      if (file !== null) files.push({ name: table, table, ...(await file.finish()) });
    } finally {
      await file?.close();
    }
  }
  // Books that were made anew meanwhile, a player who was forgotten, rows that were removed: another time.
  const after = await stateOf(store);
  if (JSON.stringify(after) !== JSON.stringify(before) || !store.isCurrent()) return null;
  await warehouse.commit(
    staged,
    { lane, startMs, first, last },
    { schema_version: schemaVersion, forgotten: before.forgotten, files },
  );
  return last;
}

/** What the rows of closed hours follow from, beside the log. */
async function stateOf(store: BooksStore) {
  const facts = await store.select(
    `SELECT "name", "value", "since" FROM ${store.prefix}"facts" WHERE "name" IN ('system_id', 'forgotten', 'rows_from') ORDER BY "name"`,
    [],
  );
  const forgotten = facts.find(({ name }) => name === 'forgotten');
  // A number of libsql may be a bigint, which no JSON has.
  const texts = facts.map(({ name, value, since }) => `${name} ${value} ${since}`);
  return { forgotten: Number(forgotten?.value ?? 0), facts: texts };
}
