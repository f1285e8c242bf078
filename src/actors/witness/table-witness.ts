import { type Clock, type Log, LogError, type TableExtent, type TableName } from '../../ports.ts';
import type { AlarmMonitor } from '../ports/actor-ports.ts';
import { Watch } from '../ports/watch.ts';
import type { Witness } from '../ports/witness.ts';

/** Tables whose loss nothing else shows: their contents were never in a lane, or only in part. */
export const witnessedTables: readonly TableName[] = ['DIRECTORY', 'ACCOUNTS', 'PLACEMENT'];
const pollIntervalMs = 10_000;

interface TableWitnessPorts {
  readonly log: Pick<Log, 'tableExtent'>;
  readonly clock: Clock;
  readonly monitor: AlarmMonitor;
  readonly witness: Witness;
}

/** Compares the extents of tables with those that were seen before, and shows the new ones to the witness. */
export class TableWitness extends Watch {
  readonly #ports: TableWitnessPorts;
  readonly #alarmed = new Set<TableName>();

  constructor(ports: TableWitnessPorts) {
    super(ports.clock, pollIntervalMs);
    this.#ports = ports;
  }

  override warnings(): readonly string[] {
    return [...this.#alarmed].map((table) => `${table} was set back behind what this host saw`);
  }

  protected async look(): Promise<void> {
    const { log, clock, monitor, witness } = this.#ports;
    for (const table of witnessedTables) {
      try {
        const extent = await log.tableExtent(table);
        const message = behindSeen(table, extent, witness.table(table));
        if (message === null) witness.seenTable(table, extent, clock.nowMs());
        else if (!this.#alarmed.has(table)) monitor.alarm(0, 'table_behind_witness', message);
        if (message === null) this.#alarmed.delete(table);
        else this.#alarmed.add(table);
      } catch (error) {
        // An outage has its own alarms.
        if (!(error instanceof LogError)) throw error;
      }
    }
  }
}

/** What is wrong with a table by this witness; null: nothing. */
export function behindSeen(table: string, extent: TableExtent, seen: TableExtent): string | null {
  const fault = behindFault(extent, seen);
  if (fault === null) return null;
  return (
    `KV ${table} ${fault}. ` +
    `Restore the newest copy (docs/operate.md "Backups"). Only if it is lost for good: potstream witness accept ${table} --reason "…".`
  );
}

/** A table's keys are never fewer: a removed one keeps a message that says so. */
function behindFault(extent: TableExtent, seen: TableExtent): string | null {
  if (extent.revision < seen.revision)
    return `is at revision ${extent.revision}, but this host saw ${seen.revision}: an older copy was restored, or its last changes are gone`;
  if (extent.keys < seen.keys)
    return `has ${extent.keys} keys, but this host saw ${seen.keys}: the others are gone from its files, which are damaged`;
  return null;
}
