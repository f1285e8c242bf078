import type { ContributionOrigin } from '../player-commands.ts';
import type {
  CreditBatch,
  CreditKind,
  CreditRecord,
  CreditState,
  DebitBatch,
  DebitRecord,
  FlushRecord,
  LaneWork,
  SettlementField,
  SettlementFilter,
  SettlementKind,
  SettlementRecord,
} from '../settlements.ts';
import { at, atoms, flag, type Layout, list, number, record, text, trailing, union, word } from './layout.ts';

const creditKind = word<CreditKind>('main', 'community', 'raffle', 'close');

export const creditState = word<CreditState>('pending', 'withheld', 'unknown', 'dead', 'settled');

const contributionOrigin = record<ContributionOrigin>({
  gameCode: text,
  gameCategory: text,
  sourceType: text,
});

export const debitRecord = record<DebitRecord>({
  number,
  transactionId: text,
  contributionId: text,
  instance: text,
  brand: text,
  player: text,
  amountAtoms: atoms,
  bonusAtoms: atoms,
  currency: text,
  rateVersion: number,
  source: text,
  provider: text,
  vertical: text,
  bonusId: text,
  gameround: text,
  openedMs: number,
  deadlineMs: number,
  debited: flag,
  sequence: number,
  index: number,
  origin: trailing(contributionOrigin),
  batch: trailing(record<DebitBatch>({ id: text, records: number })),
});

export const creditRecord = record<CreditRecord>({
  number,
  transactionId: text,
  batchId: text,
  kind: creditKind,
  state: creditState,
  instance: text,
  pot: text,
  instanceCount: number,
  sequence: number,
  brand: text,
  player: text,
  amountAtoms: atoms,
  currency: text,
  paidAtoms: atoms,
  paidCurrency: text,
  backAtoms: atoms,
  rateVersion: number,
  contributionId: text,
  source: text,
  provider: text,
  wallet: flag,
  openedMs: number,
  changedMs: number,
  reason: text,
  ownRound: trailing(flag),
});

const creditBatch = record<CreditBatch>({
  batchId: text,
  kind: creditKind,
  instance: text,
  pot: text,
  instanceCount: number,
  brand: text,
  currency: text,
  records: number,
  amountAtoms: atoms,
  firstNumber: number,
});

export const flushRecord = record<FlushRecord>({
  flushId: text,
  instance: text,
  endpoint: text,
  accountId: text,
  amountAtoms: atoms,
  currency: text,
  openedMs: number,
});

export const laneWork: Layout<LaneWork> = union<LaneWork>({
  DebitDue: at(1, { debit: debitRecord }),
  CreditDue: at(2, { credit: creditRecord }),
  CreditsDue: at(3, { batch: creditBatch }),
  FlushDue: at(4, { flush: flushRecord }),
});

export const settlementField = word<SettlementField>('opened', 'changed', 'amount');

export const settlementFilter = record<SettlementFilter>({
  states: list(creditState),
  kinds: list(word<SettlementKind>('main', 'community', 'raffle', 'close', 'debit')),
  owners: list(text),
  owner: text,
  brand: text,
  instance: text,
});

export const settlementRecord: Layout<SettlementRecord> = union<SettlementRecord>({
  debit: at(1, { debit: debitRecord }),
  credit: at(2, { credit: creditRecord }),
});
