import type {
  CreditRecord,
  DebitRecord,
  SettlementFilter,
  SettlementRecord,
  SettlementRowsQuery,
} from '../../../messages/settlements.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

/** Items that one slice looks at, and rows that it has: less than a millisecond of the lane. */
const maxScanned = 8192;
const maxRows = 4096;

export interface SettlementRows {
  readonly numbers: readonly number[];
  readonly values: readonly bigint[];
  readonly next: number | null;
}

type Item = CreditRecord | DebitRecord;

/** A slice of the open debits or credits: those that the filter keeps and the bound does not leave out. */
export function settlementRows(state: LaneState, query: SettlementRowsQuery): SettlementRows {
  const { book, after, direction, bound } = query;
  const isWanted = wanted(state, query);
  const sortValue = values[query.field];
  const numbers: number[] = [];
  const found: bigint[] = [];
  let scanned = 0;
  let last = after;
  for (const item of (book === 'debits' ? state.debits : state.credits).behind(after)) {
    if (scanned >= maxScanned || numbers.length >= maxRows) return { numbers, values: found, next: last };
    scanned += 1;
    last = item.number;
    if (!isWanted(item)) continue;
    const value = sortValue(item);
    if (bound !== null && (direction === 1 ? value > bound : value < bound)) continue;
    numbers.push(item.number);
    found.push(value);
  }
  return { numbers, values: found, next: null };
}

export function openSettlement(state: LaneState, transactionId: string): SettlementRecord | null {
  return recordOf(state.debits.get(transactionId), state.credits.get(transactionId));
}

export function settlementsOf(state: LaneState, numbers: readonly number[]): readonly SettlementRecord[] {
  return numbers
    .map((number) => recordOf(state.debits.numbered(number), state.credits.numbered(number)))
    .filter((found) => found !== null);
}

function recordOf(debit: DebitRecord | null, credit: CreditRecord | null): SettlementRecord | null {
  if (debit !== null) return { kind: 'debit', debit };
  return credit === null ? null : { kind: 'credit', credit };
}

const values: Readonly<Record<SettlementRowsQuery['field'], (item: Item) => bigint>> = {
  opened: ({ openedMs }) => BigInt(openedMs),
  changed: (item) => BigInt('changedMs' in item ? item.changedMs : item.openedMs),
  amount: ({ amountAtoms }) => amountAtoms,
};

function wanted(state: LaneState, { filter, nowMs }: SettlementRowsQuery): (item: Item) => boolean {
  const { states, kinds, owner, brand, instance } = filter;
  const isVisible = remembered((path) => isAny(filter.owners, path));
  const isOfOwner = remembered((path) => isWithin(path, owner));
  const ownsInstance = remembered((id) => isWithin(state.instances.get(id)?.facts.owner ?? '', owner));
  return (item) => {
    const isDebit = 'deadlineMs' in item;
    if (kinds.length > 0 && !kinds.includes(isDebit ? 'debit' : item.kind)) return false;
    if (states.length > 0 && !states.includes(isDebit ? debitState(item, nowMs) : item.state)) return false;
    if (instance !== '' && item.instance !== instance) return false;
    if (brand !== '' && item.brand !== brand) return false;
    if (owner !== '' && !isOfOwner(item.brand) && !ownsInstance(item.instance)) return false;
    return isVisible(item.brand);
  };
}

function debitState({ debited, deadlineMs }: DebitRecord, nowMs: number): 'pending' | 'unknown' {
  return !debited && nowMs > deadlineMs ? 'unknown' : 'pending';
}

function isAny(owners: SettlementFilter['owners'], path: string): boolean {
  return owners.length === 0 || owners.some((owner) => isWithin(path, owner));
}

/** Whether a brand path or an operator is `owner` itself or a brand of it. */
function isWithin(path: string, owner: string): boolean {
  return path === owner || path.startsWith(`${owner}:`);
}

/** Few brands and instances have many items: each is judged once. */
function remembered(judge: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    let judged = known.get(name);
    if (judged === undefined) {
      judged = judge(name);
      known.set(name, judged);
    }
    return judged;
  };
}
