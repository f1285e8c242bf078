import type { Json } from '../../../lib/canonical-json.ts';
import { lesserOf, maxAmountAtoms } from '../../../lib/money.ts';
import { addWide, readWide, writeWide } from '../../../lib/wide.ts';
import type { PotConfiguration } from '../../state/configuration/configuration.ts';
import * as accounts from '../../state/money/accounts.ts';
import { post } from '../../state/money/ledger.ts';
import { openWindows } from './windows.ts';

/** Where the opening value of the next cycle came from. */
export interface Reseed {
  readonly seedAtoms: bigint;
  readonly surplusAtoms: bigint;
  readonly houseAtoms: bigint;
  /** The part that the operator fronted: the seed deficit of the win event. */
  readonly operatorAtoms: bigint;
  readonly overflowAtoms: bigint;
  readonly carryAtoms: bigint;
  readonly openingAtoms: bigint;
}

/** Opens the next cycle of an empty pot under `next` (docs/rules/wins-and-reseeding.md "Reseed"). */
export function reseed(
  balances: Float64Array,
  at: number,
  before: PotConfiguration,
  next: PotConfiguration,
  nowMs: number,
): Reseed {
  const take = (from: number, wanted: bigint): bigint => {
    const taken = wanted <= 0n ? 0n : lesserOf(readWide(balances, from), wanted);
    post(balances, from, at + accounts.currentAt, taken);
    return taken;
  };
  const value = () => readWide(balances, at + accounts.currentAt);
  // An amount that no account has room for stays where it is.
  const room = () => (next.reseedCapAtoms ?? maxAmountAtoms) - value();
  const need = next.minReseedAtoms;

  const collected = readWide(balances, at + accounts.seedAt);
  const wanted = next.reseedStrategy === 'Minimum' ? need : collected;
  const seedAtoms = take(at + accounts.seedAt, lesserOf(wanted, room()));
  const tops = next.reseedStrategy !== 'Collected';
  const surplusAtoms = tops ? take(at + accounts.surplusAt, need - value()) : 0n;
  const houseAtoms = tops ? take(accounts.houseAt, need - value()) : 0n;
  const missing = tops ? need - value() : 0n;
  const operatorAtoms = missing > 0n ? missing : 0n;
  post(balances, accounts.operatorCapitalAt, at + accounts.currentAt, operatorAtoms);
  addWide(balances, accounts.seedDeficitAt, operatorAtoms);
  const overflowAtoms = take(at + accounts.overflowAt, room());
  const carryAtoms = take(at + accounts.carryAt, room());
  balances[at + accounts.cycleAt] = balances[at + accounts.cycleAt]! + 1;
  balances[at + accounts.enabledAt] = next.enabled ? 1 : 0;
  openCycle(balances, at, before, next, nowMs);
  return {
    seedAtoms,
    surplusAtoms,
    houseAtoms,
    operatorAtoms,
    overflowAtoms,
    carryAtoms,
    openingAtoms: value(),
  };
}

/** A cycle begins under `next`: its counters start over. `before` null: the first cycle of the pot. */
export function openCycle(
  balances: Float64Array,
  at: number,
  before: PotConfiguration | null,
  next: PotConfiguration,
  nowMs: number,
): void {
  openWindows(balances, at, before, next, nowMs);
  balances[at + accounts.cycleContributionsAt] = 0;
  balances[at + accounts.cycleStartMsAt] = nowMs;
  writeWide(balances, at + accounts.lastDrawnAt, readWide(balances, at + accounts.currentAt));
}

export function reseedJson(reseeded: Reseed | null, cycle: number): Json {
  if (reseeded === null) return null;
  return {
    cycle,
    seed: reseeded.seedAtoms.toString(),
    surplus: reseeded.surplusAtoms.toString(),
    house: reseeded.houseAtoms.toString(),
    operator: reseeded.operatorAtoms.toString(),
    overflow: reseeded.overflowAtoms.toString(),
    carry: reseeded.carryAtoms.toString(),
    opening: reseeded.openingAtoms.toString(),
  };
}
