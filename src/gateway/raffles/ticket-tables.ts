import type { KnownInstance } from '../../directory/lane-view.ts';
import type { TicketRecord } from '../../messages/records.ts';
import type { Clock } from '../../ports.ts';
import { PublicError } from '../errors.ts';
import type { LaneClient } from '../lane-client.ts';
import { needsNames, type TicketField, TicketTable } from './ticket-table.ts';

/** A table that took so long to read is kept for so many times as long; a smaller one is read each time. */
const slowMs = 50;
const keptTimes = 20;
/** Players in all tables that are kept, and tables that are read at a time. */
const maxKeptRows = 3_000_000;
const maxReads = 64;

export interface TicketPage {
  /** Brands and operators whose players are listed. */
  readonly owners: readonly string[];
  /** null: in the order in which the players came. */
  readonly field: TicketField | null;
  readonly direction: 1 | -1;
  readonly offset: number;
  readonly limit: number;
}

interface Kept {
  readonly table: TicketTable;
  readonly untilMs: number;
}

/**
 * Sorted pages of a raffle's tickets. The lane is asked for columns in short slices and the gateway sorts them in slices, so a
 * page of a million players delays nobody (docs/decisions/0242). The records of a page are as they are now, even where its order
 * is some seconds old.
 */
export class TicketTables {
  readonly #lanes: Pick<LaneClient, 'query'>;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  /** The last read of each table: the next one waits for it, and needs none where the table was kept. */
  readonly #reads = new Map<string, Promise<TicketTable>>();
  #reading = 0;

  constructor(lanes: LaneClient, clock: Clock) {
    this.#lanes = { query: (lane, query) => lanes.query(lane, query) };
    this.#clock = clock;
  }

  async page(known: KnownInstance, asked: TicketPage): Promise<readonly TicketRecord[]> {
    const { field, direction, offset, limit } = asked;
    const table = await this.#table(known, asked);
    const rows = await table.page(field, direction, offset, limit);
    if (rows.length === 0) return [];
    const { instance } = known.description;
    const answer = await this.#lanes.query(known.lane, { kind: 'ticket_records', instance, rows });
    if (answer.kind !== 'tickets') throw new PublicError('overloaded');
    return answer.tickets;
  }

  async #table(
    known: KnownInstance,
    { owners, field, direction, offset, limit }: TicketPage,
  ): Promise<TicketTable> {
    const named = needsNames(field);
    if (field === null && direction === 1) {
      const table = new TicketTable();
      await table.load(this.#lanes, known, owners, named, offset + limit);
      return table;
    }
    const key = [known.description.instance, String(named), ...[...owners].sort()].join(' ');
    const before = this.#reads.get(key);
    // Without a wait where there is none: what follows sees every read that has begun.
    if (before !== undefined) await before;
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#clock.nowMs() < kept.untilMs) return kept.table;
    this.#kept.delete(key);
    if (this.#reading >= maxReads) throw new PublicError('overloaded');
    this.#reading += 1;
    const reading = this.#read(key, known, owners, named).finally(() => {
      this.#reading -= 1;
      if (this.#reads.get(key) === reading) this.#reads.delete(key);
    });
    this.#reads.set(key, reading);
    return reading;
  }

  async #read(
    key: string,
    known: KnownInstance,
    owners: readonly string[],
    named: boolean,
  ): Promise<TicketTable> {
    const table = new TicketTable();
    const beginMs = this.#clock.nowMs();
    await table.load(this.#lanes, known, owners, named, Number.POSITIVE_INFINITY);
    const tookMs = this.#clock.nowMs() - beginMs;
    if (tookMs >= slowMs) this.#keep(key, { table, untilMs: this.#clock.nowMs() + keptTimes * tookMs });
    return table;
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    let rows = [...this.#kept.values()].reduce((sum, { table }) => sum + table.size, 0);
    for (const [oldest, { table }] of this.#kept) {
      if (rows <= maxKeptRows) return;
      this.#kept.delete(oldest);
      rows -= table.size;
    }
  }
}
