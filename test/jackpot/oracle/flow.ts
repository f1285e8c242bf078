import type { OracleInstance, OraclePot } from './instance.ts';
import { amount, atLeastZero, part, ratio, smallest, sum } from './numbers.ts';
import type { Priced } from './price.ts';
import { percentage, share } from './rules.ts';
import { capOf } from './triggers.ts';

/** Steps 5 and 6: what the house and each pot get of C; null for a pot that is not fed. */
export function splitOf(
  instance: OracleInstance,
  c: bigint,
  fed: readonly boolean[],
): { readonly house: bigint; readonly gross: readonly (bigint | null)[] } {
  const { pots, document } = instance;
  const h = share(document.house_pot?.contribution_type, c, c);
  let left = c - h;
  const shares = pots.map((pot) => {
    const g = share(pot.document.contribution, c, left);
    left -= g;
    return g;
  });
  const fractions = pots.map((pot) => percentage(pot.document.contribution));
  const floors = fractions.reduce((total, p) => total + part(c, p), 0n);
  const dust = smallest(part(c, sum(fractions)) - floors, left);
  if (fed.every((each) => each)) {
    let largest = 0;
    fractions.forEach((p, i) => {
      const best = fractions[largest]!;
      if (p.n * best.d > best.n * p.d) largest = i;
    });
    shares[largest]! += dust;
    return { house: left - dust + h, gross: shares };
  }
  const kept = shares.reduce((total, g, i) => total + (fed[i] ? g : 0n), 0n);
  const freed = shares.reduce((total, g, i) => total + (fed[i] ? 0n : g), 0n);
  const added = shares.map((g, i) => (fed[i] && kept > 0n ? (freed * g) / kept : 0n));
  const rest = freed - added.reduce((a, b) => a + b, 0n);
  const gross = shares.map((g, i) => (fed[i] ? g + added[i]! : null));
  let largest = -1;
  gross.forEach((g, i) => {
    if (g !== null && (largest < 0 || g > gross[largest]!)) largest = i;
  });
  gross[largest] = gross[largest]! + rest + dust;
  return { house: left - dust + h, gross };
}

/** Steps 7 and 8. */
export function feed(instance: OracleInstance, priced: Priced, split: ReturnType<typeof splitOf>): void {
  const { accounts, pots } = instance;
  instance.total += 1;
  accounts.player! -= priced.playerPart;
  accounts.operator_capital! -= priced.operatorPart;
  pots.forEach((pot, i) => {
    const g = split.gross[i];
    if (g !== null && g !== undefined) feedPot(pot, g);
  });
  feedHouse(instance, split.house);
  const threshold = instance.document.house_pot?.diversion_rules?.flush_threshold ?? '';
  const flushes = threshold !== '' && accounts.diversion! >= amount(threshold);
  if (!flushes || accounts.diversion_pending! > 0n) return;
  accounts.diversion_pending! += accounts.diversion!;
  accounts.diversion = 0n;
}

function feedPot(pot: OraclePot, g: bigint): void {
  const { accounts, document } = pot;
  pot.count += 1;
  pot.cycleCount += 1;
  pot.contributed += g;
  const seeds = document.seed_strategy ?? {};
  const strategy = seeds.fund_strategy ?? 'CollectToMinReseed';
  const s = share(document.seed_contribution, g, g);
  let toSeed = s;
  if (strategy === 'CollectToMinReseed') {
    toSeed = smallest(s, atLeastZero(amount(seeds.min_reseed_value ?? 0) - accounts.seed));
  }
  if (strategy === 'HouseFunded') toSeed = 0n;
  if (document.is_progressive === false) toSeed = g;
  const a = g - toSeed;
  const cap = capOf(document);
  const toCurrent = cap === null ? a : smallest(a, atLeastZero(cap - accounts.current));
  accounts.seed += toSeed;
  pot.contributedSeed += toSeed;
  accounts.current += toCurrent;
  accounts.overflow += a - toCurrent;
}

function feedHouse(instance: OracleInstance, inflow: bigint): void {
  if (inflow === 0n) return;
  const { accounts, document } = instance;
  instance.houseCount += 1;
  const repaid = smallest(inflow, instance.deficit);
  instance.deficit -= repaid;
  accounts.operator_capital! += repaid;
  const rest = inflow - repaid;
  const diverted = part(rest, ratio(document.house_pot?.diversion_rules?.diversion_percentage ?? '0'));
  accounts.diversion! += diverted;
  accounts.house! += rest - diverted;
}
