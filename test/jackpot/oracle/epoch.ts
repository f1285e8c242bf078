import { enable } from './closed-pots.ts';
import type { OracleInstance } from './instance.ts';
import { canonical, hex, sha256 } from './jpd1.ts';
import type { OracleLane } from './lane.ts';
import type { Json } from './rules.ts';
import { announceInstance, tellHeader } from './told.ts';

export function wantsBeacon({ document }: OracleInstance): boolean {
  return document.draw_beacon === 'Required';
}

/** Its seed is committed, and the beacon is there where the rules in force want one. */
export function mayBegin(instance: OracleInstance, epoch: number): boolean {
  const seed = instance.seeds.get(epoch);
  return seed !== undefined && (!wantsBeacon(instance) || seed.beacon.length > 0);
}

/** Begins the next epoch of an instance: what waited for it binds, the header joins the head. */
export function beginEpoch(lane: OracleLane, instance: OracleInstance): void {
  const { nowMs, raffles } = lane;
  const number = instance.epoch === null ? 0 : instance.epoch.number + 1;
  const isChanged = instance.pending !== null;
  instance.document = instance.pending ?? instance.document;
  instance.pending = null;
  const enabled = enable(instance, nowMs);
  lane.enabledAgain += enabled;
  if (isChanged || enabled > 0) announceInstance(lane, instance);
  const { document, accounts, pots } = instance;
  const config: Json = {};
  for (const name of [
    'currency',
    'jackpot_type',
    'max_instantiation_count',
    'contribution_rules',
    'house_pot',
    'win_selector_strategy',
    'raffle_rules',
  ]) {
    config[name] = document[name] ?? null;
  }
  if (wantsBeacon(instance)) config.draw_beacon = 'Required';
  config.pots = pots.map((pot) => ({ effective: pot.document, pending: pot.pending }));
  const configHash = sha256(canonical(config));
  const { commit, beacon } = instance.seeds.get(number)!;
  const header = {
    v: 'JPD1',
    instance: instance.id,
    epoch: number,
    first_seq: instance.sequence + 1,
    config_hash: hex(configHash),
    config,
    commit: hex(commit),
    beacon: hex(beacon),
    rules: 2,
    resumed: instance.resumedMs,
    prev_head: hex(instance.head),
    accounts: texts(accounts),
    accumulated_seed_deficit: String(instance.deficit),
    pots: pots.map((pot) => ({
      id: pot.id,
      enabled: pot.enabled,
      cycle: pot.cycle,
      cycle_start: pot.cycleStart,
      cycle_contributions: pot.cycleCount,
      last_drawn: String(pot.lastDrawn),
      time_windows: pot.times.flatMap((time, trigger) =>
        time === null
          ? []
          : [
              {
                trigger,
                end: time.window?.end ?? null,
                last_evaluated: time.last,
                paid_end: time.paidEnd,
              },
            ],
      ),
      ...texts(pot.accounts),
    })),
  };
  const { deficit, sequence, switchedFrom } = instance;
  // Account transfer does not show it.
  const isUnseen = sequence === 0 && accounts.transfer === 0n && (switchedFrom !== '' || deficit !== 0n);
  if (isUnseen) Object.assign(header, { received: true });
  const raffle = raffles.get(instance);
  if (raffle !== null) {
    const { number: round, start, end, isLast: last } = raffle.round!;
    Object.assign(header, { raffle: { round, start, end, last, tickets: raffle.tickets } });
  }
  instance.made.push(header);
  tellHeader(lane, header);
  instance.head = sha256(instance.head, sha256(canonical(header)));
  instance.epoch = { number, firstSequence: instance.sequence + 1, startedMs: nowMs, configHash };
  instance.endRequested = false;
}

function texts(accounts: Readonly<Record<string, bigint>>): Record<string, string> {
  return Object.fromEntries(Object.entries(accounts).map(([name, value]) => [name, String(value)]));
}
