import type { AuditChange } from '../../../audit/entry.ts';
import { instanceView } from '../../../contracts/jackpots/instance-view.ts';
import { toHex } from '../../../lib/bytes.ts';
import type { Command, CommandKind } from '../../../messages/commands.ts';
import type { LaneClient } from '../../lanes/lane-client.ts';

const maxShownItems = 50;

type Members = Readonly<Record<string, unknown>>;
/** Instances as they are shown, by id; null: the instance could not be read. */
type InstanceStates = ReadonlyMap<string, Members | null>;

/** What the record has of a command's instances; of commands that are not here, their configuration alone. */
const recorded: Readonly<Partial<Record<CommandKind, 'nothing' | 'values'>>> = {
  Contribute: 'nothing',
  OptIn: 'nothing',
  BulkOptIn: 'nothing',
  CreateInstance: 'nothing',
  Bind: 'nothing',
  Unbind: 'nothing',
  SetBindingPriorities: 'nothing',
  ReleaseCredit: 'nothing',
  RetryCredit: 'nothing',
  ResolveCredit: 'nothing',
  CancelDebit: 'nothing',
  OpenEpoch: 'nothing',
  SetStatus: 'values',
  AdjustPot: 'values',
  TriggerPot: 'values',
  SwitchModel: 'values',
};

/** Contributions move these while a change of the configuration is under way. */
const values: ReadonlySet<string> = new Set([
  'current_value',
  'seed_value',
  'surplus_seed',
  'overflow_amount',
  'contributed_amount',
  'contributed_seed',
  'total_contributions',
  'instance_count',
  'diversion_pool',
  'accumulated_seed_deficit',
  'last_updated',
]);

/** The instances that a command changes. */
export function instancesOf(command: Command): readonly string[] {
  if (recorded[command.kind] === 'nothing') return [];
  const { instance, target, to } = command as unknown as Readonly<Record<string, string | undefined>>;
  const named = [instance, command.kind === 'SwitchModel' || command.kind === 'CancelSwitch' ? target : to];
  return named.filter((id) => id !== undefined && id !== '') as string[];
}

/** Reads instances for the record; an outage leaves them out and does not refuse the change. */
export async function instanceStates(
  lanes: LaneClient,
  lane: number,
  ids: readonly string[],
  { kind }: Command,
): Promise<InstanceStates> {
  if (ids.length === 0) return new Map();
  const withValues = recorded[kind] === 'values';
  try {
    const answer = await lanes.query(lane, { kind: 'instances', ids });
    const found = answer.kind === 'instances' ? answer.instances : [];
    const shown = found.map((instance) => [instance.instance, stateOf(instanceView(instance), withValues)]);
    return new Map(shown as [string, Members][]);
  } catch {
    return new Map(ids.map((id) => [id, null]));
  }
}

/** The members that differ, of each instance. */
export function instanceChanges(before: InstanceStates, after: InstanceStates): AuditChange[] {
  return [...after].map(([id, now]) => {
    const was = before.get(id) ?? null;
    if (was === null || now === null) return { object: `instance ${id}`, before: was, after: now };
    const names = [...new Set([...Object.keys(was), ...Object.keys(now)])].filter(
      (name) => textOf(was[name]) !== textOf(now[name]),
    );
    const pick = (state: Members) => Object.fromEntries(names.map((name) => [name, state[name] ?? null]));
    return { object: `instance ${id}`, before: pick(was), after: pick(now) };
  });
}

/** The command itself, which has every detail of what was asked of the lane. */
export function commandChange(command: Command, outcome: string): AuditChange {
  const { kind, ...members } = command;
  return { object: `command ${kind}`, before: null, after: { ...plain(members), outcome } };
}

function stateOf(view: Members, withValues: boolean): Members {
  const pots = view.pots as readonly Members[];
  const byId = Object.fromEntries(pots.map((pot) => [`pot ${pot.id}`, withoutValues(pot, withValues)]));
  const { pots: _, house_pot: house, ...others } = withoutValues(view, withValues);
  return { ...others, 'pot house': withoutValues(house as Members, withValues), ...byId };
}

function withoutValues(members: Members, withValues: boolean): Members {
  if (withValues) return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => !values.has(name)));
}

function plain(value: object): Members {
  return JSON.parse(JSON.stringify(value, replaced)) as Members;
}

function replaced(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value) && value.length > maxShownItems) return `${value.length} items`;
  return value instanceof Uint8Array ? toHex(value) : value;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, replaced) ?? '';
}
