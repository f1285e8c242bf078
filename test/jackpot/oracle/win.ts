import { type Community, communityOf } from './community.ts';
import type { OracleInstance, OraclePot } from './instance.ts';
import { hex, sha256 } from './jpd1.ts';
import type { OracleLane } from './lane.ts';
import {
  amount,
  atLeastZero,
  largest,
  maxAmount,
  part,
  type Rates,
  ratio,
  smallest,
  type Table,
} from './numbers.ts';
import { unpriceable } from './price.ts';
import type { Json } from './rules.ts';
import { openCredits } from './settle.ts';
import { openWindows, reseedCapOf } from './triggers.ts';

export interface OracleWinner {
  readonly sequence: number;
  readonly brand: string;
  readonly name: string;
  readonly currency: string;
  /** The rate table of the winning contribution. */
  readonly table: Table | undefined;
  readonly source: string;
  /** Of the winning contribution; empty: there is none. */
  readonly round: string;
}

/** One amount that left the pot for a player: in the jackpot's currency, and as paid. */
export interface OracleCredit {
  readonly brand: string;
  readonly name: string;
  readonly atoms: bigint;
  readonly paid: bigint;
  readonly paidCurrency: string;
  /** What of it leaves through `player`. */
  readonly back: bigint;
  readonly withheld: boolean;
  /** Stays a liability: for a person, or for the brand's wallet. */
  readonly waits: boolean;
}

export interface OracleWin {
  readonly pot: string;
  readonly win: bigint;
  readonly withheld: boolean;
  readonly main: OracleCredit;
  readonly community: readonly OracleCredit[];
  readonly seedDeficit: bigint;
  readonly rateVersion: number;
  readonly detail: Json;
  /** Opens the credits that wait; when nothing can be undone any more. */
  open(): void;
}

/** Step 10: which of the hit pots is paid. */
export function selected(instance: OracleInstance, hits: readonly number[]): number {
  const strategy = instance.document.win_selector_strategy ?? 'Lowest';
  if (strategy === 'First') return hits[0]!;
  const value = (index: number) => instance.pots[index]!.accounts.current;
  const [first, ...others] = hits.map(value) as [bigint, ...bigint[]];
  const wanted = strategy === 'Lowest' ? smallest(first, ...others) : largest(first, ...others);
  return hits.find((index) => value(index) === wanted)!;
}

/** Step 11: payout and reseed. `hits` by trigger of the pot, null: A30. */
export function pay(
  lane: OracleLane,
  instance: OracleInstance,
  index: number,
  hits: readonly boolean[] | null,
  winner: OracleWinner,
): OracleWin {
  const pot = instance.pots[index]!;
  const { accounts } = instance;
  const rules = pot.document.payout_ruleset ?? {};
  const value = pot.accounts.current;
  const unit = lane.rates.minorUnit('', instance.document.currency);
  const floored = (atoms: bigint) => (atoms / unit) * unit;
  const found = communityOf(
    instance,
    pot,
    lane.players.contributors(instance.id),
    lane.players.find(instance.id, winner.brand, winner.name),
    winner.sequence,
    lane.nowMs,
    floored,
  );
  const win = floored(part(value, ratio(rules.main_winner_percentage ?? '1')) + found.rest);
  const fee = part(value, ratio(rules.admin_fee ?? '0'));
  const main = credit(lane, instance, winner.brand, winner.name, winner.currency, win, winner.table);
  const community = found.shares.map(({ player, atoms }) =>
    credit(
      lane,
      instance,
      player.brand,
      player.name,
      player.currency!,
      atoms,
      tableOf(lane, instance, winner, player.currency!),
    ),
  );
  const shared = community.reduce((total, each) => total + each.atoms, 0n);
  const carry = value - win - shared - fee;
  pot.accounts.current = 0n;
  pot.accounts.carry += carry;
  accounts.operator_fee! += fee;

  const cycle = pot.cycle;
  const last = instance.document.max_instantiation_count;
  const isLast = last !== undefined && last !== null && cycle >= last;
  hits?.forEach((hit, trigger) => {
    const time = pot.times[trigger];
    if (hit && time !== null && time !== undefined) time.paidEnd = time.window?.end ?? time.paidEnd;
  });
  if (isLast) pot.enabled = false;
  if (isLast && !instance.pots.some(({ enabled }) => enabled)) instance.isSpent = true;
  const reseeded = isLast ? null : reseed(instance, pot, lane.nowMs);
  instance.counter += 1;
  const trigger = hits === null ? null : hits.indexOf(true);
  const detail = {
    type: trigger === null ? 'trigger' : 'win',
    seq: winner.sequence,
    pot: pot.id,
    trigger,
    instance_count: cycle,
    value: String(value),
    win: String(win),
    player_paid_back: main.waits ? null : String(main.back),
    fee: String(fee),
    carry: String(carry),
    winner: hex(lane.pseudonym(winner.brand, winner.name)),
    withheld: main.withheld,
    payouts: payoutsOf(lane, found, community),
    reseed: reseeded,
  };
  const seedDeficit = reseeded === null ? 0n : BigInt(reseeded.operator);
  const rateVersion = (winner.table ?? lane.rates.of(winner.brand))?.version ?? 0;
  return {
    pot: pot.id,
    win,
    withheld: main.withheld,
    main,
    community,
    seedDeficit,
    rateVersion,
    detail,
    open() {
      openCredits(lane, instance, 'main', pot.id, cycle, [main], winner);
      openCredits(lane, instance, 'community', pot.id, cycle, community, { ...winner, round: '' });
    },
  };
}

/** Section 1: an amount leaves the instance for a player; what the way back does not bring is `fx`'s. */
export function credit(
  lane: OracleLane,
  instance: OracleInstance,
  brand: string,
  name: string,
  currency: string,
  atoms: bigint,
  table: Table | undefined,
): OracleCredit {
  const rates = lane.rates.with(brand, table);
  const own = instance.document.currency as string;
  const priced = unpriceable(rates, brand, currency, own) === null;
  const paidCurrency = priced ? currency : own;
  const unit = rates.minorUnit(brand, paidCurrency);
  const converted = rates.convert(brand, atoms, own, paidCurrency);
  const paid = paidCurrency === own ? atoms : (converted / unit) * unit;
  const back = rates.convert(brand, paid, paidCurrency, own);
  const withheld = paid > 0n && isOver(lane.verificationLimit(brand), brand, atoms, own, lane.rates);
  const waits = (withheld || lane.brands.get(brand)!.wallet) && paid > 0n;
  if (waits) instance.accounts.win_liability! += atoms;
  else {
    instance.accounts.player! += back;
    instance.accounts.fx! += atoms - back;
  }
  return { brand, name, atoms, paid, paidCurrency, back, withheld, waits };
}

/** A payout uses the version of the winning contribution, whichever brand its player is of. */
function tableOf(
  lane: OracleLane,
  instance: OracleInstance,
  winner: OracleWinner,
  currency: string,
): Table | undefined {
  const rates = lane.rates.with(winner.brand, winner.table);
  const knows = (code: string) => rates.multiplier(winner.brand, code) !== undefined;
  return knows(currency) && knows(instance.document.currency as string) ? rates.of(winner.brand) : undefined;
}

function payoutsOf(lane: OracleLane, found: Community, community: readonly OracleCredit[]): Json {
  let at = 0;
  return found.rules.map((rule) => {
    const pseudonyms = rule.candidates.map((each) => lane.pseudonym(each.brand, each.name));
    const paid = rule.each === 0n ? [] : community.slice(at, at + rule.picked.length);
    at += paid.length;
    return {
      rule: rule.kind,
      amount: String(rule.amount),
      candidates: rule.candidates.length,
      candidates_hash: hex(sha256(...pseudonyms)),
      picked: rule.picked,
      share: String(rule.each),
      paid: paid.map((each) => ({
        winner: hex(lane.pseudonym(each.brand, each.name)),
        player_paid_back: each.waits ? null : String(each.back),
        withheld: each.withheld,
      })),
    };
  });
}

/** Section 5, under the parameters of the next cycle. */
export function reseed(instance: OracleInstance, pot: OraclePot, nowMs: number) {
  instance.rebound ||= pot.pending !== null;
  pot.document = pot.pending ?? pot.document;
  pot.pending = null;
  const { accounts, document } = pot;
  const strategy = document.seed_strategy?.reseed_strategy ?? 'Full';
  const need = amount(document.seed_strategy?.min_reseed_value ?? 0);
  const cap = reseedCapOf(document);
  const fits = (wanted: bigint) => smallest(wanted, atLeastZero((cap ?? maxAmount) - accounts.current));
  const missing = () => (strategy === 'Collected' ? 0n : atLeastZero(need - accounts.current));

  const seed = fits(strategy === 'Minimum' ? smallest(accounts.seed, need) : accounts.seed);
  accounts.seed -= seed;
  accounts.current += seed;
  const surplus = smallest(accounts.surplus, missing());
  accounts.surplus -= surplus;
  accounts.current += surplus;
  const house = smallest(instance.accounts.house!, missing());
  instance.accounts.house! -= house;
  accounts.current += house;
  const operator = missing();
  instance.accounts.operator_capital! -= operator;
  instance.deficit += operator;
  accounts.current += operator;
  const overflow = fits(accounts.overflow);
  accounts.overflow -= overflow;
  accounts.current += overflow;
  const carry = fits(accounts.carry);
  accounts.carry -= carry;
  accounts.current += carry;

  pot.cycle += 1;
  pot.cycleStart = nowMs;
  pot.cycleCount = 0;
  pot.lastDrawn = accounts.current;
  pot.enabled = document.enabled !== false;
  openWindows(pot, nowMs);
  return {
    cycle: pot.cycle,
    seed: String(seed),
    surplus: String(surplus),
    house: String(house),
    operator: String(operator),
    overflow: String(overflow),
    carry: String(carry),
    opening: String(accounts.current),
  };
}

function isOver(
  limit: readonly [bigint, string] | null,
  brand: string,
  win: bigint,
  own: string,
  rates: Rates,
): boolean {
  if (limit === null) return false;
  const [most, currency] = limit;
  if (unpriceable(rates, brand, currency, own) !== null) return true;
  return win > rates.convert(brand, most, currency, own);
}
