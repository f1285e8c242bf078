import { StoreError } from '../../../src/reporting/base/errors.ts';
import type { LaneBatch, LanePosition, WrittenTable } from '../../../src/reporting/base/lane-batch.ts';
import type { RowOf } from '../../../src/reporting/base/tables.ts';
import type { LaneStore } from '../../../src/reporting/lane/lane-writer.ts';

/** A database of the books that keeps what was written, fenced as the real ones are. */
export class MemoryBooks implements LaneStore {
  readonly batches: LaneBatch[] = [];
  readonly #positions = new Map<number, LanePosition>();

  async position(lane: number): Promise<LanePosition | null> {
    return this.#positions.get(lane) ?? null;
  }

  async write(batch: LaneBatch): Promise<void> {
    const present = this.#positions.get(batch.lane)?.sequence ?? -1;
    if (present !== batch.after)
      throw new StoreError('reporting_fenced', `at ${present}, and not at ${batch.after}`);
    this.#positions.set(batch.lane, batch.position);
    this.batches.push(batch);
  }

  /** Rows of messages up to a sequence. */
  rows<T extends WrittenTable>(table: T, to = Number.POSITIVE_INFINITY): readonly RowOf<T>[] {
    return this.batches
      .flatMap(({ rows }) => (rows[table] ?? []) as readonly RowOf<T>[])
      .filter(({ sequence }) => sequence <= to);
  }

  /** Sums of all movements, by instance and account. */
  balances(): Readonly<Record<string, bigint>> {
    const sums = new Map<string, bigint>();
    for (const { instance, account, atoms } of this.batches.flatMap(({ movements }) => movements))
      sums.set(`${instance} ${account}`, (sums.get(`${instance} ${account}`) ?? 0n) + atoms);
    return Object.fromEntries([...sums].filter(([, atoms]) => atoms !== 0n).toSorted());
  }
}
