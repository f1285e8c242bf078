import { maxAmountAtoms } from '../../../lib/money.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import { isOptedIn, isOptedOut, preferencesOf } from '../../rules/opt-ins/status.ts';
import { exchangeFor, toInstance } from '../../rules/prices/convert.ts';
import { price } from '../../rules/prices/price.ts';
import { meets, qualifiedPots, split } from '../../rules/prices/split.ts';
import type { ContributionRules } from '../../state/configuration/configuration.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { CurrencyExchange, Quote } from '../../state/money/quote.ts';
import type { Preference } from '../../state/players/player-segment.ts';
import type { Entry } from './entry.ts';

/** Quotes that an instance keeps, by base wager: contributions of one instance repeat a few stakes. */
const maxCachedQuotes = 256;
const noPreferences: readonly Preference[] = [];

/** Quotes a contribution, or refuses it before anything has moved. */
export function quoteFor(state: LaneState, entry: Entry, command: Contribute): Quote | Refusal {
  const { instance } = entry;
  const { rules } = instance.configuration;
  const row = rowOf(entry, command);
  const preferences = row < 0 ? noPreferences : preferencesOf(instance, row);
  const quote =
    cachedQuote(state, instance, command, preferences) ?? makeQuote(state, entry, command, preferences);
  if (quote.kind === 'Refused' && !comesAfterOptIn(quote)) return quote;
  if (row >= 0 && state.rules.optOutsEndContributions && isOptedOut(instance, row, command.currency)) {
    return refused('player_opted_out');
  }
  if (rules.optInRequired && (row < 0 || !isOptedIn(instance, row, command.currency))) {
    return refused('opt_in_required');
  }
  return quote;
}

/** A kept quote serves contributions with the same wager, brand and currency and without special terms. */
function cachedQuote(
  state: LaneState,
  instance: Instance,
  command: Contribute,
  preferences: readonly Preference[],
): Quote | null {
  const kept = instance.quotes.get(Number(command.baseWagerAtoms));
  if (kept === undefined || kept.brand !== command.brand || kept.currency !== command.currency) return null;
  if (!isPlain(command, preferences)) return null;
  const ages = (state.settings.maximumRateAgeMs ?? null) !== null && kept.price.exchange.table !== null;
  return ages ? null : kept;
}

function makeQuote(
  state: LaneState,
  entry: Entry,
  command: Contribute,
  preferences: readonly Preference[],
): Quote | Refusal {
  const { instance } = entry;
  const { rules, currency } = instance.configuration;
  if (command.baseWagerAtoms < 0n) return refused('amount_negative');
  if (command.baseWagerAtoms > maxAmountAtoms) return refused('amount_out_of_range');
  const maxAgeMs = state.settings.maximumRateAgeMs ?? null;
  const exchange = exchangeFor(state.rates, command.brand, command.currency, currency, state.nowMs, maxAgeMs);
  if ('kind' in exchange) return exchange;
  const preferred = isPreferenceUsed(rules, command)
    ? preferredAtoms(state, entry, preferences, exchange, maxAgeMs)
    : null;
  if (typeof preferred === 'object' && preferred !== null) return preferred;
  const made = price(rules, exchange, command, preferred);
  if (made.kind === 'Refused') return made;
  const wagerAtoms = toInstance(exchange, command.baseWagerAtoms);
  if (wagerAtoms > maxAmountAtoms) return refused('amount_out_of_range');
  if (!meets(rules.criteria, wagerAtoms, made.contributionAtoms)) return refused('wager_below_minimum');
  const qualified = qualifiedPots(instance, made.contributionAtoms, wagerAtoms);
  if (qualified === 0 && rules.qualifiedContributionOnly)
    return refused('wager_below_minimum', 'no pot takes this contribution');
  const fed = rules.qualifiedContributionOnly ? qualified : instance.enabledMask;
  const pots = instance.pots.map((pot) => pot.effective);
  const quote: Quote = {
    kind: 'Quote',
    brand: command.brand,
    currency: command.currency,
    price: made,
    wagerAtoms,
    qualified,
    split: split(made.contributionAtoms, instance.configuration.house, pots, fed),
  };
  if (isPlain(command, preferences)) keep(instance, command.baseWagerAtoms, quote);
  return quote;
}

function keep(instance: Instance, baseWagerAtoms: bigint, quote: Quote): void {
  const wager = Number(baseWagerAtoms);
  if (!Number.isSafeInteger(wager)) return;
  if (instance.quotes.size >= maxCachedQuotes) instance.quotes.clear();
  instance.quotes.set(wager, quote);
}

function isPlain(command: Contribute, preferences: readonly Preference[]): boolean {
  return preferences.length === 0 && command.maxBetAtoms === null && command.bonus === null;
}

/** The opt-in is checked after the amount and before the criteria. */
function comesAfterOptIn(refusal: Refusal): boolean {
  return refusal.code === 'wager_below_minimum';
}

/** A share of the wager follows no preference, and a free bet is used as it is. */
function isPreferenceUsed({ type }: ContributionRules, { bonus }: Contribute): boolean {
  return type.fixedAtoms !== null && bonus === null;
}

/** The preference for the request's currency, else the latest one converted; null: none can be priced. */
function preferredAtoms(
  state: LaneState,
  entry: Entry,
  preferences: readonly Preference[],
  exchange: CurrencyExchange,
  maxAgeMs: number | null,
): bigint | Refusal | null {
  const stated = preferences.filter((each) => each.atoms !== null);
  const same = stated.find((each) => each.currency === exchange.from);
  if (same !== undefined) return same.atoms;
  const latest = stated[stated.length - 1];
  if (latest === undefined) return null;
  const brand = entry.brand.command.brand;
  // One conversion, not two by way of the instance's currency: every one of them rounds down.
  const other = exchangeFor(state.rates, brand, latest.currency, exchange.from, state.nowMs, maxAgeMs);
  if ('kind' in other) return other.code === 'rate_invalid' ? other : null;
  return toInstance(other, latest.atoms!);
}

function rowOf(entry: Entry, command: Contribute): number {
  if (entry.row >= 0) return entry.row;
  return entry.instance.players.find(entry.brand.number, command.player);
}
