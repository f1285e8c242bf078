import type { Replica } from '../../src/actors/replica/replica.ts';
import { toHex } from '../../src/lib/bytes.ts';
import { formatAmount } from '../../src/lib/money.ts';
import type { PotDescription } from '../../src/messages/records.ts';

/**
 * An instance at a moment: fields in the order in which they are shown. Amounts are decimals in its currency.
 */
export interface InstanceState {
  /** The last message of the lane that is in it, and the lane's time. */
  readonly message: number;
  readonly timestamp: string;
  readonly fields: Readonly<Record<string, Value>>;
}

type Value = { readonly atoms: bigint } | { readonly count: number } | { readonly text: string };

/** One field in JSON and in text: amounts and texts as strings, counts as numbers. */
export type ShownValue = string | number;

export interface Change {
  readonly field: string;
  readonly at: ShownValue | null;
  readonly now: ShownValue | null;
  /** The difference of amounts and counts. */
  readonly difference: ShownValue | null;
}

/** null: the instance does not exist then. */
export function stateOf({ engine, appliedSequence }: Replica, instance: string): InstanceState | null {
  const described = engine.describe(instance);
  if (described === null) return null;
  const { status, version, sequence, epoch, eventCounter, totalContributions, house, pots, head } = described;
  return {
    message: appliedSequence,
    timestamp: new Date(engine.timestampMs).toISOString(),
    fields: {
      sequence: { count: sequence },
      status: { text: status },
      version: { count: version },
      epoch: { count: epoch },
      event_counter: { count: eventCounter },
      total_contributions: { count: totalContributions },
      last_updated: { text: new Date(described.lastUpdatedMs).toISOString() },
      head: { text: toHex(head) },
      'house.current': { atoms: house.currentAtoms },
      'house.accumulated_seed_deficit': { atoms: house.seedDeficitAtoms },
      'house.diversion': { atoms: house.diversionAtoms },
      ...Object.assign({}, ...pots.map(fieldsOfPot)),
    },
  };
}

/** The fields as JSON has them. */
export function shownFields({ fields }: InstanceState): Readonly<Record<string, ShownValue>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(value)]));
}

/** What differs between two states of the instance. */
export function changesBetween(at: InstanceState, now: InstanceState): readonly Change[] {
  const names = [...new Set([...Object.keys(at.fields), ...Object.keys(now.fields)])];
  return names.flatMap((field): Change[] => {
    const [before, after] = [at.fields[field], now.fields[field]];
    const change = {
      field,
      at: orNull(before),
      now: orNull(after),
      difference: differenceOf(before, after),
    };
    return change.at === change.now ? [] : [change];
  });
}

function fieldsOfPot(pot: PotDescription): Readonly<Record<string, Value>> {
  const fields: Readonly<Record<string, Value>> = {
    enabled: { text: pot.enabled ? 'true' : 'false' },
    instance_count: { count: pot.instanceCount },
    current: { atoms: pot.currentAtoms },
    seed: { atoms: pot.seedAtoms },
    surplus: { atoms: pot.surplusAtoms },
    overflow: { atoms: pot.overflowAtoms },
    carry: { atoms: pot.carryAtoms },
    contributed: { atoms: pot.contributedAtoms },
    contributed_seed: { atoms: pot.contributedSeedAtoms },
    initial_cost: { atoms: pot.initialCostAtoms },
    total_contributions: { count: pot.totalContributions },
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`pots.${pot.pot}.${name}`, value]),
  );
}

function shown(value: Value): ShownValue {
  if ('atoms' in value) return formatAmount(value.atoms);
  return 'count' in value ? value.count : value.text;
}

function orNull(value: Value | undefined): ShownValue | null {
  return value === undefined ? null : shown(value);
}

function differenceOf(before: Value | undefined, after: Value | undefined): ShownValue | null {
  if (before === undefined || after === undefined) return null;
  if ('atoms' in before && 'atoms' in after) return formatAmount(after.atoms - before.atoms);
  return 'count' in before && 'count' in after ? after.count - before.count : null;
}
