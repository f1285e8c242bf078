import { describe, expect, it } from 'vitest';
import type { WrittenTable } from '../../../src/reporting/base/lane-batch.ts';
import { reportingLimits } from '../../../src/reporting/base/limits.ts';
import {
  atoms,
  contribution,
  createInstance,
  openEpoch,
  setBrand,
  setStatus,
} from '../../jackpot/support/commands.ts';
import { onePot, sureHit } from '../../jackpot/support/scenario.ts';
import { SimBooks, type WriteFaultKind, writeFaults } from '../support/sim-books.ts';

/**
 * The process that keeps the books of a lane dies, or loses its database, around each of its writes. Whatever
 * happens, the books have each row once, and the balances of the lane.
 */
const rounds = 5;

function history(sim: SimBooks, round: number): void {
  const { lanes } = sim;
  const id = (number: number) => new Uint8Array(16).fill(10 * round + number);
  lanes.send(0, [
    contribution({ contributionId: id(1), player: 'a' }),
    contribution({ contributionId: id(2) }),
  ]);
  const [account, targetAtoms] = ['seed_value', atoms(String(round))] as const;
  lanes.send(0, [
    {
      ...{ kind: 'AdjustPot', instance: 'jackpot', pot: 'main', account, targetAtoms, reason: 'more' },
      ...{ user: 'admin', mayDecrease: true, idempotencyKey: null, expectedVersion: null },
    },
  ]);
}

async function live(fault: SimBooks['fault']): Promise<SimBooks> {
  const sim = new SimBooks(7);
  sim.fault = fault;
  const { lanes } = sim;
  lanes.startHost();
  sim.start();
  await lanes.ask(0, [setBrand(), createInstance(onePot({ pot_types: [sureHit] }))].slice(1));
  await lanes.settled(0);
  lanes.send(0, [setBrand()], 'control');
  lanes.send(0, [openEpoch('jackpot', 0, [0, 1, 2])], 'control');
  await lanes.settled(0);
  await lanes.ask(0, [setStatus('Active')]);
  for (let round = 1; round <= rounds; round += 1) {
    history(sim, round);
    await lanes.settled(0);
    await lanes.world.passes(2 * reportingLimits.readQuietEveryMs);
  }
  await sim.current();
  return sim;
}

describe('books whose process is disturbed', async () => {
  const calm = await live(null);
  const tables = Object.keys(calm.books.batches[0]!.rows) as WrittenTable[];
  const faults = writeFaults.flatMap((kind) =>
    Array.from({ length: calm.writes }, (_, index) => ({ kind, at: index + 1 })),
  );

  it('have the rows of every message, and the balances of the lane', () => {
    expect(calm.books.rows('contributions')).toHaveLength(2 * rounds);
    expect(calm.books.rows('wins')).toHaveLength(2 * rounds);
    expect(calm.books.rows('entries').length).toBeGreaterThan(2 * rounds);
    expect(calm.writes).toBeGreaterThan(rounds);
    expect(calm.troubles.every((trouble) => trouble === null)).toBe(true);
  });

  it.each(faults)(
    'are the same after $kind at write $at',
    async (fault: { kind: WriteFaultKind; at: number }) => {
      const sim = await live(fault);
      const { books, sequence: to } = sim;
      const undisturbed = await sim.anew();
      expect(sim.writes).toBeGreaterThanOrEqual(fault.at);
      for (const table of tables) expect(books.rows(table, to)).toEqual(undisturbed.rows(table, to));
      // What follows without contributions moves nothing.
      expect(books.balances()).toEqual(undisturbed.balances());
      expect(books.rows('contributions')).toHaveLength(2 * rounds);
      await sim.stop();
    },
  );
});
