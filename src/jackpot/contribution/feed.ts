import { least } from '../../lib/money.ts';
import { addPair, addWide, HALF, highOf, lowOf, readWide, subtractPair } from '../../lib/wide.ts';
import {
  CONTRIBUTED,
  CONTRIBUTED_SEED,
  CURRENT,
  CYCLE_CONTRIBUTIONS,
  DIVERSION,
  DIVERSION_PENDING,
  HOUSE,
  HOUSE_CONTRIBUTIONS,
  OPERATOR_CAPITAL,
  OVERFLOW,
  PLAYER,
  POT_CONTRIBUTIONS,
  potAt,
  SEED,
  SEED_DEFICIT,
  TOTAL_CONTRIBUTIONS,
} from '../state/accounts.ts';
import type { Instance, Pot } from '../state/instance.ts';
import { post } from '../state/ledger.ts';
import type { Price, Split } from '../state/quote.ts';
import { divertedOf, GROSS, PART_WORDS, REST, SEED_PART } from './split.ts';

/** The parts of one contribution reach the pots and the house (docs/rules/contributions.md "Feed" and "House"). */
export function feed(instance: Instance, price: Price, split: Split): void {
  const { words } = instance;
  subtractPair(words, PLAYER, price.playerHigh, price.playerLow);
  subtractPair(words, OPERATOR_CAPITAL, price.operatorHigh, price.operatorLow);
  words[TOTAL_CONTRIBUTIONS] = words[TOTAL_CONTRIBUTIONS]! + 1;
  for (const pot of instance.pots) {
    if ((split.mask >>> pot.index) & 1) feedPot(words, pot, split.parts, pot.index * PART_WORDS);
  }
  if (split.houseAtoms > 0n) feedHouse(instance, split);
  if (instance.configuration.house.diversion !== null) holdForDelivery(instance);
}

function feedPot(words: Float64Array, pot: Pot, parts: Float64Array, from: number): void {
  const at = potAt(pot.index);
  words[at + POT_CONTRIBUTIONS] = words[at + POT_CONTRIBUTIONS]! + 1;
  words[at + CYCLE_CONTRIBUTIONS] = words[at + CYCLE_CONTRIBUTIONS]! + 1;
  addPair(words, at + CONTRIBUTED, parts[from + GROSS]!, parts[from + GROSS + 1]!);
  const configuration = pot.effective;
  const collectsToMinimum =
    configuration.isProgressive && configuration.fundStrategy === 'CollectToMinReseed';
  if (collectsToMinimum && !fits(words, at + SEED, parts, from + SEED_PART, configuration.minReseedAtoms)) {
    feedFullSeed(words, at, configuration.minReseedAtoms, configuration.capAtoms, parts, from);
    return;
  }
  const seedHigh = parts[from + SEED_PART]!;
  const seedLow = parts[from + SEED_PART + 1]!;
  addPair(words, at + SEED, seedHigh, seedLow);
  addPair(words, at + CONTRIBUTED_SEED, seedHigh, seedLow);
  addPair(words, at + CURRENT, parts[from + REST]!, parts[from + REST + 1]!);
  if (configuration.capAtoms !== null) spill(words, at, configuration.capAtoms, parts, from);
}

/** Seed takes only what is missing to the minimum; the rest joins the pot. */
function feedFullSeed(
  words: Float64Array,
  at: number,
  minimumAtoms: bigint,
  capAtoms: bigint | null,
  parts: Float64Array,
  from: number,
): void {
  const seed = readWide(words, at + SEED);
  const missing = minimumAtoms > seed ? minimumAtoms - seed : 0n;
  const part = readWide(parts, from + SEED_PART);
  const taken = least(part, missing);
  addWide(words, at + SEED, taken);
  addWide(words, at + CONTRIBUTED_SEED, taken);
  const rest = readWide(parts, from + REST) + part - taken;
  addWide(words, at + CURRENT, rest);
  if (capAtoms !== null) spillAtoms(words, at, capAtoms, rest);
}

function spill(words: Float64Array, at: number, capAtoms: bigint, parts: Float64Array, from: number): void {
  const above = words[at + CURRENT]! * HALF + words[at + CURRENT + 1]! - Number(capAtoms);
  // Far below the cap (the estimate is good to 2^11 atoms) nothing needs exact comparison.
  if (above < -4096) return;
  spillAtoms(words, at, capAtoms, readWide(parts, from + REST));
}

/** What of `added` stands above the cap goes to the overflow; what stood above before stays. */
function spillAtoms(words: Float64Array, at: number, capAtoms: bigint, added: bigint): void {
  const above = readWide(words, at + CURRENT) - capAtoms;
  if (above <= 0n) return;
  const spilled = least(above, added);
  addWide(words, at + CURRENT, -spilled);
  addWide(words, at + OVERFLOW, spilled);
}

function fits(
  words: Float64Array,
  at: number,
  parts: Float64Array,
  from: number,
  limitAtoms: bigint,
): boolean {
  const after = words[at]! * HALF + words[at + 1]! + (parts[from]! * HALF + parts[from + 1]!);
  const limit = Number(limitAtoms);
  if (after < limit - 4096) return true;
  return readWide(words, at) + readWide(parts, from) <= limitAtoms;
}

/** First what the operator fronted at reseeds is repaid, then the diversion's percentage, the rest stays. */
function feedHouse(instance: Instance, split: Split): void {
  const { words } = instance;
  words[HOUSE_CONTRIBUTIONS] = words[HOUSE_CONTRIBUTIONS]! + 1;
  let houseHigh = split.house[0]!;
  let houseLow = split.house[1]!;
  let divertedHigh = split.house[2]!;
  let divertedLow = split.house[3]!;
  if (owesAtLeast(words, houseHigh, houseLow)) {
    subtractPair(words, SEED_DEFICIT, houseHigh, houseLow);
    addPair(words, OPERATOR_CAPITAL, houseHigh, houseLow);
    return;
  }
  if (words[SEED_DEFICIT] !== 0 || words[SEED_DEFICIT + 1] !== 0) {
    const inflow = repay(words, split.houseAtoms);
    const part = divertedOf(instance.configuration.house, inflow);
    houseHigh = highOf(inflow);
    houseLow = lowOf(inflow);
    divertedHigh = highOf(part);
    divertedLow = lowOf(part);
  }
  addPair(words, HOUSE, houseHigh, houseLow);
  if (divertedHigh === 0 && divertedLow === 0) return;
  subtractPair(words, HOUSE, divertedHigh, divertedLow);
  addPair(words, DIVERSION, divertedHigh, divertedLow);
}

/** From its threshold on the whole pool waits to be delivered; only one delivery waits at a time. */
function holdForDelivery(instance: Instance): void {
  const { words } = instance;
  const thresholdAtoms = instance.configuration.house.diversion?.flushThresholdAtoms ?? null;
  if (thresholdAtoms === null) return;
  if (words[DIVERSION_PENDING] !== 0 || words[DIVERSION_PENDING + 1] !== 0) return;
  const pool = readWide(words, DIVERSION);
  if (pool >= thresholdAtoms) post(words, DIVERSION, DIVERSION_PENDING, pool);
}

/** Whether the whole inflow goes to repay the seed deficit. */
function owesAtLeast(words: Float64Array, high: number, low: number): boolean {
  const owed = words[SEED_DEFICIT]!;
  return owed > high || (owed === high && words[SEED_DEFICIT + 1]! >= low);
}

/** Returns what is left of the inflow. */
function repay(words: Float64Array, inflow: bigint): bigint {
  const repaid = least(readWide(words, SEED_DEFICIT), inflow);
  addWide(words, SEED_DEFICIT, -repaid);
  addWide(words, OPERATOR_CAPITAL, repaid);
  return inflow - repaid;
}
