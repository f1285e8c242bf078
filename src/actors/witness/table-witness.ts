import { crash } from '../../lib/crash.ts';
import { type Clock, type Log, LogError, type TableExtent, type TableName } from '../../ports.ts';
import type { ActorMonitor } from '../ports/actor-ports.ts';
import type { Witness } from '../ports/witness.ts';

/** Tables whose loss nothing else shows: their contents were never in a lane, or only in part. */
export const witnessedTables: readonly TableName[] = ['DIRECTORY', 'ACCOUNTS', 'PLACEMENT'];
const pollIntervalMs = 10_000;

/** Compares the extents of tables with those that were seen before, and shows the new ones to the witness. */
export class TableWitness {
  readonly #ports: {
    readonly log: Pick<Log, 'tableExtent'>;
    readonly clock: Clock;
    readonly monitor: ActorMonitor;
    readonly witness: Witness;
  };
  readonly #alarmed = new Set<TableName>();
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(ports: {
    readonly log: Pick<Log, 'tableExtent'>;
    readonly clock: Clock;
    readonly monitor: ActorMonitor;
    readonly witness: Witness;
  }) {
    this.#ports = ports;
  }

  start(): void {
    this.#poll().catch(crash);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  warnings(): readonly string[] {
    return [...this.#alarmed].map((table) => `${table} was set back behind what this host saw`);
  }

  async #poll(): Promise<void> {
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
    if (!this.#stopped) this.#cancel = clock.after(pollIntervalMs, () => this.start());
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
