import { assert } from '../../../lib/assert.ts';
import { fromHex, toHex } from '../../../lib/bytes.ts';
import { asStored, restored, type Stored } from '../../../lib/json-chunks.ts';
import type { SetRates } from '../../../messages/lane-commands.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import type { CreditRecord } from '../../../messages/settlements.ts';
import { RateTable } from '../../state/directory/rates.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { OpenContribution, OpenDebit, Part } from '../../state/settlements/open-debits.ts';

/** Records of a chunk: one is written within a few milliseconds. */
const recordsPerChunk = 500;

const partAmounts = ['contributionAtoms', 'requestAtoms', 'bonusAtoms'] as const;
const debitAmounts = ['amountAtoms', 'playerAtoms', 'wagerAtoms', ...partAmounts] as const;
const creditAmounts = ['amountAtoms', 'paidAtoms', 'backAtoms'] as const;

/** Lists of what is open. Records are replaced, never changed: the lists are a consistent copy. */
export interface OpenCopy {
  readonly contributions: readonly OpenContribution[];
  readonly debits: readonly OpenDebit[];
  readonly credits: readonly CreditRecord[];
}

type StoredContribution = ReturnType<typeof storedContribution>;
type StoredDebit = Stored<Omit<OpenDebit, 'table'>> & {
  readonly table: { readonly brand: string; readonly version: number } | null;
};

export type StoredOpen =
  | { readonly type: 'contributions'; readonly records: readonly StoredContribution[] }
  | { readonly type: 'debits'; readonly records: readonly StoredDebit[] }
  | { readonly type: 'credits'; readonly records: readonly Stored<CreditRecord>[] };

export function copyOpen({ debits, credits }: LaneState): OpenCopy {
  return {
    contributions: [...debits.contributions()],
    debits: [...debits.all()],
    credits: [...credits.all()],
  };
}

export function* openChunks(copy: OpenCopy): Iterable<StoredOpen> {
  for (const part of parts(copy.contributions)) {
    yield { type: 'contributions', records: part.map(storedContribution) };
  }
  for (const part of parts(copy.debits)) yield { type: 'debits', records: part.map(storedDebit) };
  for (const part of parts(copy.credits))
    yield { type: 'credits', records: part.map((each) => asStored(each)) };
}

/** Rate tables that open debits are priced with and that are not in force any more. */
export function openTables({ debits, rates }: LaneState): readonly SetRates[] {
  const older = new Set<RateTable>();
  for (const { table } of debits.all()) if (table !== null) older.add(table);
  for (const table of rates.tables()) older.delete(table);
  return [...older].map((table) => table.command);
}

export function tablesOf({ rates }: LaneState, older: readonly SetRates[]): readonly RateTable[] {
  const restored = older.map((command) => RateTable.from(command)).filter((table) => table !== null);
  return [...rates.tables(), ...restored];
}

export function restoreOpen(state: LaneState, stored: StoredOpen, tables: readonly RateTable[]): void {
  switch (stored.type) {
    case 'contributions':
      for (const each of stored.records) state.debits.setContribution(contributionFrom(each));
      return;
    case 'debits':
      for (const each of stored.records) state.debits.set(debitFrom(each, tables));
      return;
    case 'credits':
      for (const each of stored.records) state.credits.set(restored(each, creditAmounts));
  }
}

function storedContribution(open: OpenContribution) {
  const { command } = open;
  return {
    ...open,
    batchId: toHex(open.batchId),
    parts: open.parts.map(storedPart),
    command: {
      ...asStored(command),
      contributionId: toHex(command.contributionId),
      idempotencyKey: command.idempotencyKey === null ? null : toHex(command.idempotencyKey),
      bonus: command.bonus === null ? null : asStored(command.bonus),
    },
  };
}

/** Members keep their order: a restored lane writes the same bytes. */
function contributionFrom(open: StoredContribution): OpenContribution {
  const { contributionId, idempotencyKey, bonus, origin } = open.command;
  const command: Contribute = {
    ...restored(open.command, ['baseWagerAtoms', 'maxBetAtoms']),
    contributionId: fromHex(contributionId),
    idempotencyKey: idempotencyKey === null ? null : fromHex(idempotencyKey),
    bonus: bonus === null ? null : restored(bonus, ['amountAtoms']),
    // Older snapshots lack it.
    origin: origin ?? null,
  };
  return { ...open, batchId: fromHex(open.batchId), command, parts: open.parts.map(partFrom) };
}

function storedPart(part: Part) {
  if (typeof part === 'string') return part;
  return { ...asStored(part), win: part.win === null ? null : asStored(part.win) };
}

function partFrom(part: ReturnType<typeof storedPart>): Part {
  if (typeof part === 'string') return part;
  const win = part.win === null ? null : restored(part.win, ['amountAtoms']);
  return { ...restored(part, partAmounts), win };
}

function storedDebit({ table, ...debit }: OpenDebit): StoredDebit {
  const named = table === null ? null : { brand: table.brand, version: table.version };
  return { ...asStored(debit), table: named };
}

function debitFrom({ table: named, ...debit }: StoredDebit, tables: readonly RateTable[]): OpenDebit {
  const table = tables.find(({ brand, version }) => brand === named?.brand && version === named.version);
  assert(named === null || table !== undefined, 'a debit is stored with its rate table');
  return { ...restored(debit, debitAmounts), table: table ?? null };
}

function* parts<T>(list: readonly T[]): Iterable<readonly T[]> {
  for (let at = 0; at < list.length; at += recordsPerChunk) yield list.slice(at, at + recordsPerChunk);
}
