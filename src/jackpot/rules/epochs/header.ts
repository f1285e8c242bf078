import { toHex, utf8 } from '../../../lib/bytes.ts';
import { canonicalJson, type Json } from '../../../lib/canonical-json.ts';
import type { Hashing } from '../../../lib/hashing.ts';
import { readWide } from '../../../lib/wide.ts';
import type { DrawRules, Seed } from '../../state/instance/epochs.ts';
import type { Instance, Pot } from '../../state/instance/instance.ts';
import type { Raffle } from '../../state/instance/raffle.ts';
import * as accounts from '../../state/money/accounts.ts';
import { jpd1Name } from '../keystreams/names.ts';
import { windowsJson } from '../pots/windows.ts';

function hashedConfiguration(instance: Instance): Json {
  const document = instance.configuration.document;
  return {
    currency: json(document.currency),
    jackpot_type: json(document.jackpot_type),
    max_instantiation_count: json(document.max_instantiation_count),
    contribution_rules: json(document.contribution_rules),
    house_pot: json(document.house_pot),
    win_selector_strategy: json(document.win_selector_strategy),
    raffle_rules: json(document.raffle_rules),
    ...(instance.configuration.wantsBeacon ? { draw_beacon: 'Required' } : {}),
    pots: instance.pots.map((pot) => ({
      effective: json(pot.effective.document),
      pending: json(pot.pending?.document),
    })),
  };
}

function configHashOf(hashing: Hashing, configuration: Json): Uint8Array {
  return hashing.sha256(utf8(canonicalJson(configuration)));
}

/** The public header of the instance's next epoch: everything that its draws and accounts start from. */
export function epochHeaderOf(hashing: Hashing, instance: Instance, seed: Seed, rules: DrawRules): string {
  return canonicalJson({
    v: jpd1Name,
    instance: instance.id,
    epoch: seed.epoch,
    commit: toHex(seed.commit),
    beacon: toHex(seed.beacon),
    ...opening(hashing, instance, rules),
  });
}

/** The state in the header of a next epoch: for a terminal instance, the end of its last one. */
export function closingHeaderOf(hashing: Hashing, instance: Instance, rules: DrawRules): string {
  return canonicalJson(opening(hashing, instance, instance.epochs.begun.at(-1)?.rules ?? rules));
}

function opening(hashing: Hashing, instance: Instance, rules: DrawRules): Readonly<Record<string, Json>> {
  const config = hashedConfiguration(instance);
  return {
    ...(rules === 1 ? {} : { rules, resumed: instance.resumedMs }),
    first_seq: instance.sequence + 1,
    config_hash: toHex(configHashOf(hashing, config)),
    config,
    prev_head: toHex(instance.epochs.head),
    accounts: Object.fromEntries(
      accounts.instanceAccounts.map(([name, at]) => [name, readWide(instance.balances, at).toString()]),
    ),
    accumulated_seed_deficit: readWide(instance.balances, accounts.seedDeficitAt).toString(),
    pots: instance.pots.map((pot) => potHeader(instance.balances, pot)),
    ...(instance.raffle === null ? {} : { raffle: raffleHeader(instance.raffle) }),
    ...(hasReceivedUnseen(instance) ? { received: true } : {}),
  };
}

/** Another instance's balances came before the first number, but no money that `transfer` would show. */
function hasReceivedUnseen({ sequence, switchedFrom, balances }: Instance): boolean {
  if (sequence > 0 || readWide(balances, accounts.transferAt) !== 0n) return false;
  return switchedFrom !== '' || readWide(balances, accounts.seedDeficitAt) !== 0n;
}

/** The round that runs when the epoch begins. */
function raffleHeader({ round }: Raffle): Json {
  if (round === null) return null;
  return {
    round: round.number,
    start: round.startMs,
    end: round.endMs,
    last: round.isLast,
    tickets: round.tickets,
  };
}

function potHeader(balances: Float64Array, pot: Pot): Json {
  const at = accounts.potAt(pot.index);
  return {
    id: pot.effective.id,
    enabled: balances[at + accounts.enabledAt] === 1,
    cycle: balances[at + accounts.cycleAt]!,
    cycle_start: balances[at + accounts.cycleStartMsAt]!,
    cycle_contributions: balances[at + accounts.cycleContributionsAt]!,
    last_drawn: readWide(balances, at + accounts.lastDrawnAt).toString(),
    time_windows: windowsJson(balances, at, pot.effective),
    ...Object.fromEntries(
      accounts.potAccounts.map(([name, offset]) => [name, readWide(balances, at + offset).toString()]),
    ),
  };
}

function json(value: unknown): Json {
  return (value ?? null) as Json;
}
