import type { OracleInstance, OraclePot } from './instance.ts';
import { hex } from './jpd1.ts';
import { amount, atLeastZero, largest, part, type Rates, ratio, smallest } from './numbers.ts';
import { unpriceable } from './price.ts';
import { type Json, maximumOf } from './rules.ts';

export interface OracleWinner {
  readonly sequence: number;
  readonly brand: string;
  readonly currency: string;
  readonly pseudonym: Uint8Array;
  /** [limit, its currency], null: none. */
  readonly limit: readonly [bigint, string] | null;
}

export interface OracleWin {
  readonly pot: string;
  readonly win: bigint;
  readonly withheld: boolean;
  readonly paid: bigint;
  readonly paidCurrency: string;
  readonly seedDeficit: bigint;
  readonly rateVersion: number;
  readonly detail: Json;
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

/** Step 11: payout and reseed. `trigger` null: A30. */
export function pay(
  instance: OracleInstance,
  index: number,
  trigger: number | null,
  winner: OracleWinner,
  rates: Rates,
  nowMs: number,
): OracleWin {
  const pot = instance.pots[index]!;
  const { accounts } = instance;
  const own = instance.document.currency as string;
  const rules = pot.document.payout_ruleset ?? {};
  const value = pot.accounts.current;
  const unit = rates.minorUnit('', own);
  const win = (part(value, ratio(rules.main_winner_percentage ?? '1')) / unit) * unit;
  const fee = part(value, ratio(rules.admin_fee ?? '0'));
  const carry = value - win - fee;
  pot.accounts.current = 0n;
  pot.accounts.carry += carry;
  accounts.operator_fee! += fee;

  const priced = unpriceable(rates, winner.brand, winner.currency, own) === null;
  const paidCurrency = priced ? winner.currency : own;
  const playerUnit = rates.minorUnit(winner.brand, paidCurrency);
  const converted = rates.convert(winner.brand, win, own, paidCurrency);
  const paid = paidCurrency === own ? win : (converted / playerUnit) * playerUnit;
  const back = rates.convert(winner.brand, paid, paidCurrency, own);
  const withheld = isOver(winner, win, own, rates);
  if (withheld) accounts.win_liability! += win;
  else {
    accounts.player! += back;
    accounts.fx! += win - back;
  }
  const cycle = pot.cycle;
  const last = instance.document.max_instantiation_count;
  const isLast = last !== undefined && last !== null && cycle >= last;
  if (isLast) pot.enabled = false;
  const reseeded = isLast ? null : reseed(instance, pot, nowMs);
  instance.counter += 1;
  const detail = {
    type: trigger === null ? 'trigger' : 'win',
    seq: winner.sequence,
    pot: pot.id,
    trigger,
    instance_count: cycle,
    value: String(value),
    win: String(win),
    player_paid_back: withheld ? null : String(back),
    fee: String(fee),
    carry: String(carry),
    winner: hex(winner.pseudonym),
    withheld,
    payouts: [],
    reseed: reseeded,
  };
  const seedDeficit = reseeded === null ? 0n : BigInt(reseeded.operator);
  const rateVersion = rates.of(winner.brand)?.version ?? 0;
  return { pot: pot.id, win, withheld, paid, paidCurrency, seedDeficit, rateVersion, detail };
}

/** Section 5, under the parameters of the next cycle. */
function reseed(instance: OracleInstance, pot: OraclePot, nowMs: number) {
  pot.document = pot.pending ?? pot.document;
  pot.pending = null;
  const { accounts, document } = pot;
  const strategy = document.seed_strategy?.reseed_strategy ?? 'Full';
  const need = amount(document.seed_strategy?.min_reseed_value ?? 0);
  const cap = maximumOf(document);
  const fits = (wanted: bigint) =>
    cap === null ? wanted : smallest(wanted, atLeastZero(cap - accounts.current));
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

function isOver(winner: OracleWinner, win: bigint, own: string, rates: Rates): boolean {
  if (winner.limit === null) return false;
  const [limit, currency] = winner.limit;
  if (unpriceable(rates, winner.brand, currency, own) !== null) return true;
  return win > rates.convert(winner.brand, limit, currency, own);
}
