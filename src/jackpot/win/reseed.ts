import type { Json } from '../../lib/canonical-json.ts';
import { least, MAX_AMOUNT_ATOMS } from '../../lib/money.ts';
import { addWide, readWide, writeWide } from '../../lib/wide.ts';
import type { PotConfiguration } from '../configuration/configuration.ts';
import {
  CARRY,
  CURRENT,
  CYCLE,
  CYCLE_CONTRIBUTIONS,
  CYCLE_START_MS,
  ENABLED,
  HOUSE,
  LAST_DRAWN,
  OPERATOR_CAPITAL,
  OVERFLOW,
  SEED,
  SEED_DEFICIT,
  SURPLUS,
} from '../state/accounts.ts';
import { post } from '../state/ledger.ts';
import { openWindows } from './windows.ts';

/** Where the opening value of the next cycle came from. */
export interface Reseed {
  readonly seedAtoms: bigint;
  readonly surplusAtoms: bigint;
  readonly houseAtoms: bigint;
  /** What the operator had to front: the seed deficit of the win event. */
  readonly operatorAtoms: bigint;
  readonly overflowAtoms: bigint;
  readonly carryAtoms: bigint;
  readonly openingAtoms: bigint;
}

/**
 * Opens the pot's next cycle under `next` (docs/rules/wins-and-reseeding.md "Reseed"); `before` are the parameters of the one
 * that is over. The pot's current value is zero when this begins.
 */
export function reseed(
  words: Float64Array,
  at: number,
  before: PotConfiguration,
  next: PotConfiguration,
  nowMs: number,
): Reseed {
  const take = (from: number, wanted: bigint): bigint => {
    const taken = wanted <= 0n ? 0n : least(readWide(words, from), wanted);
    post(words, from, at + CURRENT, taken);
    return taken;
  };
  const value = () => readWide(words, at + CURRENT);
  // What no account has room for stays where it is.
  const room = () => (next.reseedCapAtoms ?? MAX_AMOUNT_ATOMS) - value();
  const need = next.minReseedAtoms;

  const collected = readWide(words, at + SEED);
  const wanted = next.reseedStrategy === 'Minimum' ? need : collected;
  const seedAtoms = take(at + SEED, least(wanted, room()));
  const tops = next.reseedStrategy !== 'Collected';
  const surplusAtoms = tops ? take(at + SURPLUS, need - value()) : 0n;
  const houseAtoms = tops ? take(HOUSE, need - value()) : 0n;
  const missing = tops ? need - value() : 0n;
  const operatorAtoms = missing > 0n ? missing : 0n;
  post(words, OPERATOR_CAPITAL, at + CURRENT, operatorAtoms);
  addWide(words, SEED_DEFICIT, operatorAtoms);
  const overflowAtoms = take(at + OVERFLOW, room());
  const carryAtoms = take(at + CARRY, room());
  words[at + CYCLE] = words[at + CYCLE]! + 1;
  words[at + ENABLED] = next.enabled ? 1 : 0;
  openCycle(words, at, before, next, nowMs);
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

/** A cycle begins under `next`: what is counted by cycle starts over. `before` null: it is the pot's first. */
export function openCycle(
  words: Float64Array,
  at: number,
  before: PotConfiguration | null,
  next: PotConfiguration,
  nowMs: number,
): void {
  openWindows(words, at, before, next, nowMs);
  words[at + CYCLE_CONTRIBUTIONS] = 0;
  words[at + CYCLE_START_MS] = nowMs;
  writeWide(words, at + LAST_DRAWN, readWide(words, at + CURRENT));
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
