/** The money of an epoch, computed again from its public data: bigint only, nothing shared with the engine. */

// biome-ignore lint/suspicious/noExplicitAny: it is the JSON of a public file, checked by comparing every figure.
export type Json = Record<string, any>;

const UNIT = 10n ** 8n;

export interface PotState {
  id: string;
  enabled: boolean;
  cycle: number;
  cycleStart: number;
  cycleContributions: number;
  lastDrawn: bigint;
  current: bigint;
  seed: bigint;
  surplus: bigint;
  overflow: bigint;
  carry: bigint;
  effective: Json;
  pending: Json | null;
}

export interface Accounts {
  house: bigint;
  deficit: bigint;
  pots: PotState[];
}

export function opening(header: Json): Accounts {
  return {
    house: BigInt(header.accounts.house),
    deficit: BigInt(header.accumulated_seed_deficit),
    pots: header.pots.map((pot: Json, index: number) => ({
      id: pot.id,
      enabled: pot.enabled,
      cycle: pot.cycle,
      cycleStart: pot.cycle_start,
      cycleContributions: pot.cycle_contributions,
      lastDrawn: BigInt(pot.last_drawn),
      current: BigInt(pot.current),
      seed: BigInt(pot.seed),
      surplus: BigInt(pot.surplus),
      overflow: BigInt(pot.overflow),
      carry: BigInt(pot.carry),
      effective: header.config.pots[index].effective,
      pending: header.config.pots[index].pending,
    })),
  };
}

/** A decimal as [numerator, denominator]. */
function exact(text: string | undefined, fallback = '0'): [bigint, bigint] {
  const [whole, decimals = ''] = (text === undefined || text === '' ? fallback : text).split('.');
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
}

export function atomsOf(text: string | undefined): bigint {
  const [numerator, denominator] = exact(text);
  return (numerator * UNIT) / denominator;
}

function part(share: Json | null | undefined, amount: bigint, left: bigint): bigint {
  if (share === null || share === undefined) return 0n;
  const [numerator, denominator] = exact(share.Percentage);
  const wanted = share.Fixed === undefined ? (amount * numerator) / denominator : atomsOf(share.Fixed);
  return wanted < left ? wanted : left;
}

function maximumOf(pot: Json): bigint | null {
  return pot.maximum_pot_value === undefined || pot.maximum_pot_value === ''
    ? null
    : atomsOf(pot.maximum_pot_value);
}

function meets(criteria: Json | undefined, wager: bigint, contribution: bigint): boolean {
  return wager >= atomsOf(criteria?.min_base_wager) && contribution >= atomsOf(criteria?.min_contribution);
}

/** Feeds one contribution; returns which pots qualify for the draw. */
export function feed(accounts: Accounts, config: Json, contribution: bigint, wager: bigint): boolean[] {
  const { pots } = accounts;
  const qualified = pots.map((pot) => pot.enabled && meets(pot.effective.criteria, wager, contribution));
  const onlyQualified = config.contribution_rules.qualified_contribution_only ?? true;
  const fed = onlyQualified ? qualified : pots.map((pot) => pot.enabled);
  const gross = grossShares(accounts, config, contribution, fed);
  pots.forEach((pot, index) => {
    if (fed[index]) feedPot(pot, gross[index]!);
  });
  feedHouse(accounts, config, contribution - gross.reduce((sum, each) => sum + each, 0n));
  return qualified;
}

function grossShares(accounts: Accounts, config: Json, contribution: bigint, fed: boolean[]): bigint[] {
  let left = contribution - part(config.house_pot?.contribution_type, contribution, contribution);
  let totalShare: [bigint, bigint] = [0n, 1n];
  let floors = 0n;
  const gross = accounts.pots.map((pot) => {
    const share = part(pot.effective.contribution, contribution, left);
    left -= share;
    if (pot.effective.contribution.Percentage !== undefined) {
      const [numerator, denominator] = exact(pot.effective.contribution.Percentage);
      totalShare = [totalShare[0] * denominator + numerator * totalShare[1], totalShare[1] * denominator];
      floors += (contribution * numerator) / denominator;
    }
    return share;
  });
  let dust = (contribution * totalShare[0]) / totalShare[1] - floors;
  if (dust > left) dust = left;
  if (fed.every((each) => each)) {
    if (dust > 0n) gross[largestShareOf(accounts)]! += dust;
    return gross;
  }
  const all = gross.reduce((sum, each) => sum + each, 0n);
  const fedTotal = gross.reduce((sum, each, index) => (fed[index] ? sum + each : sum), 0n);
  const unfed = all - fedTotal;
  const shared = gross.map((each, index) => {
    if (!fed[index]) return 0n;
    return fedTotal === 0n ? each : each + (unfed * each) / fedTotal;
  });
  let largest = fed.indexOf(true);
  shared.forEach((each, index) => {
    if (fed[index] && each > shared[largest]!) largest = index;
  });
  const given = shared.reduce((sum, each) => sum + each, 0n);
  shared[largest]! += all - given + dust;
  return shared;
}

function largestShareOf(accounts: Accounts): number {
  let best = 0;
  accounts.pots.forEach((pot, index) => {
    const [a, b] = exact(pot.effective.contribution.Percentage);
    const [c, d] = exact(accounts.pots[best]!.effective.contribution.Percentage);
    if (a * d > c * b) best = index;
  });
  return best;
}

function feedPot(pot: PotState, gross: bigint): void {
  pot.cycleContributions += 1;
  const { effective } = pot;
  if (effective.is_progressive === false) {
    pot.seed += gross;
    return;
  }
  const strategy = effective.seed_strategy?.fund_strategy ?? 'CollectToMinReseed';
  let seed = strategy === 'HouseFunded' ? 0n : part(effective.seed_contribution, gross, gross);
  if (strategy === 'CollectToMinReseed') {
    const missing = atomsOf(effective.seed_strategy?.min_reseed_value) - pot.seed;
    if (seed > missing) seed = missing > 0n ? missing : 0n;
  }
  pot.seed += seed;
  const rest = gross - seed;
  const maximum = maximumOf(effective);
  const room = maximum === null ? rest : maximum - pot.current;
  const free = room < 0n ? 0n : room;
  const taken = smaller(free, rest);
  pot.current += taken;
  pot.overflow += rest - taken;
}

function feedHouse(accounts: Accounts, config: Json, inflow: bigint): void {
  const repaid = inflow < accounts.deficit ? inflow : accounts.deficit;
  accounts.deficit -= repaid;
  const left = inflow - repaid;
  const [numerator, denominator] = exact(config.house_pot?.diversion_rules?.diversion_percentage);
  accounts.house += left - (left * numerator) / denominator;
}

/** Pays a pot and opens its next cycle; returns the main winner's amount. EUR-like currencies of two digits only. */
export function payAndReseed(accounts: Accounts, config: Json, pot: PotState, timestamp: number): bigint {
  const value = pot.current;
  const [main, mainOf] = exact(pot.effective.payout_ruleset?.main_winner_percentage, '1');
  const [fee, feeOf] = exact(pot.effective.payout_ruleset?.admin_fee);
  const exactWin = (value * main) / mainOf;
  const win = exactWin - (exactWin % 10n ** 6n);
  pot.carry += value - win - (value * fee) / feeOf;
  pot.current = 0n;
  if (config.max_instantiation_count !== null && pot.cycle >= config.max_instantiation_count) {
    pot.enabled = false;
    return win;
  }
  pot.effective = pot.pending ?? pot.effective;
  pot.pending = null;
  reseed(accounts, pot);
  pot.cycle += 1;
  pot.enabled = pot.effective.enabled ?? true;
  pot.cycleStart = timestamp;
  pot.cycleContributions = 0;
  pot.lastDrawn = pot.current;
  return win;
}

function reseed(accounts: Accounts, pot: PotState): void {
  const need = atomsOf(pot.effective.seed_strategy?.min_reseed_value);
  const strategy = pot.effective.seed_strategy?.reseed_strategy ?? 'Full';
  const maximum = maximumOf(pot.effective);
  const room = () => (maximum === null ? 10n ** 30n : maximum - pot.current);
  const missing = () => (need > pot.current ? need - pot.current : 0n);
  const seed = smaller(smaller(pot.seed, strategy === 'Minimum' ? need : pot.seed), room());
  pot.seed -= seed;
  pot.current += seed;
  if (strategy !== 'Collected') {
    const surplus = smaller(pot.surplus, missing());
    pot.surplus -= surplus;
    pot.current += surplus;
    const house = smaller(accounts.house, missing());
    accounts.house -= house;
    pot.current += house;
    const operator = missing();
    accounts.deficit += operator;
    pot.current += operator;
  }
  const overflow = smaller(pot.overflow, room());
  pot.overflow -= overflow;
  pot.current += overflow;
  const carry = smaller(pot.carry, room());
  pot.carry -= carry;
  pot.current += carry;
}

function smaller(a: bigint, b: bigint): bigint {
  return [a, b].reduce((least, each) => (each < least ? each : least), a);
}
