import { expect, it } from 'vitest';
import {
  type OpenPaymentsOfLane,
  PaymentWatch,
  sliceRecords,
} from '../../../../src/actors/watches/payments/payment-watch.ts';
import { maxTalliedCurrencies } from '../../../../src/actors/watches/payments/tally.ts';
import type { CreditRecord, DebitRecord } from '../../../../src/messages/settlements.ts';

const atoms = (units: number) => BigInt(units) * 100_000_000n;
const hourMs = 3_600_000;

type Credit = Pick<CreditRecord, 'number' | 'kind' | 'state' | 'paidCurrency' | 'paidAtoms' | 'openedMs'>;
type Debit = Pick<DebitRecord, 'number' | 'debited' | 'deadlineMs' | 'currency' | 'amountAtoms' | 'openedMs'>;

function credit(number: number, changes: Partial<Credit> = {}): Credit {
  const standard = {
    kind: 'main',
    state: 'pending',
    paidCurrency: 'EUR',
    paidAtoms: atoms(1),
    openedMs: 0,
  } as const;
  return { number, ...standard, ...changes };
}

function debit(number: number, changes: Partial<Debit> = {}): Debit {
  return {
    number,
    debited: false,
    deadlineMs: 4000,
    currency: 'EUR',
    amountAtoms: atoms(1),
    openedMs: 0,
    ...changes,
  };
}

class Books {
  nowMs = 1000;
  credits: Credit[] = [];
  debits: Debit[] = [];
  slices = 0;
  readonly alarms: string[] = [];
  readonly watch: PaymentWatch;

  constructor(limits: Partial<ConstructorParameters<typeof PaymentWatch>[2]> = {}) {
    const page =
      <T extends { readonly number: number }>(all: () => readonly T[]) =>
      (after: number, limit: number) => {
        this.slices += 1;
        expect(limit).toBe(sliceRecords);
        return all()
          .filter(({ number }) => number > after)
          .slice(0, limit);
      };
    const engine = { openCredits: page(() => this.credits), openDebits: page(() => this.debits) };
    const clock = { nowMs: () => this.nowMs, elapsedMs: () => this.nowMs, after: () => () => {} };
    const monitor = {
      alarm: (lane: number, code: string, text: string) => this.alarms.push(`${lane} ${code} ${text}`),
    };
    const standard = { automaticAgeMs: 900_000, manualAgeMs: 24 * hourMs, sumsAtoms: new Map() };
    this.watch = new PaymentWatch(() => [{ lane: 3, engine: engine as never }], { clock, monitor } as never, {
      ...standard,
      ...limits,
    });
  }

  async rows(): Promise<OpenPaymentsOfLane['rows']> {
    await this.watch.look();
    return this.watch.payments()[0]!.rows;
  }
}

it('counts open payments by kind, state and currency, with the oldest', async () => {
  const books = new Books();
  books.credits = [
    credit(1, { openedMs: 500 }),
    credit(2, { paidAtoms: atoms(4) }),
    credit(3, { state: 'dead', paidCurrency: 'USD' }),
    credit(5, { kind: 'community', state: 'withheld' }),
  ];
  books.debits = [debit(4), debit(6, { deadlineMs: 999 }), debit(7, { deadlineMs: 999, debited: true })];
  const row = (kind: string, state: string, currency: string, count: number, sum: number, oldestMs = 0) => ({
    kind,
    state,
    currency,
    count,
    atoms: atoms(sum),
    oldestMs,
  });
  expect(await books.rows()).toEqual([
    row('debit', 'pending', 'EUR', 1, 1),
    row('debit', 'unknown', 'EUR', 1, 1),
    row('debit', 'paid', 'EUR', 1, 1),
    row('main', 'pending', 'EUR', 2, 5),
    row('main', 'dead', 'USD', 1, 1),
    row('community', 'withheld', 'EUR', 1, 1),
  ]);
});

it('looks at each payment once, in slices', async () => {
  const books = new Books();
  books.credits = Array.from({ length: 3 * sliceRecords }, (_, index) => credit(index + 1));
  expect((await books.rows())[0]!.count).toBe(3 * sliceRecords);
  // One for the debits, and a last empty one for the credits.
  expect(books.slices).toBe(1 + 4);
});

it('bounds the currencies that it tells apart', async () => {
  const books = new Books();
  books.credits = Array.from({ length: maxTalliedCurrencies + 5 }, (_, index) =>
    credit(index + 1, { paidCurrency: `C${index}` }),
  );
  const rows = await books.rows();
  expect(rows).toHaveLength(maxTalliedCurrencies + 1);
  expect(rows.at(-1)).toMatchObject({ currency: 'other', count: 5, atoms: 0n });
});

it('raises an alarm about what the service should have ended, once an hour while it lasts', async () => {
  const books = new Books();
  books.credits = [credit(1, { state: 'unknown' })];
  books.nowMs = 900_000;
  await books.rows();
  expect(books.alarms).toEqual([]);
  books.nowMs += 1;
  await books.rows();
  await books.rows();
  expect(books.alarms).toEqual(['3 payments_old Payments are open for up to 900 s: main unknown.']);
  books.nowMs += hourMs;
  await books.rows();
  expect(books.alarms).toHaveLength(2);
  const stuck = books.credits;
  books.credits = [];
  await books.rows();
  books.credits = stuck;
  await books.rows();
  expect(books.alarms).toHaveLength(3);
});

it('waits longer for what a person decides', async () => {
  const books = new Books();
  books.credits = [credit(1, { state: 'dead' }), credit(2, { state: 'withheld', kind: 'raffle' })];
  books.debits = [debit(3, { debited: true })];
  books.nowMs = 24 * hourMs;
  await books.rows();
  expect(books.alarms).toEqual([]);
  books.nowMs += 1;
  await books.rows();
  expect(books.alarms).toEqual([
    '3 payments_wait Payments are open for up to 86400 s: debit paid, main dead, raffle withheld.',
  ]);
});

it('raises an alarm about a sum above the limit of its currency, without debits that end by themselves', async () => {
  const books = new Books({ sumsAtoms: new Map([['EUR', atoms(10)]]) });
  books.credits = [
    credit(1, { paidAtoms: atoms(10) }),
    credit(2, { paidAtoms: atoms(99), paidCurrency: 'USD' }),
  ];
  books.debits = [debit(3)];
  await books.rows();
  expect(books.alarms).toEqual([]);
  books.debits = [debit(3, { deadlineMs: 0 })];
  await books.rows();
  expect(books.alarms).toEqual(['3 payments_sum_high Open payments of this host add up to 11 EUR.']);
});
