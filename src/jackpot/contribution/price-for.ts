import { MAX_AMOUNT_ATOMS } from '../../lib/money.ts';
import type { Contribute } from '../commands.ts';
import { isOptedIn, preferencesOf } from '../opt-in/status.ts';
import { type Refusal, refused } from '../refusals.ts';
import type { LaneState } from '../state/lane-state.ts';
import type { Preference } from '../state/player-segment.ts';
import { type Exchange, exchangeFor, fromInstance, toInstance } from './convert.ts';
import type { Entry } from './plan.ts';
import { type Price, price, serves } from './price.ts';

/** The price of a contribution at its place in the log, and whether the opt-in rule is met. */
export function priceFor(state: LaneState, entry: Entry, command: Contribute): Price | Refusal {
  const { instance } = entry;
  const { rules, currency } = instance.configuration;
  const maximumAgeMs = state.settings.maximumRateAgeMs ?? null;
  const row = rules.optInRequired || entry.row >= 0 ? rowOf(entry, command) : -1;
  const preferences = row < 0 ? [] : preferencesOf(instance, row);
  const ages = maximumAgeMs !== null && command.currency !== currency;
  let made: Price | Refusal;
  if (preferences.length === 0 && !ages && serves(instance.price, command)) {
    made = instance.price;
  } else {
    if (command.baseWagerAtoms < 0n) return refused('amount_negative');
    if (command.baseWagerAtoms > MAX_AMOUNT_ATOMS) return refused('amount_out_of_range');
    const exchange = exchangeFor(
      state.rates,
      command.brand,
      command.currency,
      currency,
      state.nowMs,
      maximumAgeMs,
    );
    if ('kind' in exchange) return exchange;
    made = price(rules, exchange, command, preferredAtoms(state, entry, preferences, exchange));
    if (made.kind === 'Refused') return made;
    const plain = preferences.length === 0 && command.maxBetAtoms === null && command.bonus === null;
    if (plain) instance.price = made;
  }
  if (rules.optInRequired && (row < 0 || !isOptedIn(instance, row, command.currency))) {
    return refused('opt_in_required');
  }
  return made;
}

/** The preference for the request's currency, else the latest one converted; null where there is none. */
function preferredAtoms(
  state: LaneState,
  entry: Entry,
  preferences: readonly Preference[],
  exchange: Exchange,
): bigint | null {
  const stated = preferences.filter((each) => each.atoms !== null);
  const same = stated.find((each) => each.currency === exchange.from);
  if (same !== undefined) return same.atoms;
  const latest = stated[stated.length - 1];
  if (latest === undefined) return null;
  const brand = entry.brand.command.brand;
  const other = exchangeFor(state.rates, brand, latest.currency, exchange.to, state.nowMs, null);
  return 'kind' in other ? null : fromInstance(exchange, toInstance(other, latest.atoms!));
}

function rowOf(entry: Entry, command: Contribute): number {
  if (entry.row >= 0) return entry.row;
  return entry.instance.players.find(entry.brand.number, command.player);
}
