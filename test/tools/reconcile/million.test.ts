import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { formatAmount } from '../../../src/lib/money.ts';
import { encodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { CreditRecord, DebitRecord } from '../../../src/messages/settlements.ts';
import type { Log, StoredCommand, StoredOutcome } from '../../../src/ports.ts';
import { reconcile } from '../../../tools/reconcile/reconcile.ts';
import { statementsOfFile } from '../../../tools/reconcile/statements-file.ts';
import { isWhole, patienceMs, saw, scaled } from '../../jackpot/checks/scale.ts';
import { brand, contribution, running, setBrand } from '../../jackpot/support/commands.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { settings } from '../../jackpot/support/lane.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';
import { onePot, sureHit } from '../../jackpot/support/scenario.ts';

/** Debits and as many credits. `npm run checks -- reconcile/million` compares a million of them. */
const transactions = scaled(4_000, 1_000_000);
const perMessage = 100;
const pageMessages = 64;
const startMs = 1_700_000_000_000;

let directory = '';
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Bytes of many messages, in a file. */
class Messages {
  readonly #file: number;
  readonly #ends: number[] = [0];

  constructor(name: string) {
    this.#file = openSync(join(directory, name), 'w+');
  }

  add(bytes: Uint8Array): void {
    writeSync(this.#file, bytes);
    this.#ends.push(this.#ends.at(-1)! + bytes.length);
  }

  get count(): number {
    return this.#ends.length - 1;
  }

  at(sequence: number): Uint8Array {
    const from = this.#ends[sequence - 1]!;
    const bytes = new Uint8Array(this.#ends[sequence]! - from);
    readSync(this.#file, bytes, 0, bytes.length, from);
    return bytes;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** A lane whose players pay every contribution and win each, and the wallet's statement of all of it. */
class WrittenLane {
  readonly commands = new Messages('commands');
  readonly outcomes = new Messages('outcomes');
  readonly #statement = openSync(join(directory, 'statement.ndjson'), 'w');
  #replica: Replica | null = new Replica(0, newLane(settings), testHashing, firstLaneHead);

  write(): void {
    const always = onePot({ pot_types: [sureHit] }, { operator_contribution_percentage: '0' });
    this.#apply('control', ...running(always), setBrand({ wallet: true, provider: 'acme' }));
    for (let from = 0; from < transactions / 2; from += perMessage) {
      const contributions = Array.from({ length: perMessage }, (_, index) =>
        contribution({
          wallet: true,
          contributionId: idOf(from + index),
          player: `p${(from + index) % 5_000}`,
        }),
      );
      this.#apply('batch', ...contributions);
      const debits = this.#engine.openDebits(0, perMessage);
      const paid = debits.map(
        ({ transactionId }) => ({ kind: 'DebitSettled', transactionId, result: 'debited' }) as const,
      );
      this.#apply('settlement', ...paid);
      const credits = this.#engine.openCredits(0, 2 * perMessage, [], '');
      const transactionIds = credits.map(({ transactionId }) => transactionId);
      this.#apply('settlement', { kind: 'CreditSettled', transactionIds, result: 'accepted', reason: '' });
      this.#state([...debits, ...credits]);
    }
    closeSync(this.#statement);
    this.#replica = null;
  }

  get log(): Log {
    const command = (sequence: number): StoredCommand =>
      ({
        sequence,
        timestampMs: startMs + sequence,
        channel: sequence > 1 && sequence % 3 !== 2 ? 'settlement' : 'batch',
        bytes: this.commands.at(sequence),
      }) as unknown as StoredCommand;
    const extent = { firstSequence: 1, lastSequence: this.outcomes.count };
    const page = (from: number) =>
      Array.from(
        { length: Math.min(pageMessages, this.outcomes.count - from + 1) },
        (_, index) => from + index,
      );
    return {
      extents: async () => ({ commands: extent, outcomes: extent }),
      readCommand: async (_: number, sequence: number) => command(sequence),
      readCommands: async (_: number, from: number) => page(from).map(command),
      readOutcomes: async (_: number, from: number) =>
        page(from).map(
          (sequence) => ({ sequence, bytes: this.outcomes.at(sequence) }) as unknown as StoredOutcome,
        ),
    } as unknown as Log;
  }

  close(): void {
    this.commands.close();
    this.outcomes.close();
  }

  get #engine(): Replica['engine'] {
    return this.#replica!.engine;
  }

  #apply(channel: 'control' | 'batch' | 'settlement', ...commands: Command[]): void {
    const bytes = encodeCommandBatch({ batchId: new Uint8Array(16), gateway: '', commands });
    const sequence = this.commands.count + 1;
    const stored = { sequence, timestampMs: startMs + sequence, channel, bytes } as unknown as StoredCommand;
    this.commands.add(bytes);
    this.outcomes.add(this.#replica!.apply(stored).record);
  }

  #state(records: readonly (DebitRecord | CreditRecord)[]): void {
    const lines = records.map((record) => {
      const isCredit = 'paidAtoms' in record;
      return JSON.stringify({
        transaction_id: record.transactionId,
        transaction_type: isCredit ? 'Credit' : 'Debit',
        player_id: record.player,
        brand_id: brand,
        amount: formatAmount(isCredit ? record.paidAtoms : record.amountAtoms),
        currency: isCredit ? record.paidCurrency : record.currency,
        timestamp: record.openedMs,
        state: 'done',
      });
    });
    writeSync(this.#statement, `${lines.join('\n')}\n`);
  }
}

it(`reconciles ${transactions.toLocaleString('en')} transactions in memory that does not grow with them`, {
  timeout: patienceMs,
}, async () => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-million-'));
  const lane = new WrittenLane();
  lane.write();
  const before = process.cpuUsage();
  const begunMs = performance.now();
  let peakBytes = 0;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
  }, 20);
  const begunBytes = process.memoryUsage().rss;
  const summary = await reconcile(
    {
      ...{ log: lane.log, lanes: 1, brand, lookBackMs: 3_600_000 },
      ...{ fromMs: startMs - 1, toMs: startMs + lane.outcomes.count + 60_000 },
      statements: () => statementsOfFile(join(directory, 'statement.ndjson')),
    },
    { difference: (one) => expect.fail(JSON.stringify(one)), onBehalf: () => {} },
  );
  clearInterval(watch);
  lane.close();
  const { user, system } = process.cpuUsage(before);
  saw('reconciliation', {
    transactions: summary.matched,
    'ms of wall clock': Math.round(performance.now() - begunMs),
    'ms of processor time': Math.round((user + system) / 1_000),
    'MiB at its begin': Math.round(begunBytes / 2 ** 20),
    'MiB at most': Math.round(peakBytes / 2 ** 20),
  });
  expect(summary).toMatchObject({ matched: transactions, differences: 0, ledger: { open: 0 } });
  for (const { ledger, wallet } of summary.totals) expect(wallet).toEqual(ledger);
  // Both sides lie on the disk: a million take less than 500 bytes each beyond what any process takes.
  if (isWhole) expect(peakBytes - begunBytes).toBeLessThan(500 * transactions);
});

function idOf(number: number): Uint8Array {
  const id = new Uint8Array(16);
  new DataView(id.buffer).setUint32(0, number);
  return id;
}
