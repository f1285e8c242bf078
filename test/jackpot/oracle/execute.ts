import type { Command } from '../../../src/messages/commands.ts';
import type { AdjustPot, TriggerPot } from '../../../src/messages/instance-commands.ts';
import type { Continue } from '../../../src/messages/lane-commands.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import type { DebitSettled } from '../../../src/messages/settlement-commands.ts';
import { breaks } from './contribute.ts';
import { wantsBeacon } from './epoch.ts';
import { newInstance, type OracleInstance } from './instance.ts';
import { hex } from './jpd1.ts';
import type { OracleLane } from './lane.ts';
import { sourceName } from './names.ts';
import { maxAmount } from './numbers.ts';
import { bulkOptIn, optIn } from './opt-in.ts';
import { setBrandAllowed, setParameters } from './parameters.ts';
import { hasLeft } from './players.ts';
import { admission } from './resolve.ts';
import { type Json, rulesOf } from './rules.ts';
import { cancelDebit, decideCredit, settleCredits, settleFlush } from './settle.ts';
import { setStatus, suspendInstance, tick } from './status.ts';
import { cancelSwitch, endSwitch, switchModel } from './switch.ts';
import { announce, announceBindings, announceInstance, tellWin } from './told.ts';
import { capOf } from './triggers.ts';
import { pay } from './win.ts';

/** Every command but contributions. A text: the code of the refusal, or "done". */
export function execute(lane: OracleLane, command: Exclude<Command, Contribute | DebitSettled>): unknown {
  switch (command.kind) {
    case 'SetBrand': {
      const salt = lane.brands.get(command.brand)?.salt ?? command.salt;
      lane.brands.set(command.brand, { ...command, salt });
      return 'done';
    }
    case 'SetRates':
      lane.rates.tables.set(command.brand, command);
      return 'done';
    case 'SetSegment': {
      const key = `${command.owner}/${command.segment}`;
      if (command.priority === null) lane.segments.delete(key);
      else lane.segments.set(key, command.priority);
      return 'done';
    }
    case 'Bind':
    case 'Unbind':
    case 'SetBindingPriorities':
      return bindings(lane, command);
    case 'CreateInstance':
      if (lane.instances.has(command.instance)) return 'already_exists';
      lane.instances.set(command.instance, newInstance(command));
      announceInstance(lane, lane.instances.get(command.instance)!);
      return 'done';
    case 'Own':
      lane.settings = command.settings ?? lane.settings;
      return 'done';
    case 'UpgradeTo':
    case 'Quarantine':
      return 'done';
    case 'BulkOptIn':
      return bulkOptIn(lane, command);
    case 'SwitchModel':
      return switchModel(lane, command);
    case 'CancelSwitch':
      return cancelSwitch(lane, command);
    case 'CreditSettled':
      return settleCredits(lane, command);
    case 'ReleaseCredit':
    case 'RetryCredit':
    case 'ResolveCredit':
      return decideCredit(lane, command);
    case 'CancelDebit':
      return cancelDebit(lane, command);
    case 'Continue':
      return goOn(lane, command);
    default: {
      const instance = lane.instances.get(command.instance);
      if (instance === undefined) return 'instance_not_found';
      const version = 'expectedVersion' in command ? command.expectedVersion : null;
      if (version !== null && version !== instance.version) return 'version_conflict';
      return ofInstance(lane, instance, command);
    }
  }
}

type InstanceCommand = Exclude<
  Command,
  {
    readonly kind:
      | 'Contribute'
      | 'SetBrand'
      | 'SetRates'
      | 'SetSegment'
      | 'Bind'
      | 'Unbind'
      | 'SetBindingPriorities'
      | 'BulkOptIn'
      | 'CancelDebit'
      | 'CancelSwitch'
      | 'Continue'
      | 'CreateInstance'
      | 'CreditSettled'
      | 'DebitSettled'
      | 'Own'
      | 'Quarantine'
      | 'ReleaseCredit'
      | 'ResolveCredit'
      | 'RetryCredit'
      | 'SwitchModel'
      | 'UpgradeTo';
  }
>;

function ofInstance(lane: OracleLane, instance: OracleInstance, command: InstanceCommand): unknown {
  switch (command.kind) {
    case 'SetLinks':
      lane.touched.add(instance);
      instance.links = [...new Set(command.links)].filter((id) => id !== instance.id);
      instance.version += 1;
      announceInstance(lane, instance);
      return 'done';
    case 'SetDetails':
      lane.touched.add(instance);
      instance.version += 1;
      announceInstance(lane, instance);
      return 'done';
    case 'OpenEpoch':
      if (command.seeds.length === 0 && command.beacon.length > 0)
        return acceptBeacon(lane, instance, command);
      for (const { epoch, commit, sealed } of command.seeds) {
        if (!instance.seeds.has(epoch)) {
          instance.seeds.set(epoch, { seed: sealed, commit, beacon: command.beacon });
        }
      }
      lane.touched.add(instance);
      return 'done';
    case 'RevealEpoch':
      instance.unrevealed.delete(command.epoch);
      lane.touched.add(instance);
      announce(lane, 'epoch');
      return 'done';
    case 'Tick':
      return tick(lane, instance);
    case 'SetStatus':
      return setStatus(lane, instance, command);
    case 'SetParameters':
      return setParameters(lane, instance, command.configuration);
    case 'SetBrandAllowed':
      return setBrandAllowed(lane, instance, command);
    case 'OptIn':
      return optIn(lane, instance, command);
    case 'AdjustPot':
      return adjust(lane, instance, command);
    case 'TriggerPot':
      return trigger(lane, instance, command);
    case 'FlushSettled':
      return settleFlush(lane, instance, command);
    default:
      throw new Error(`the oracle does not know ${(command as Command).kind}`);
  }
}

function bindings(
  lane: OracleLane,
  command: Extract<Command, { kind: 'Bind' | 'Unbind' | 'SetBindingPriorities' }>,
): string {
  const listOf = (id: string) => {
    const key = `${command.of}/${command.owner}/${id}`;
    const list = lane.bindings.get(key) ?? new Map<string, number>();
    lane.bindings.set(key, list);
    return list;
  };
  if (command.kind === 'Bind') {
    if (!lane.instances.has(command.instance)) return 'instance_not_found';
    const isBounded = lane.settings.maximumMessageBytes !== undefined;
    const isFull = command.ids.map(listOf).some((list) => list.size >= 1_000 && !list.has(command.instance));
    if (isBounded && isFull) return 'invalid_parameter';
    for (const list of command.ids.map(listOf)) {
      const next = Math.max(-1, ...list.values()) + 1;
      list.set(command.instance, command.priority ?? list.get(command.instance) ?? next);
      announceBindings(lane, list.size);
    }
    return 'done';
  }
  if (command.kind === 'Unbind') {
    const found = command.ids.map(listOf).filter((list) => list.delete(command.instance));
    for (const list of found) announceBindings(lane, list.size);
    return found.length === 0 ? 'not_mapped' : 'done';
  }
  const list = listOf(command.id);
  if (command.priorities.some(([instance]) => !list.has(instance))) return 'not_mapped';
  for (const [instance, priority] of command.priorities) list.set(instance, priority);
  announceBindings(lane, list.size);
  return 'done';
}

/** The next step of a raffle's round: done when the message ends; or the last command of a switch. Everything else is done in one step here. */
function goOn(lane: OracleLane, { job, step }: Continue): string {
  const source = job.startsWith('move/') ? lane.instances.get(job.slice(5)) : undefined;
  if (source !== undefined) return endSwitch(lane, source, step);
  const instance = job.startsWith('raffle/') ? lane.instances.get(job.slice(7)) : undefined;
  const raffle = instance === undefined ? null : lane.raffles.get(instance);
  if (instance === undefined || raffle === null || instance.status !== 'Resolving')
    return 'invalid_parameter';
  if (step !== raffle.step + raffle.requested) return 'invalid_parameter';
  raffle.requested += 1;
  lane.touched.add(instance);
  return 'done';
}

/** A22. */
function adjust(lane: OracleLane, instance: OracleInstance, command: AdjustPot): unknown {
  const { pot: id, account, targetAtoms: target } = command;
  if (!['Pending', 'Active', 'Paused'].includes(instance.status)) return 'invalid_transition';
  const pot = instance.pots.find((each) => each.id === id);
  if (pot === undefined && id !== 'house') return 'pot_not_found';
  if (pot === undefined && account !== 'current_value') return 'invalid_parameter';
  if (target < 0n) return 'amount_negative';
  if (target > maxAmount) return 'amount_out_of_range';
  const maximum = pot === undefined ? null : capOf(pot.document);
  if (account === 'current_value' && maximum !== null && target > maximum) return 'pot_limit_exceeded';
  const name = ({ current_value: 'current', seed_value: 'seed', surplus_seed: 'surplus' } as const)[account];
  const before = pot === undefined ? instance.accounts.house! : pot.accounts[name];
  if (account === 'current_value' && target < before && !command.mayDecrease) return 'forbidden';
  const limit = command.unapprovedLimitAtoms;
  if (limit !== undefined && (target < before || target > limit)) return 'forbidden';
  if (pot === undefined) instance.accounts.house = target;
  else pot.accounts[name] = target;
  instance.accounts.adjustment! -= target - before;
  lane.touched.add(instance);
  // Before the first epoch its header will show the value.
  if (instance.epoch === null) return 'done';
  if (pot !== undefined && account === 'current_value') pot.lastDrawn = target;
  const detail = { account, before: String(before), after: String(target) };
  lane.ownMessage(instance, { type: 'adjustment', seq: instance.sequence + 1, pot: id, ...detail });
  return 'done';
}

/** A30. */
function trigger(lane: OracleLane, instance: OracleInstance, command: TriggerPot): unknown {
  const { brand, player } = command;
  if (!lane.brands.has(brand)) return 'brand_not_found';
  const index = instance.pots.findIndex((pot) => pot.id === command.pot);
  const pot = instance.pots[index];
  if (pot === undefined) return 'pot_not_found';
  const types = (lane.raffles.get(instance) === null ? (pot.document.pot_types ?? []) : []) as Json[];
  if (!types.some((type) => 'External' in type)) return 'trigger_not_supported';
  const refusal = admission(lane, instance, brand, null);
  if (refusal !== null) return refusal;
  const known = lane.players.find(instance.id, brand, player);
  if (known !== undefined && hasLeft(known)) return 'player_opted_out';
  if (command.checksOptIn && rulesOf(instance.document).optIn && !known?.optedIn) return 'opt_in_required';
  if (!pot.enabled) return 'instance_not_active';
  if (pot.accounts.current === 0n) return 'pot_empty';
  const before = structuredClone(instance);
  const own = instance.document.currency as string;
  const currency = lane.players.find(instance.id, brand, player)?.currency ?? own;
  const sequence = instance.sequence + 1;
  const win = pay(lane, instance, index, null, {
    sequence,
    brand,
    name: player,
    currency,
    table: undefined,
    source: sourceName(instance, command.source),
    round: '',
  });
  if (breaks(instance)) {
    Object.assign(instance, before);
    suspendInstance(lane, instance);
    return 'instance_suspended';
  }
  lane.ownMessage(instance, win.detail);
  tellWin(lane, '', '', [win.main, ...win.community]);
  win.open();
  lane.won.push(win);
  return { kind: 'Triggered', pot: win.pot, winAmountAtoms: win.win };
}

/** Decision 0080: of an epoch that is committed and has not begun, once. */
function acceptBeacon(
  lane: OracleLane,
  instance: OracleInstance,
  { beacon, epoch }: Extract<Command, { kind: 'OpenEpoch' }>,
): unknown {
  if (beacon.length !== 32) return 'invalid_parameter';
  const seed = instance.seeds.get(epoch);
  const hasBegun = instance.epoch !== null && epoch <= instance.epoch.number;
  if (!wantsBeacon(instance) || seed === undefined || hasBegun) return 'invalid_transition';
  if (seed.beacon.length > 0 && hex(seed.beacon) !== hex(beacon)) return 'already_exists';
  instance.seeds.set(epoch, { ...seed, beacon });
  lane.touched.add(instance);
  return 'done';
}
