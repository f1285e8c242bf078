import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { Forgetting, type ForgottenPlayers, tablesOfPersons } from '../base/forgotten.ts';
import type { LaneHour, ParquetTable, Warehouse } from './warehouse.ts';

/** The files of a warehouse that have the id of a player who was forgotten since they were written. */
export async function* forgottenFiles(
  warehouse: Warehouse,
  forgotten: ForgottenPlayers,
): AsyncGenerator<{ readonly hour: LaneHour; readonly path: string }, void, undefined> {
  const forgetting = new Forgetting(forgotten);
  for (const hour of await warehouse.hours()) {
    const manifest = await warehouse.manifest(hour);
    // Players are never remembered again: an equal number means the same ones.
    if ((manifest?.forgotten ?? -1) >= forgetting.count) continue;
    for (const { path, table } of await warehouse.files(hour))
      if (isOfPersons(table) && (await names(warehouse.pathOf(path), forgetting))) yield { hour, path };
  }
}

function isOfPersons(table: ParquetTable): boolean {
  return (tablesOfPersons as readonly string[]).includes(table);
}

/** Row group by row group: a file of any size. */
async function names(path: string, forgetting: Forgetting): Promise<boolean> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    const rows = await parquetReadObjects({
      ...{ file, metadata, rowStart, rowEnd },
      columns: ['brand', 'player'],
    });
    const players = new Map(rows.map(({ brand, player }) => [`${brand}\0${player}`, { brand, player }]));
    for (const { brand = null, player = null } of players.values())
      if (forgetting.pseudonym(brand, player) !== null) return true;
    rowStart = rowEnd;
  }
  return false;
}
