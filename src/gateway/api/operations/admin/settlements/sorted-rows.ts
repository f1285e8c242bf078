import { sortedIndices } from '../../../../../lib/merge-sort.ts';
import { finishInTurns } from '../../../../../lib/turns.ts';
import type {
  SettlementFilter,
  SettlementRecord,
  SettlementRowsQuery,
} from '../../../../../messages/settlements.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { LaneClient } from '../../../../lanes/lane-client.ts';

const books = ['debits', 'credits'] as const;
/** Rows are sorted out once there are this many more than the page needs. */
const minSpare = 8192;
/** A page that ends beyond this row is refused. */
export const maxSortedRows = 1_000_000;

interface SettlementOrder {
  readonly field: SettlementRowsQuery['field'];
  readonly direction: 1 | -1;
  readonly filter: SettlementFilter;
  readonly nowMs: number;
  /** Only rows behind it are wanted; null: all are. */
  readonly after: SettlementRow | null;
}

/** Where an open debit or credit is, and what it is sorted by. */
export interface SettlementRow {
  readonly lane: number;
  readonly number: number;
  readonly value: bigint;
}

/**
 * The first rows of a sorted list over several lanes. A lane gives slices of bounded work without rows that
 * come after the last one wanted so far: a page takes little memory.
 */
export class SortedSettlements {
  readonly #lanes: Pick<LaneClient, 'query'>;
  readonly #order: SettlementOrder;
  readonly #count: number;
  #rows: SettlementRow[] = [];
  #bound: bigint | null = null;
  #pruning: Promise<void> | null = null;

  /** `count`: the rows that are wanted. */
  constructor(lanes: Pick<LaneClient, 'query'>, order: SettlementOrder, count: number) {
    this.#lanes = lanes;
    this.#order = order;
    this.#count = count;
  }

  /** The wanted rows of these lanes, in order. */
  async load(lanes: readonly number[]): Promise<readonly SettlementRow[]> {
    await Promise.all(lanes.flatMap((lane) => books.map((book) => this.#read(lane, book))));
    await this.#prune();
    return this.#rows;
  }

  async #read(lane: number, book: SettlementRowsQuery['book']): Promise<void> {
    const { field, direction, filter, nowMs, after: behind } = this.#order;
    // The rows of one book come in the order in which they were opened.
    const isInOrder = field === 'opened' && direction === 1;
    let found = 0;
    for (let after: number | null = 0; after !== null; ) {
      if (isInOrder && found >= this.#count) return;
      const bound = this.#bound;
      const asked = { book, after, nowMs, field, direction, bound, filter };
      const answer = await this.#lanes.query(lane, { kind: 'settlement_rows', ...asked });
      if (answer.kind !== 'settlement_rows') throw new PublicError('overloaded');
      answer.numbers.forEach((number, index) => {
        const row = { lane, number, value: answer.values[index]! };
        if (behind !== null && compare(row, behind, direction) <= 0) return;
        this.#rows.push(row);
        found += 1;
      });
      after = answer.next;
      if (this.#rows.length > 2 * this.#count + minSpare) await this.#prune();
    }
  }

  /** Keeps the first rows. Others may add rows meanwhile. */
  async #prune(): Promise<void> {
    while (this.#pruning !== null) await this.#pruning;
    this.#pruning = this.#sortOut().finally(() => {
      this.#pruning = null;
    });
    await this.#pruning;
  }

  async #sortOut(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    const { direction } = this.#order;
    const order = await finishInTurns(
      sortedIndices(rows.length, (a, b) => compare(rows[a]!, rows[b]!, direction)),
    );
    const kept = Array.from(order.subarray(0, this.#count), (index) => rows[index]!);
    if (kept.length === this.#count) this.#bound = kept.at(-1)?.value ?? null;
    this.#rows = [...kept, ...this.#rows];
  }
}

/** The records of rows, in their order; those that were settled meanwhile are left out. */
export async function recordsOf(
  lanes: Pick<LaneClient, 'query'>,
  rows: readonly SettlementRow[],
): Promise<readonly SettlementRecord[]> {
  const found = new Map<string, SettlementRecord>();
  const ofLanes = new Map<number, number[]>();
  for (const { lane, number } of rows) {
    const known = ofLanes.get(lane);
    if (known === undefined) ofLanes.set(lane, [number]);
    else known.push(number);
  }
  await Promise.all(
    [...ofLanes].map(async ([lane, ofLane]) => {
      let numbers: readonly number[] = ofLane;
      while (numbers.length > 0) {
        const answer = await lanes.query(lane, { kind: 'settlement_records', numbers });
        if (answer.kind !== 'settlements') throw new PublicError('overloaded');
        for (const each of answer.settlements) found.set(`${lane} ${numberOf(each)}`, each);
        const last = answer.settlements.at(-1);
        if (!answer.more || last === undefined) break;
        numbers = numbers.slice(numbers.indexOf(numberOf(last)) + 1);
      }
    }),
  );
  return rows.map(({ lane, number }) => found.get(`${lane} ${number}`)).filter((each) => each !== undefined);
}

function numberOf(record: SettlementRecord): number {
  return record.kind === 'debit' ? record.debit.number : record.credit.number;
}

/** By the value; ties by lane and by the order of opening. */
function compare(a: SettlementRow, b: SettlementRow, direction: 1 | -1): number {
  const byValue = a.value < b.value ? -1 : a.value > b.value ? 1 : a.lane - b.lane || a.number - b.number;
  return direction * byValue;
}
