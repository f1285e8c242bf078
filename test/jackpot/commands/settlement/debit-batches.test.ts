import { describe, expect, it } from 'vitest';
import { DebitBatches } from '../../../../src/messages/debit-batches.ts';
import type { SetBrand } from '../../../../src/messages/lane-commands.ts';
import type { Contribute } from '../../../../src/messages/player-commands.ts';
import type { DebitRecord } from '../../../../src/messages/settlements.ts';
import { debitBatchId } from '../../../../src/messages/transaction-ids.ts';
import { atoms, contribution, running, setBrand } from '../../support/commands.ts';
import { TestLane } from '../../support/lane.ts';
import { firstLane } from '../../support/new-lane.ts';
import { onePot } from '../../support/scenario.ts';
import { debitsOf, playerPays, settled } from './paying.ts';

let count = 0;
function from(player: string, changes: Partial<Contribute> = {}): Contribute {
  count += 1;
  const contributionId = new Uint8Array(16);
  new DataView(contributionId.buffer).setUint32(0, count);
  return contribution({ wallet: true, contributionId, player, ...changes });
}

function laneOf(changes: Partial<SetBrand> = {}): TestLane {
  const lane = new TestLane();
  const facts = { wallet: true, provider: 'acme', batchDebits: true, ...changes };
  lane.apply(setBrand(facts), ...running(onePot({}, playerPays)).slice(1));
  return lane;
}

/** The players of each batch, in the order of their first debits. */
function batchesOf(debits: readonly DebitRecord[]): readonly (readonly string[])[] {
  const batches = new Map<string, string[]>();
  for (const { batch, player, transactionId } of debits) {
    const id = batch?.id ?? `none of ${transactionId}`;
    batches.set(id, [...(batches.get(id) ?? []), player]);
  }
  return [...batches.values()];
}

describe('debits of a message, for a brand that shares W4s', () => {
  it('are one batch, whose id follows from its first debit', () => {
    const debits = debitsOf(laneOf().apply(from('a'), from('b'), from('c')));
    const batch = { id: debitBatchId(debits[0]!.transactionId), records: 3 };
    expect(debits.map((debit) => debit.batch)).toEqual([batch, batch, batch]);
  });

  it('have each player once', () => {
    const debits = debitsOf(laneOf().apply(from('a'), from('a'), from('b'), from('a'), from('b')));
    expect(batchesOf(debits)).toEqual([['a', 'b'], ['a', 'b'], ['a']]);
  });

  it.each<[string, Partial<Contribute>]>([
    ['provider', { provider: 'studio' }],
    ['category', { vertical: 'slots' }],
  ])('are apart where the %s differs', (_, changes) => {
    const debits = debitsOf(laneOf().apply(from('a'), from('b', changes), from('c'), from('d', changes)));
    expect(batchesOf(debits)).toEqual([
      ['a', 'c'],
      ['b', 'd'],
    ]);
  });

  it('with bonus money are in none', () => {
    const bonus = { id: 'free-9', amountAtoms: atoms('0.5'), currency: 'EUR' };
    const debits = debitsOf(laneOf().apply(from('a'), from('b', { bonus }), from('c')));
    expect(debits.map(({ batch }) => batch?.records)).toEqual([2, undefined, 2]);
  });

  it('are at most a hundred', () => {
    const many = Array.from({ length: 120 }, (_, index) => from(`p${index}`));
    const sizes = batchesOf(debitsOf(laneOf().apply(...many))).map(({ length }) => length);
    expect(sizes).toEqual([100, 20]);
  });

  it('of other messages are in other batches, and a single one is a batch of one', () => {
    const lane = laneOf();
    const first = debitsOf(lane.apply(from('a')));
    const second = debitsOf(lane.apply(from('b')));
    expect([first[0]?.batch?.records, second[0]?.batch?.records]).toEqual([1, 1]);
    expect(first[0]?.batch?.id).not.toBe(second[0]?.batch?.id);
  });

  it('are settled each by itself', () => {
    const lane = laneOf();
    const [first, second] = debitsOf(lane.apply(from('a'), from('b')));
    const { outcomes } = lane.apply(settled(first!), settled(second!, 'refused'));
    expect(outcomes).toMatchObject([
      { contributions: [{ result: { kind: 'Contributed' } }] },
      { contributions: [{ result: { kind: 'Refused', code: 'debit_refused' } }] },
    ]);
    expect(lane.accounts()).toMatchObject({ player: -atoms('1') });
    expect(lane.total()).toBe(0n);
  });

  it('are remembered with their batch by a lane that is restored', () => {
    const lane = laneOf();
    const debits = debitsOf(lane.apply(from('a'), from('b')));
    lane.restart();
    expect(lane.engine.openDebits(0, 10)).toEqual(debits);
  });
});

describe('a batch', () => {
  const alike = { brand: 'op:main', currency: 'EUR', source: 's', provider: 'p', vertical: 'v' };

  it.each(['brand', 'currency', 'source', 'provider', 'vertical'])('has one %s', (name) => {
    const batches = new DebitBatches();
    const first = batches.join({ ...alike, transactionId: '1', player: 'a' });
    expect(batches.join({ ...alike, transactionId: '2', player: 'b' })).toBe(first);
    const other = batches.join({ ...alike, transactionId: '3', player: 'c', [name]: 'another' });
    expect(other.id).not.toBe(first.id);
  });
});

describe('debits go by W3', () => {
  it.each<[string, Partial<SetBrand>]>([
    ['of a brand that does not want batches', { batchDebits: false }],
    ['of a brand of an older log', { batchDebits: undefined as never }],
    ['of a brand that closes rounds', { closeRounds: true }],
  ])('%s', (_, changes) => {
    const debits = debitsOf(laneOf(changes).apply(from('a'), from('b')));
    expect(debits.map(({ batch }) => batch)).toEqual([undefined, undefined]);
  });

  it('in lanes of older versions of the engine', () => {
    const lane = new TestLane({}, firstLane);
    lane.apply(setBrand({ wallet: true, batchDebits: true }), ...running(onePot({}, playerPays)).slice(1));
    const debits = debitsOf(lane.apply(from('a'), from('b')));
    expect(debits.map(({ batch }) => batch)).toEqual([undefined, undefined]);
  });
});
