import { lesserOf } from '../../../lib/money.ts';
import { addPair, addWide, half, highOf, lowOf, readWide, subtractPair } from '../../../lib/wide.ts';
import { divertedOf, grossAt, partSlots, restAt, seedPartAt } from '../../rules/prices/split.ts';
import type { Instance, Pot } from '../../state/instance/instance.ts';
import {
  contributedAt,
  contributedSeedAt,
  currentAt,
  cycleContributionsAt,
  diversionAt,
  diversionPendingAt,
  houseAt,
  houseContributionsAt,
  operatorCapitalAt,
  overflowAt,
  playerAt,
  potAt,
  potContributionsAt,
  seedAt,
  seedDeficitAt,
  totalContributionsAt,
} from '../../state/money/accounts.ts';
import { post } from '../../state/money/ledger.ts';
import type { Price, Split } from '../../state/money/quote.ts';

/**
 * The parts of a contribution reach the pots and the house (docs/rules/contributions.md "Feed" and "House").
 */
export function feed(instance: Instance, price: Price, split: Split): void {
  const { balances } = instance;
  subtractPair(balances, playerAt, price.playerHigh, price.playerLow);
  subtractPair(balances, operatorCapitalAt, price.operatorHigh, price.operatorLow);
  balances[totalContributionsAt] = balances[totalContributionsAt]! + 1;
  for (const pot of instance.pots) {
    if ((split.mask >>> pot.index) & 1) feedPot(balances, pot, split.parts, pot.index * partSlots);
  }
  if (split.house[0] !== 0 || split.house[1] !== 0) feedHouse(instance, split);
  if (instance.configuration.house.diversion !== null) reserveForDelivery(instance);
}

function feedPot(balances: Float64Array, pot: Pot, parts: Float64Array, from: number): void {
  const at = potAt(pot.index);
  balances[at + potContributionsAt] = balances[at + potContributionsAt]! + 1;
  balances[at + cycleContributionsAt] = balances[at + cycleContributionsAt]! + 1;
  addPair(balances, at + contributedAt, parts[from + grossAt]!, parts[from + grossAt + 1]!);
  const configuration = pot.effective;
  const collectsToMinimum =
    configuration.isProgressive && configuration.fundStrategy === 'CollectToMinReseed';
  if (
    collectsToMinimum &&
    !fits(balances, at + seedAt, parts, from + seedPartAt, configuration.minReseedAtoms)
  ) {
    feedFullSeed(balances, at, configuration.minReseedAtoms, configuration.capAtoms, parts, from);
    return;
  }
  const seedHigh = parts[from + seedPartAt]!;
  const seedLow = parts[from + seedPartAt + 1]!;
  addPair(balances, at + seedAt, seedHigh, seedLow);
  addPair(balances, at + contributedSeedAt, seedHigh, seedLow);
  addPair(balances, at + currentAt, parts[from + restAt]!, parts[from + restAt + 1]!);
  if (configuration.capAtoms !== null) spill(balances, at, configuration.capAtoms, parts, from);
}

/** The seed takes only what it lacks to the minimum; the rest joins the pot. */
function feedFullSeed(
  balances: Float64Array,
  at: number,
  minAtoms: bigint,
  capAtoms: bigint | null,
  parts: Float64Array,
  from: number,
): void {
  const seed = readWide(balances, at + seedAt);
  const missing = minAtoms > seed ? minAtoms - seed : 0n;
  const part = readWide(parts, from + seedPartAt);
  const taken = lesserOf(part, missing);
  addWide(balances, at + seedAt, taken);
  addWide(balances, at + contributedSeedAt, taken);
  const rest = readWide(parts, from + restAt) + part - taken;
  addWide(balances, at + currentAt, rest);
  if (capAtoms !== null) spillAtoms(balances, at, capAtoms, rest);
}

function spill(
  balances: Float64Array,
  at: number,
  capAtoms: bigint,
  parts: Float64Array,
  from: number,
): void {
  const above = balances[at + currentAt]! * half + balances[at + currentAt + 1]! - Number(capAtoms);
  // Far below the cap (the estimate is good to 2^11 atoms) nothing needs exact comparison.
  if (above < -4096) return;
  spillAtoms(balances, at, capAtoms, readWide(parts, from + restAt));
}

/** The part of `added` above the cap goes to the overflow; an earlier excess stays. */
function spillAtoms(balances: Float64Array, at: number, capAtoms: bigint, added: bigint): void {
  const above = readWide(balances, at + currentAt) - capAtoms;
  if (above <= 0n) return;
  const spilled = lesserOf(above, added);
  addWide(balances, at + currentAt, -spilled);
  addWide(balances, at + overflowAt, spilled);
}

function fits(
  balances: Float64Array,
  at: number,
  parts: Float64Array,
  from: number,
  limitAtoms: bigint,
): boolean {
  const after = balances[at]! * half + balances[at + 1]! + (parts[from]! * half + parts[from + 1]!);
  const limit = Number(limitAtoms);
  if (after < limit - 4096) return true;
  return readWide(balances, at) + readWide(parts, from) <= limitAtoms;
}

/** First what the operator fronted at reseeds is repaid, then the diversion's percentage, the rest stays. */
function feedHouse(instance: Instance, split: Split): void {
  const { balances } = instance;
  balances[houseContributionsAt] = balances[houseContributionsAt]! + 1;
  let houseHigh = split.house[0]!;
  let houseLow = split.house[1]!;
  let divertedHigh = split.house[2]!;
  let divertedLow = split.house[3]!;
  if (owesAtLeast(balances, houseHigh, houseLow)) {
    subtractPair(balances, seedDeficitAt, houseHigh, houseLow);
    addPair(balances, operatorCapitalAt, houseHigh, houseLow);
    return;
  }
  if (balances[seedDeficitAt] !== 0 || balances[seedDeficitAt + 1] !== 0) {
    const inflow = repay(balances, split.houseAtoms);
    const part = divertedOf(instance.configuration.house, inflow);
    houseHigh = highOf(inflow);
    houseLow = lowOf(inflow);
    divertedHigh = highOf(part);
    divertedLow = lowOf(part);
  }
  addPair(balances, houseAt, houseHigh, houseLow);
  if (divertedHigh === 0 && divertedLow === 0) return;
  subtractPair(balances, houseAt, divertedHigh, divertedLow);
  addPair(balances, diversionAt, divertedHigh, divertedLow);
}

/** From its threshold on the whole pool waits to be delivered; only one delivery waits at a time. */
function reserveForDelivery(instance: Instance): void {
  const { balances } = instance;
  const thresholdAtoms = instance.configuration.house.diversion?.flushThresholdAtoms ?? null;
  if (thresholdAtoms === null) return;
  if (balances[diversionPendingAt] !== 0 || balances[diversionPendingAt + 1] !== 0) return;
  const pool = readWide(balances, diversionAt);
  if (pool >= thresholdAtoms) post(balances, diversionAt, diversionPendingAt, pool);
}

/** Whether the whole inflow goes to repay the seed deficit. */
function owesAtLeast(balances: Float64Array, high: number, low: number): boolean {
  const owed = balances[seedDeficitAt]!;
  return owed > high || (owed === high && balances[seedDeficitAt + 1]! >= low);
}

/** Returns the rest of the inflow. */
function repay(balances: Float64Array, inflow: bigint): bigint {
  const repaid = lesserOf(readWide(balances, seedDeficitAt), inflow);
  addWide(balances, seedDeficitAt, -repaid);
  addWide(balances, operatorCapitalAt, repaid);
  return inflow - repaid;
}
