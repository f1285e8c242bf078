import type { Books, Pot } from './books.ts';
import { atLeastZero, isGreater, nothing, part, smallest } from './decimal.ts';
import { expectThat } from './disagreement.ts';
import { meets, type Share, totalRatio } from './rules.ts';

export interface Fed {
  /** Which pots take part in the draw. */
  readonly qualified: readonly boolean[];
  /** The gross share of each pot that was fed, null of the others. */
  readonly gross: readonly (bigint | null)[];
}

/** Steps 5 to 8 of a contribution: it reaches the pots and the house. */
export function feed(books: Books, contribution: bigint, player: bigint, wager: bigint): Fed {
  const { pots } = books;
  expectThat('money', player <= contribution, 'the player paid more than the contribution');
  const qualified = pots.map((pot) => pot.enabled && meets(pot.rules.criteria, wager, contribution));
  const fed = fedPots(books, qualified);
  books.paying -= player;
  books.playerMoved -= player;
  books.operatorCapital -= contribution - player;
  const gross = grossShares(books, contribution, fed);
  pots.forEach((pot, index) => {
    if (fed[index]) feedPot(pot, gross[index]!);
  });
  feedHouse(books, contribution - total(gross));
  return { qualified, gross: gross.map((share, index) => (fed[index] ? share : null)) };
}

/** What was debited before the pots closed that it was for goes to those that are open, else to all. */
function fedPots({ pots, rules }: Books, qualified: readonly boolean[]): readonly boolean[] {
  const enabled = pots.map((pot) => pot.enabled);
  const wanted = rules.onlyQualified ? qualified : enabled;
  const found = [wanted, enabled].find((fed) => fed.includes(true));
  return found ?? pots.map(() => true);
}

/** Shares of all pots in array order; what pots that are not fed leave is split again over the others. */
function grossShares(
  { pots, rules }: Books,
  contribution: bigint,
  fed: readonly boolean[],
): readonly bigint[] {
  let left = contribution - shareOf(rules.houseShare, contribution, contribution);
  const gross = pots.map((pot) => {
    const share = shareOf(pot.rules.share, contribution, left);
    left -= share;
    return share;
  });
  const shares = pots.map((pot) => pot.rules.share);
  const floors = shares.map((share) => ('ratio' in share ? part(contribution, share.ratio) : 0n));
  const dust = smallest(part(contribution, totalRatio(shares)) - total(floors), left);
  if (!fed.includes(false)) {
    gross[maxShare(shares)]! += dust;
    return gross;
  }
  const fedTotal = total(gross.filter((_, index) => fed[index]));
  const unfed = total(gross) - fedTotal;
  const shared = gross.map((share, index) => {
    if (!fed[index]) return 0n;
    return fedTotal === 0n ? share : share + (unfed * share) / fedTotal;
  });
  const rest = fedTotal + unfed - total(shared);
  shared[maxAmount(shared, fed)]! += rest + dust;
  return shared;
}

function maxShare(shares: readonly Share[]): number {
  const ratio = (index: number) => {
    const share = shares[index]!;
    return 'ratio' in share ? share.ratio : nothing;
  };
  return shares.reduce((best, _, index) => (isGreater(ratio(index), ratio(best)) ? index : best), 0);
}

function maxAmount(amounts: readonly bigint[], among: readonly boolean[]): number {
  return amounts.reduce(
    (best, amount, index) => (among[index] && amount > amounts[best]! ? index : best),
    among.indexOf(true),
  );
}

function feedPot(pot: Pot, gross: bigint): void {
  const { rules } = pot;
  pot.cycleContributions += 1;
  if (!rules.isProgressive) {
    pot.seed += gross;
    return;
  }
  let seed = rules.fundStrategy === 'HouseFunded' ? 0n : shareOf(rules.seedShare, gross, gross);
  if (rules.fundStrategy === 'CollectToMinReseed')
    seed = smallest(seed, atLeastZero(rules.minReseed - pot.seed));
  const rest = gross - seed;
  const taken = rules.cap === null ? rest : smallest(rest, atLeastZero(rules.cap - pot.current));
  pot.seed += seed;
  pot.current += taken;
  pot.overflow += rest - taken;
}

/** First what the operator fronted is repaid, then the diversion takes its part, the rest stays. */
function feedHouse(books: Books, inflow: bigint): void {
  const repaid = smallest(inflow, books.deficit);
  books.deficit -= repaid;
  books.operatorCapital += repaid;
  const diverted = part(inflow - repaid, books.rules.diverted);
  books.diverting += diverted;
  if (books.diverting > books.maxDiverting) books.maxDiverting = books.diverting;
  books.house += inflow - repaid - diverted;
}

function shareOf(share: Share, amount: bigint, left: bigint): bigint {
  return smallest('fixed' in share ? share.fixed : part(amount, share.ratio), left);
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
