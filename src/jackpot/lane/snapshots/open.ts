import { assert } from '../../../lib/assert.ts';
import { fromHex, toHex } from '../../../lib/bytes.ts';
import type { SetRates } from '../../../messages/lane-commands.ts';
import type { ContributionOutcome } from '../../../messages/outcomes.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import type { CreditRecord } from '../../../messages/settlements.ts';
import { RateTable } from '../../state/directory/rates.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { OpenContribution, OpenDebit, Part } from '../../state/settlements/open-debits.ts';

/** Records of a chunk: one is written within a few milliseconds. */
const recordsPerChunk = 500;

/** Lists of what is open. Records are replaced, never changed: the lists are a consistent copy. */
export interface OpenCopy {
  readonly contributions: readonly OpenContribution[];
  readonly debits: readonly OpenDebit[];
  readonly credits: readonly CreditRecord[];
}

type StoredContribution = ReturnType<typeof storedContribution>;
type StoredDebit = ReturnType<typeof storedDebit>;
type StoredCredit = ReturnType<typeof storedCredit>;

export type StoredOpen =
  | { readonly type: 'contributions'; readonly records: readonly StoredContribution[] }
  | { readonly type: 'debits'; readonly records: readonly StoredDebit[] }
  | { readonly type: 'credits'; readonly records: readonly StoredCredit[] };

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
  for (const part of parts(copy.credits)) yield { type: 'credits', records: part.map(storedCredit) };
}

/** Rate tables that open debits are priced with and that are not in force any more. */
export function openTables({ debits, rates }: LaneState): readonly SetRates[] {
  const older = new Set<RateTable>();
  for (const { table } of debits.all()) if (table !== null) older.add(table);
  for (const table of rates.tables()) older.delete(table);
  return [...older].map((table) => table.command);
}

/** The tables in force and the older ones. */
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
      for (const each of stored.records) state.credits.set(creditFrom(each));
  }
}

function storedContribution(open: OpenContribution) {
  const { command } = open;
  return {
    ...open,
    batchId: toHex(open.batchId),
    parts: open.parts.map(storedPart),
    command: {
      ...command,
      contributionId: toHex(command.contributionId),
      idempotencyKey: command.idempotencyKey === null ? null : toHex(command.idempotencyKey),
      baseWagerAtoms: command.baseWagerAtoms.toString(),
      maxBetAtoms: command.maxBetAtoms?.toString() ?? null,
      bonus:
        command.bonus === null
          ? null
          : { ...command.bonus, amountAtoms: command.bonus.amountAtoms.toString() },
    },
  };
}

function contributionFrom(stored: StoredContribution): OpenContribution {
  const { contributionId, idempotencyKey, baseWagerAtoms, maxBetAtoms, bonus } = stored.command;
  const command: Contribute = {
    ...stored.command,
    contributionId: fromHex(contributionId),
    idempotencyKey: idempotencyKey === null ? null : fromHex(idempotencyKey),
    baseWagerAtoms: BigInt(baseWagerAtoms),
    maxBetAtoms: maxBetAtoms === null ? null : BigInt(maxBetAtoms),
    bonus: bonus === null ? null : { ...bonus, amountAtoms: BigInt(bonus.amountAtoms) },
    // Older snapshots lack it.
    origin: stored.command.origin ?? null,
  };
  return { ...stored, batchId: fromHex(stored.batchId), command, parts: stored.parts.map(partFrom) };
}

function storedPart(part: Part) {
  if (typeof part === 'string') return part;
  return {
    ...part,
    contributionAtoms: part.contributionAtoms.toString(),
    requestAtoms: part.requestAtoms.toString(),
    bonusAtoms: part.bonusAtoms.toString(),
    win: part.win === null ? null : { ...part.win, amountAtoms: part.win.amountAtoms.toString() },
  };
}

function partFrom(stored: ReturnType<typeof storedPart>): Part {
  if (typeof stored === 'string') return stored;
  const applied: ContributionOutcome = {
    ...stored,
    contributionAtoms: BigInt(stored.contributionAtoms),
    requestAtoms: BigInt(stored.requestAtoms),
    bonusAtoms: BigInt(stored.bonusAtoms),
    win: stored.win === null ? null : { ...stored.win, amountAtoms: BigInt(stored.win.amountAtoms) },
  };
  return applied;
}

function storedDebit({ table, ...debit }: OpenDebit) {
  return {
    ...debit,
    amountAtoms: debit.amountAtoms.toString(),
    bonusAtoms: debit.bonusAtoms.toString(),
    requestAtoms: debit.requestAtoms.toString(),
    contributionAtoms: debit.contributionAtoms.toString(),
    playerAtoms: debit.playerAtoms.toString(),
    wagerAtoms: debit.wagerAtoms.toString(),
    table: table === null ? null : { brand: table.brand, version: table.version },
  };
}

function debitFrom(stored: StoredDebit, tables: readonly RateTable[]): OpenDebit {
  const named = stored.table;
  const table = tables.find(
    ({ command }) => command.brand === named?.brand && command.version === named.version,
  );
  assert(named === null || table !== undefined, 'a debit is stored with its rate table');
  return {
    ...stored,
    amountAtoms: BigInt(stored.amountAtoms),
    bonusAtoms: BigInt(stored.bonusAtoms),
    requestAtoms: BigInt(stored.requestAtoms),
    contributionAtoms: BigInt(stored.contributionAtoms),
    playerAtoms: BigInt(stored.playerAtoms),
    wagerAtoms: BigInt(stored.wagerAtoms),
    table: table ?? null,
  };
}

function storedCredit(credit: CreditRecord) {
  return {
    ...credit,
    amountAtoms: credit.amountAtoms.toString(),
    paidAtoms: credit.paidAtoms.toString(),
    backAtoms: credit.backAtoms.toString(),
  };
}

function creditFrom(stored: StoredCredit): CreditRecord {
  return {
    ...stored,
    amountAtoms: BigInt(stored.amountAtoms),
    paidAtoms: BigInt(stored.paidAtoms),
    backAtoms: BigInt(stored.backAtoms),
  };
}

function* parts<T>(list: readonly T[]): Iterable<readonly T[]> {
  for (let at = 0; at < list.length; at += recordsPerChunk) yield list.slice(at, at + recordsPerChunk);
}
