import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { formatAmount } from '../../lib/money.ts';

/** What is wrong with the balances of a lane, one text for each fault: accounts sum to zero, and no pot is below zero. */
export function bookFaults(engine: LaneEngine): readonly string[] {
  const faults: string[] = [];
  for (const instance of engine.instances()) {
    let sumAtoms = 0n;
    for (const [name, atoms] of engine.accounts(instance) ?? []) {
      sumAtoms += atoms;
      // Accounts of pots are `<pot>.<account>`.
      if (name.includes('.') && atoms < 0n) faults.push(`${name} of ${instance} is ${formatAmount(atoms)}`);
    }
    if (sumAtoms !== 0n) faults.push(`the accounts of ${instance} sum to ${formatAmount(sumAtoms)}`);
  }
  return faults;
}
