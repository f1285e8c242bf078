import { describe, expect, it } from 'vitest';
import { createLane } from '../../../src/jackpot/lane/lane.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import { debitsOf, paying, playerPays, settled } from '../commands/settlement/paying.ts';
import { contribution, createInstance, running, setBrand } from '../support/commands.ts';
import { threePots } from '../support/configurations.ts';
import { testHashing } from '../support/hashing.ts';
import { settings, TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

const dayMs = 24 * 3_600_000;
const key = new Uint8Array(16).fill(7);
const upgrade: Command = { kind: 'UpgradeTo', version: 2 };

/** Each with an id of its own, of one of two brands of an operator. */
let ids = 0;
function keyed(brand: string, changes: Partial<Contribute> = {}): Contribute {
  ids += 1;
  const contributionId = new Uint8Array(16).fill(ids);
  return contribution({ brand: `op:${brand}`, idempotencyKey: key, contributionId, ...changes });
}

function lane(version: 1 | 2): TestLane {
  const made = new TestLane({ epochMs: 100 * dayMs });
  if (version === 1) made.engine = createLane(testHashing, { ...settings, epochMs: 100 * dayMs });
  made.apply(...running(threePots()), setBrand({ brand: 'op:other' }));
  return made;
}

const kinds = (made: TestLane, ...commands: Command[]) =>
  made.apply(...commands).outcomes.map(({ kind }) => kind);

describe('the same key of two brands of an operator', () => {
  it('stands for a contribution of each, also within a message and after a restart', () => {
    const made = lane(2);
    const { sequence } = made.apply(keyed('main'));
    expect(kinds(made, keyed('other'), keyed('other'))).toEqual(['Contributed', 'Duplicate']);
    made.restart();
    expect(made.apply(keyed('main'), keyed('other')).outcomes).toEqual([
      { kind: 'Duplicate', sequence, index: 0 },
      { kind: 'Duplicate', sequence: sequence + 1, index: 0 },
    ]);
    expect(made.engine.idempotencyKey(key, 'op:other')).toEqual({ sequence: sequence + 1, index: 0 });
    expect(made.engine.idempotencyKey(key, 'op:vault')).toBeNull();
  });

  it('stands for one of both in a lane of the first version', () => {
    const made = lane(1);
    const { sequence } = made.apply(keyed('main'));
    expect(made.apply(keyed('other')).outcomes).toEqual([{ kind: 'Duplicate', sequence, index: 0 }]);
  });

  it('stands for what it stood for before an upgrade, for 24 hours, and then for each', () => {
    const made = lane(1);
    const { sequence } = made.apply(keyed('main'));
    const first = { kind: 'Duplicate', sequence, index: 0 };
    expect(made.apply(upgrade, keyed('main'), keyed('other')).outcomes.slice(1)).toEqual([first, first]);
    const later = { idempotencyKey: new Uint8Array(16).fill(8) };
    expect(kinds(made, keyed('main', later), keyed('other', later), keyed('main', later))).toEqual([
      'Contributed',
      'Contributed',
      'Duplicate',
    ]);
    made.nowMs += dayMs - 1_000;
    made.restart();
    expect(made.apply(keyed('other')).outcomes).toEqual([first]);
    made.nowMs += 2_000;
    expect(kinds(made, keyed('other'), keyed('main'))).toEqual(['Contributed', 'Contributed']);
  });

  it('is met in the message of the upgrade as behind it', () => {
    const made = lane(1);
    expect(kinds(made, upgrade, keyed('main'))).toEqual(['Done', 'Contributed']);
    expect(kinds(made, keyed('main'), keyed('other'))).toEqual(['Duplicate', 'Contributed']);
  });

  it('waits for the debit of each', () => {
    const made = new TestLane();
    const [, , ...rest] = running(onePot({}, playerPays));
    const brands = ['main', 'other'].map((brand) => setBrand({ brand: `op:${brand}`, wallet: true }));
    made.apply(...brands, createInstance(onePot({}, playerPays)), ...rest);
    const pay = (brand: string) => {
      const { contributionId } = keyed(brand);
      return paying({ brand: `op:${brand}`, idempotencyKey: key, contributionId });
    };
    const first = made.apply(pay('main'), pay('other'), pay('main'));
    expect(first.outcomes).toEqual([
      { kind: 'Pending' },
      { kind: 'Pending' },
      { kind: 'Duplicate', sequence: first.sequence, index: 0 },
    ]);
    const [main, other] = debitsOf(first) as [never, never];
    made.apply(settled(main));
    expect(made.apply(pay('other')).outcomes).toEqual([
      { kind: 'Duplicate', sequence: first.sequence, index: 1 },
    ]);
    made.apply(settled(other));
    expect(kinds(made, pay('other'), pay('main'))).toEqual(['Duplicate', 'Duplicate']);
  });
});
