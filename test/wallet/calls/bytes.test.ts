import { describe, expect, it } from 'vitest';
import type { DebitRecord } from '../../../src/messages/settlements.ts';
import { cancelCall } from '../../../src/wallet/calls/cancel-transaction.ts';
import { batchCall, debitBatchCall } from '../../../src/wallet/calls/execute-batch.ts';
import { creditCall, debitCall } from '../../../src/wallet/calls/execute-transaction.ts';
import { credit, debit } from './records.ts';

/**
 * A record may be repeated by a later version of this service, and a wallet refuses a known id with other content: these
 * bytes must never change. A new field of a body needs a new field of the record, absent in older ones.
 */

const text = ({ body }: { readonly body: Uint8Array }): string => Buffer.from(body).toString('utf8');

describe('the bytes of W3 with a Debit', () => {
  it('of a record with nothing optional', () => {
    expect(debitCall(debit).path).toBe('/transactions');
    expect(text(debitCall(debit))).toMatchInlineSnapshot(
      `"{"player_id":"zoë \\"z\\"","transaction_id":"6f0e1b0a-0000-5000-8000-000000000001","transaction_type":"Debit","provider_id":"potstream","amount":1.23456789,"jackpot_amount":0,"bonus_amount":0,"source_id":"slot-1","source_variant":null,"gameround_id":"01010101-0101-0101-0101-010101010101","gameround_complete":false,"category":null,"bonus_id":null,"currency":"EUR","metadata":{"instance_id":"aurora","gameround_id":null}}"`,
    );
  });

  it('of a record with everything', () => {
    const full: DebitRecord = {
      ...debit,
      ...{ vertical: 'slots', gameround: 'round 1', bonusAtoms: 1n, bonusId: 'free-9' },
      origin: { gameCode: 'dragons', gameCategory: 'reels', sourceType: 'bet' },
    };
    expect(text(debitCall(full))).toMatchInlineSnapshot(
      `"{"player_id":"zoë \\"z\\"","transaction_id":"6f0e1b0a-0000-5000-8000-000000000001","transaction_type":"Debit","provider_id":"potstream","amount":1.23456789,"jackpot_amount":0,"bonus_amount":0.00000001,"source_id":"slot-1","source_variant":null,"gameround_id":"01010101-0101-0101-0101-010101010101","gameround_complete":false,"category":"slots","bonus_id":"free-9","currency":"EUR","metadata":{"instance_id":"aurora","gameround_id":"round 1","game_code":"dragons","game_category":"reels","source_type":"bet"}}"`,
    );
  });
});

describe('the bytes of W3 with a Credit', () => {
  it('of a win', () => {
    expect(text(creditCall(credit))).toMatchInlineSnapshot(
      `"{"player_id":"p1","transaction_id":"6f0e1b0a-0000-5000-8000-000000000002","transaction_type":"Credit","provider_id":"potstream","amount":90000000000.00000001,"jackpot_amount":90000000000.00000001,"bonus_amount":0,"source_id":"slot-1","source_variant":"mini","gameround_id":"01010101-0101-0101-0101-010101010101","gameround_complete":true,"category":null,"currency":"USD","metadata":{"instance_id":"aurora","instance_count":4,"kind":"main"}}"`,
    );
  });

  it('of a game round that won nothing', () => {
    const close = {
      ...credit,
      kind: 'close',
      pot: '',
      amountAtoms: 0n,
      paidAtoms: 0n,
      backAtoms: 0n,
    } as const;
    expect(text(creditCall(close))).toMatchInlineSnapshot(
      `"{"player_id":"p1","transaction_id":"6f0e1b0a-0000-5000-8000-000000000002","transaction_type":"Credit","provider_id":"potstream","amount":0,"jackpot_amount":0,"bonus_amount":0,"source_id":"slot-1","source_variant":null,"gameround_id":"01010101-0101-0101-0101-010101010101","gameround_complete":true,"category":null,"currency":"USD","metadata":{"instance_id":"aurora","instance_count":4,"kind":"close"}}"`,
    );
  });

  it('do not depend on what changes while it waits', () => {
    const later = { ...credit, state: 'unknown', changedMs: 1, reason: 'no_answer', batchId: 'x' } as const;
    expect(text(creditCall(later))).toBe(text(creditCall(credit)));
  });
});

describe('the bytes of W4', () => {
  it('of shares of one win, and of one prize, each a game round', () => {
    const shares = ['p1', 'p2'].map((player, index) => ({
      ...credit,
      ...{ player, batchId: 'batch', kind: 'community' as const, paidAtoms: 100_000_000n },
      ...{ transactionId: `transaction-${index}`, contributionId: `transaction-${index}`, ownRound: true },
    }));
    expect(text(batchCall(shares))).toMatchInlineSnapshot(
      `"{"batch_transaction_id":"batch","transaction_type":"Credit","provider_id":"potstream","amount":2,"jackpot_amount":2,"source_id":"slot-1","source_variant":"mini","gameround_id":null,"gameround_complete":null,"transactions":[{"transaction_id":"transaction-0","player_id":"p1","currency":"USD","amount":1,"jackpot_amount":1},{"transaction_id":"transaction-1","player_id":"p2","currency":"USD","amount":1,"jackpot_amount":1}],"metadata":{"instance_id":"aurora","instance_count":4,"kind":"community"}}"`,
    );
    expect(text(batchCall(shares.slice(0, 1)))).toContain('"gameround_id":null,"gameround_complete":null');
    // Alone, it closes its round.
    expect(text(creditCall(shares[0]!))).toContain(
      '"gameround_id":"transaction-0","gameround_complete":true',
    );
  });

  it('of shares of one win, as the first version of the engine opened them', () => {
    const batchId = '6f0e1b0a-0000-5000-8000-000000000003';
    const shares = ['p1', 'p2'].map((player, index) => ({
      ...credit,
      ...{ player, batchId, kind: 'community' as const, paidAtoms: 100_000_000n + BigInt(index) },
      transactionId: `6f0e1b0a-0000-5000-8000-00000000001${index}`,
    }));
    expect(batchCall(shares).path).toBe('/batches');
    expect(text(batchCall(shares))).toMatchInlineSnapshot(
      `"{"batch_transaction_id":"6f0e1b0a-0000-5000-8000-000000000003","transaction_type":"Credit","provider_id":"potstream","amount":2.00000001,"jackpot_amount":2.00000001,"source_id":"slot-1","source_variant":"mini","gameround_id":"01010101-0101-0101-0101-010101010101","gameround_complete":true,"transactions":[{"transaction_id":"6f0e1b0a-0000-5000-8000-000000000010","player_id":"p1","currency":"USD","amount":1,"jackpot_amount":1},{"transaction_id":"6f0e1b0a-0000-5000-8000-000000000011","player_id":"p2","currency":"USD","amount":1.00000001,"jackpot_amount":1.00000001}],"metadata":{"instance_id":"aurora","instance_count":4,"kind":"community"}}"`,
    );
  });

  it('of prizes of a raffle, as the first version of the engine opened them', () => {
    const prizes = ['p1', 'p2'].map((player, index) => ({
      ...credit,
      ...{ player, batchId: 'batch', kind: 'raffle' as const, paidAtoms: 100_000_000n },
      transactionId: `transaction-${index}`,
      contributionId: `transaction-${index}`,
    }));
    expect(text(batchCall(prizes))).toMatchInlineSnapshot(
      `"{"batch_transaction_id":"batch","transaction_type":"Credit","provider_id":"potstream","amount":2,"jackpot_amount":2,"source_id":"slot-1","source_variant":"mini","gameround_id":null,"gameround_complete":null,"transactions":[{"transaction_id":"transaction-0","player_id":"p1","currency":"USD","amount":1,"jackpot_amount":1},{"transaction_id":"transaction-1","player_id":"p2","currency":"USD","amount":1,"jackpot_amount":1}],"metadata":{"instance_id":"aurora","instance_count":4,"kind":"raffle"}}"`,
    );
  });
});

it('the bytes of W2', () => {
  expect(cancelCall(debit).path).toBe(`/transactions/${debit.transactionId}/cancel`);
  expect(text(cancelCall(debit))).toMatchInlineSnapshot(
    `"{"gameround_id":"01010101-0101-0101-0101-010101010101","player_id":"zoë \\"z\\""}"`,
  );
});

it('the bytes of W4 with Debits follow from the records, in the order of their numbers', () => {
  const records = [
    { ...debit, vertical: 'slots' },
    {
      ...debit,
      transactionId: '6f0e1b0a-0000-5000-8000-000000000003',
      player: 'p2',
      amountAtoms: 1n,
      vertical: 'slots',
    },
  ];
  expect(text(debitBatchCall('batch', records))).toMatchInlineSnapshot(
    `"{"batch_transaction_id":"batch","transaction_type":"Debit","provider_id":"potstream","amount":1.2345679,"jackpot_amount":0,"source_id":"slot-1","source_variant":null,"gameround_id":null,"gameround_complete":null,"transactions":[{"transaction_id":"6f0e1b0a-0000-5000-8000-000000000001","player_id":"zoë \\"z\\"","currency":"EUR","amount":1.23456789,"jackpot_amount":0},{"transaction_id":"6f0e1b0a-0000-5000-8000-000000000003","player_id":"p2","currency":"EUR","amount":0.00000001,"jackpot_amount":0}],"metadata":{"kind":"debit","category":"slots"}}"`,
  );
});
