import { maxAmountAtoms } from '../../../lib/money.ts';
import { isBrandAllowed, isCountryAllowed } from '../../../messages/admission.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import type { BulkOptInRow, OptIn } from '../../../messages/player-commands.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import { followOptIn } from '../../rules/opt-ins/copy-opt-in.ts';
import { preferencesOf, statusRecord } from '../../rules/opt-ins/status.ts';
import { exchangeFor } from '../../rules/prices/convert.ts';
import { highestValue, standardValue } from '../../rules/prices/price.ts';
import { isOpen } from '../../rules/statuses/change.ts';
import { type Brand, pseudonymOf } from '../../state/directory/brands.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { Preference } from '../../state/players/player-segment.ts';
import { moved, optOut, writeMove } from './opt-out.ts';

/** With `linked` linked instances follow; one that refuses is named in `failed` and stops nothing. */
export function optIn(state: LaneState, command: OptIn): CommandOutcome {
  const instance = state.instances.get(command.instance);
  if (instance === undefined) return refused('instance_not_found');
  const refusal = move(state, instance, command);
  if (refusal !== null) return refusal;
  const succeeded = [instance.id];
  const failed: string[] = [];
  for (const id of command.linked ? instance.links : []) {
    const link = state.instances.get(id);
    const moved =
      link !== undefined &&
      move(state, link, { ...command, valueAtoms: null, statesCurrency: false }) === null;
    (moved ? succeeded : failed).push(id);
  }
  return { kind: 'OptedIn', succeeded, failed };
}

/** A row of a bulk command: a move without a value, on the instance alone. */
export function moveOptIn(state: LaneState, row: BulkOptInRow): Refusal | null {
  const instance = state.instances.get(row.instance);
  if (instance === undefined) return refused('instance_not_found');
  return move(state, instance, {
    kind: 'OptIn',
    country: '',
    valueAtoms: null,
    linked: false,
    user: '',
    ...row,
  });
}

function move(state: LaneState, instance: Instance, command: OptIn): Refusal | null {
  if (!isOpen(instance)) return refused('instance_not_active');
  const brand = state.brands.get(command.brand);
  if (brand === null) return refused('brand_not_found', 'the brand is not known to the lane yet');
  if (!isBrandAllowed(instance.configuration.rules, instance.facts.owner, command.brand))
    return refused('brand_not_allowed');
  if (command.country !== '' && !isCountryAllowed(instance.configuration.rules, command.country))
    return refused('country_not_allowed');
  const currency = command.currency === '' ? instance.configuration.currency : command.currency;
  const refusal = valueRefusal(state, instance, command, currency);
  if (refusal !== null) return refusal;
  const row = rowFor(state, instance, brand, command.player);
  if (row < 0) return refused('player_limit');
  if (command.optIn || !state.rules.optOutsEndContributions) store(state, instance, row, command, currency);
  else optOut(state, instance, row, command.currency);
  followOptIn(state, instance, row);
  const status = statusRecord(state, instance, command.brand, command.player, row);
  state.announce({ kind: 'OptInChanged', status });
  return null;
}

/** A preferred value lies in [default, maximum] at the current rate. Leaving is never refused for it. */
function valueRefusal(
  state: LaneState,
  instance: Instance,
  command: OptIn,
  currency: string,
): Refusal | null {
  const { valueAtoms } = command;
  const { rules, currency: own } = instance.configuration;
  if (!command.optIn || (valueAtoms === null && !rules.optInPerCurrency)) return null;
  if (valueAtoms !== null && valueAtoms < 0n) return refused('amount_negative');
  const maxAgeMs = valueAtoms === null ? null : (state.settings.maximumRateAgeMs ?? null);
  const exchange = exchangeFor(state.rates, command.brand, currency, own, state.nowMs, maxAgeMs);
  if ('kind' in exchange) return exchange;
  if (valueAtoms === null) return null;
  if (rules.type.fixedAtoms === null) {
    return refused('amount_out_of_range', 'contributions of this instance have no preferred value');
  }
  const highest = highestValue(rules, exchange) ?? maxAmountAtoms;
  const fits = valueAtoms >= standardValue(rules, exchange) && valueAtoms <= highest;
  return fits ? null : refused('amount_out_of_range');
}

/** −1 where there is no room for another player of the operator. */
function rowFor(state: LaneState, instance: Instance, brand: Brand, player: string): number {
  const { players } = instance;
  const known = players.find(brand.number, player);
  if (known < 0 && !state.mayAddPlayer(brand)) return -1;
  state.touch(instance);
  state.touchPlayers(instance, known < 0 ? players.size : known);
  if (known >= 0) return known;
  state.playerCounts.add(brand);
  return players.add(brand.number, player, pseudonymOf(state.hashing, brand, player), state.generation);
}

/** An opt-in; and an opt-out by the first version of the engine. */
function store(state: LaneState, instance: Instance, row: number, command: OptIn, currency: string): void {
  const segment = instance.players.segmentOf(row);
  const perCurrency = instance.configuration.rules.optInPerCurrency;
  const before = preferencesOf(instance, row);
  const same = before.find((each) => each.currency === currency);
  // Who leaves states nothing new.
  const valueAtoms = command.optIn ? command.valueAtoms : null;
  const isStated = command.statesCurrency === true && command.optIn && command.currency !== '';
  const changes = perCurrency ? command.optIn || same !== undefined : valueAtoms !== null || isStated;
  if (changes) {
    const entry: Preference = {
      currency,
      atoms: valueAtoms ?? same?.atoms ?? null,
      optedIn: command.optIn,
      updatedMs: state.nowMs,
      ...(isStated ? { isStated } : {}),
    };
    const states = valueAtoms !== null || isStated;
    segment.preferences.set(row & 4095, states ? latest(before, entry, perCurrency) : moved(before, entry));
  } else if (!perCurrency && before.length > 0) {
    // The move counts for every currency, also once opt-ins become per currency or are copied to where they
    // are.
    const { optIn } = command;
    segment.preferences.set(
      row & 4095,
      before.map((each) => ({ ...each, optedIn: optIn })),
    );
  }
  const optedIn = perCurrency ? preferencesOf(instance, row).some((each) => each.optedIn) : command.optIn;
  writeMove(state, instance, row, optedIn, perCurrency ? null : false);
}

/** A preference that is stated anew is the latest. */
function latest(
  before: readonly Preference[],
  entry: Preference,
  perCurrency: boolean,
): readonly Preference[] {
  return [...othersOf(before, entry, perCurrency), entry];
}

/** What stays beside a new preference; without opt-ins per currency, a value until a new one is given. */
function othersOf(
  before: readonly Preference[],
  { currency, atoms, optedIn }: Preference,
  perCurrency: boolean,
): readonly Preference[] {
  const others = before.filter((each) => each.currency !== currency);
  if (perCurrency) return others;
  return atoms === null
    ? others.filter((each) => each.atoms !== null).map((each) => ({ ...each, optedIn }))
    : [];
}
