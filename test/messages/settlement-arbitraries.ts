import fc from 'fast-check';
import type {
  CreditBatch,
  CreditRecord,
  DebitRecord,
  FlushRecord,
  LaneWork,
} from '../../src/messages/settlements.ts';

const text = fc.string({ maxLength: 12 });
const number = fc.nat();
const atoms = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const creditKind = fc.constantFrom(
  'main' as const,
  'community' as const,
  'raffle' as const,
  'close' as const,
);
const creditState = fc.constantFrom(
  'pending' as const,
  'withheld' as const,
  'unknown' as const,
  'dead' as const,
  'settled' as const,
);

const origin = fc.record({ gameCode: text, gameCategory: text, sourceType: text });

const debit: fc.Arbitrary<DebitRecord> = fc.record({
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
  debited: fc.boolean(),
  sequence: number,
  index: number,
});

export const debitRecord: fc.Arbitrary<DebitRecord> = fc
  .tuple(debit, fc.option(origin), fc.option(fc.record({ id: text, records: number })))
  .map(([record, named, batch]) => ({
    ...record,
    ...(named === null ? {} : { origin: named }),
    ...(batch === null ? {} : { batch }),
  }));

export const creditRecord: fc.Arbitrary<CreditRecord> = fc.record({
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
  wallet: fc.boolean(),
  openedMs: number,
  changedMs: number,
  reason: text,
});

const batch: fc.Arbitrary<CreditBatch> = fc.record({
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

export const flushRecord: fc.Arbitrary<FlushRecord> = fc.record({
  flushId: text,
  instance: text,
  endpoint: text,
  accountId: text,
  amountAtoms: atoms,
  currency: text,
  openedMs: number,
});

export const work: fc.Arbitrary<LaneWork> = fc.oneof(
  fc.record({ kind: fc.constant('DebitDue' as const), debit: debitRecord }),
  fc.record({ kind: fc.constant('CreditDue' as const), credit: creditRecord }),
  fc.record({ kind: fc.constant('CreditsDue' as const), batch }),
  fc.record({ kind: fc.constant('FlushDue' as const), flush: flushRecord }),
);
