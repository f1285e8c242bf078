import { afterEach, expect, it, vi } from 'vitest';
import type { CreditRecord, DebitRecord } from '../../../src/messages/settlements.ts';
import { Credits } from '../../../src/wallet/execution/credits.ts';
import { Debits } from '../../../src/wallet/execution/debits.ts';
import { LaneQuestions } from '../../../src/wallet/execution/lane-questions.ts';
import { executionLimits } from '../../../src/wallet/execution/limits.ts';
import { SettlementWriter } from '../../../src/wallet/execution/settlement-writer.ts';
import { Sweeps } from '../../../src/wallet/execution/sweeps.ts';
import { liveMoney } from './money-history.ts';
import type { MoneySystem } from './money-system.ts';

/** As many as `npm test` lives: a bug must be found within them. */
const seeds = 200;
const { reportWithinMs } = executionLimits;

afterEach(() => setReportWithinMs(reportWithinMs));

/** Bugs, and how the campaign says that it has found them. */
const found: Readonly<Record<string, readonly [RegExp, (system: MoneySystem) => void]>> = {
  'W3 is sent behind the deadline': [
    /sent after its W[25]|nothing is left to be executed/,
    () => setReportWithinMs(-10_000),
  ],
  'W2 is sent before the lane is fenced': [
    /^debit \S+ is applied in the lane|sent after its W[25]/,
    cancelWithoutFence,
  ],
  'a report of a debit never expires': [/^debit \S+ is applied in the lane/, reportWithoutExpiry],
  'a credit is retried under another id': [/credit \S+ is (paid|one of the lane's)/, newIdForRetries],
  'a record is retried alone beside its batch': [/was paid before|came with other content/, payBatchesAlone],
  'a debit of a batch is tried alone by a process that starts': [/was sent in two ways/, debitBatchesAlone],
  'what is open is never asked for': [/nothing is left to be executed/, neverSweep],
  'a wallet forgets what it cancelled': [/is not_applied in the lane/, forgetTombstones],
};

it.each(Object.entries(found))('finds that %s', async (_, [message, plant]) => {
  // Without the bug every history passes. What it breaks first depends on the history; one names what it is.
  const failed: string[] = [];
  const isNamed = () => failed.some((each) => message.test(each));
  for (let seed = 1; seed <= seeds && !isNamed(); seed += 1) {
    try {
      await liveMoney(seed, { plant });
    } catch (error) {
      failed.push((error as Error).message);
    }
    vi.restoreAllMocks();
  }
  expect(isNamed(), failed.join('\n')).toBe(true);
});

function setReportWithinMs(value: number): void {
  (executionLimits as { reportWithinMs: number }).reportWithinMs = value;
}

function cancelWithoutFence(): void {
  vi.spyOn(LaneQuestions.prototype, 'fence').mockImplementation(async function (this: LaneQuestions) {
    return { sequence: await this.lastCommand(), timeMs: Number.POSITIVE_INFINITY };
  });
}

function reportWithoutExpiry(): void {
  const { write } = SettlementWriter.prototype;
  vi.spyOn(SettlementWriter.prototype, 'write').mockImplementation(function (
    this: SettlementWriter,
    commands,
  ) {
    const forever = commands.map((each) => {
      if (each.kind !== 'DebitSettled') return each;
      const { expiresMs: _, ...rest } = each;
      return rest;
    });
    return write.call(this, forever);
  });
}

function newIdForRetries({ network }: MoneySystem): void {
  const tries = new Map<string, number>();
  network.alter = (call) => {
    const text = Buffer.from(call.body).toString('utf8');
    if (call.name !== 'W3' || !text.includes('"transaction_type":"Credit"')) return call;
    const count = (tries.get(text) ?? 0) + 1;
    tries.set(text, count);
    const body = text.replace(/"transaction_id":"([^"]+)"/, `"transaction_id":"$1-${count}"`);
    return count === 1 ? call : { ...call, body: Buffer.from(body) };
  };
}

function payBatchesAlone(): void {
  const { open } = Credits.prototype;
  vi.spyOn(Credits.prototype, 'open').mockImplementation(function (this: Credits, credit: CreditRecord) {
    open.call(this, credit);
    open.call(this, { ...credit, batchId: '' });
  });
}

function debitBatchesAlone(): void {
  const { open } = Debits.prototype;
  vi.spyOn(Debits.prototype, 'open').mockImplementation(function (this: Debits, debit: DebitRecord) {
    const { batch: _, ...alone } = debit;
    open.call(this, alone);
  });
}

function neverSweep(): void {
  vi.spyOn(Sweeps.prototype, 'isDue', 'get').mockReturnValue(false);
}

function forgetTombstones({ network }: MoneySystem): void {
  network.hasTombstones = false;
}
