import type { CancelSwitch, SwitchModel } from '../../../src/messages/instance-commands.ts';
import { breaks } from './contribute.ts';
import { mayBegin } from './epoch.ts';
import { accountsOf, type OracleInstance, type OraclePot, type SwitchOrder } from './instance.ts';
import type { OracleLane } from './lane.ts';
import { amount, part, type Ratio, ratio, smallest, sum } from './numbers.ts';
import { hasLeft, type Player } from './players.ts';
import { type Json, rulesOf } from './rules.ts';
import { activate, move } from './status.ts';
import { announceBindings, announceInstance } from './told.ts';
import { capOf, reseedCapOf } from './triggers.ts';

const potAccounts = ['current', 'seed', 'surplus', 'overflow', 'carry'] as const;

/** A29: opt-ins are copied, and everything moves at once as soon as the target can begin. */
export function switchModel(lane: OracleLane, command: SwitchModel): string {
  const [source, target] = [lane.instances.get(command.instance), lane.instances.get(command.target)];
  if (source === undefined || target === undefined) return 'instance_not_found';
  const { order } = source;
  const isSame =
    order !== null &&
    order.target === target.id &&
    order.command.transferOptIns === command.transferOptIns &&
    order.command.override === command.override &&
    JSON.stringify(order.command.rules) === JSON.stringify(command.rules);
  if (isSame || source.successor === target.id) return 'done';
  if (command.expectedVersion !== undefined && command.expectedVersion !== source.version)
    return 'version_conflict';
  if (command.targetVersion !== undefined && command.targetVersion !== target.version)
    return 'version_conflict';
  const after = movedBy(lane, source, target, command, false);
  if (typeof after === 'string') return after;
  source.order = { command, target: target.id, step: 1, looked: 0 };
  source.cancelled = null;
  copy(lane, source);
  if (mayBegin(target, 0)) moveEverything(lane, source, after);
  else announceInstance(lane, source);
  return 'done';
}

/** The last command, written by the lane's owner when it is due; a refusal ends the switch. */
export function endSwitch(lane: OracleLane, source: OracleInstance, step: number): string {
  const { order } = source;
  if (order === null || order.step !== step || !isDue(lane, source)) return 'invalid_parameter';
  order.step += 1;
  copy(lane, source);
  const after = movedBy(lane, source, lane.instances.get(order.target)!, order.command, true);
  if (typeof after === 'string') takeBack(lane, source);
  else moveEverything(lane, source, after);
  return 'done';
}

export function cancelSwitch(lane: OracleLane, command: CancelSwitch): string {
  const source = lane.instances.get(command.instance);
  if (source === undefined) return 'instance_not_found';
  if (source.order?.target === command.target) {
    takeBack(lane, source, command.target);
    return 'done';
  }
  return source.order === null && source.cancelled === command.target ? 'done' : 'invalid_transition';
}

/** An opt-in that has changed behind its copy. */
export function copyAgain(lane: OracleLane, source: OracleInstance, player: Player): void {
  if (source.order !== null && lane.players.of(source.id).indexOf(player) < source.order.looked)
    copyOne(lane, source.order, player);
}

export function isSwitching(lane: OracleLane, instance: OracleInstance): boolean {
  return [...lane.instances.values()].some(
    ({ order, id }) => order !== null && (id === instance.id || order.target === instance.id),
  );
}

/** The instance that goes on for this one. */
export function successorOf(lane: OracleLane, instance: OracleInstance): OracleInstance {
  const { successor } = instance;
  return successor === '' ? instance : successorOf(lane, lane.instances.get(successor)!);
}

function isDue(lane: OracleLane, { order, status, suspended }: OracleInstance): boolean {
  const target = lane.instances.get(order!.target)!;
  const runs = ['Active', 'Paused'].includes(status) && !suspended;
  return mayBegin(target, 0) || !runs || target.status !== 'Pending';
}

interface Moved {
  readonly source: OracleInstance;
  readonly target: OracleInstance;
}

/** Both as they would be; a text: why they must not be. */
function movedBy(
  lane: OracleLane,
  source: OracleInstance,
  target: OracleInstance,
  command: SwitchModel,
  isEnd: boolean,
): Moved | string {
  const refusal = refusalOf(lane, source, target, isEnd);
  if (refusal !== null) return refusal;
  const transfers = transfersOf(source, target, command);
  if (transfers === null) return 'transfer_rules_invalid';
  const after = { source: structuredClone(source), target: structuredClone(target) };
  moveAll(after.source, after.target, transfers);
  if (!command.override && isWorse(source, after.target, transfers)) return 'config_invalid';
  for (const pot of after.target.pots) spill(pot, capOf(pot.document), 0n);
  return breaks(after.source) || breaks(after.target) ? 'amount_out_of_range' : after;
}

function moveEverything(lane: OracleLane, source: OracleInstance, after: Moved): void {
  const { target: to } = source.order!;
  const target = lane.instances.get(to)!;
  const { status } = source;
  const before = structuredClone(source);
  take(source, after.source);
  take(target, after.target);
  recordTransfer(lane, source, before, 'switch', target.id);
  lane.switches.done += 1;
  source.successor = to;
  source.order = null;
  target.switchedFrom = source.id;
  for (const list of lane.bindings.values()) {
    const priority = list.get(source.id);
    if (priority === undefined) continue;
    list.delete(source.id);
    if (!list.has(target.id)) list.set(target.id, priority);
    announceBindings(lane, list.size);
  }
  const without = (links: readonly string[], id: string) => [...new Set(links)].filter((each) => each !== id);
  for (const instance of lane.instances.values()) {
    if (instance === target || !instance.links.includes(source.id)) continue;
    instance.links = without(
      instance.links.map((id) => (id === source.id ? target.id : id)),
      instance.id,
    );
    instance.version += 1;
    lane.touched.add(instance);
    announceInstance(lane, instance);
  }
  target.links = without([...target.links.filter((id) => id !== source.id), ...source.links], target.id);
  move(lane, source, 'Switched');
  activate(lane, target, status);
}

/** The switch is over, and so is what it had copied. */
function takeBack(lane: OracleLane, source: OracleInstance, cancelled: string | null = null): void {
  const target = lane.instances.get(source.order!.target)!;
  source.order = null;
  lane.switches[cancelled === null ? 'refused' : 'cancelled'] += 1;
  source.cancelled = cancelled;
  lane.touched.add(source);
  lane.touched.add(target);
  for (const player of lane.players.of(target.id)) {
    if (player.isCopied)
      Object.assign(player, {
        optedIn: false,
        hasOptIn: false,
        isOut: false,
        isCopied: false,
        byCurrency: [],
      });
  }
  announceInstance(lane, source);
}

function copy(lane: OracleLane, source: OracleInstance): void {
  const order = source.order!;
  lane.touched.add(source);
  lane.touched.add(lane.instances.get(order.target)!);
  for (const player of lane.players.of(source.id).slice(order.looked)) copyOne(lane, order, player);
  order.looked = lane.players.of(source.id).length;
}

/** Opt-ins move where that is wanted, explicit opt-outs always; what the target has by itself stays. */
function copyOne(lane: OracleLane, { target, command }: SwitchOrder, player: Player): void {
  const all = command.transferOptIns;
  const { perCurrency } = rulesOf(lane.instances.get(command.instance)!.document);
  const isOut = player.isOut || (!perCurrency && hasLeft(player));
  const left = player.byCurrency.filter(([, , optedIn]) => !optedIn);
  const moves = player.hasOptIn && (all || isOut || left.length > 0);
  if (!moves && lane.players.find(target, player.brand, player.name) === undefined) return;
  const to = lane.players.enter(target, player.brand, player.name);
  if (to.hasOptIn && !to.isCopied) return;
  Object.assign(
    to,
    moves
      ? {
          hasOptIn: true,
          optedIn: all && player.optedIn,
          isOut,
          isCopied: true,
          byCurrency: all ? player.byCurrency : left.map(([code]) => [code, null, false] as const),
        }
      : { hasOptIn: false, optedIn: false, isOut: false, isCopied: false, byCurrency: [] },
  );
}

/** Resolving becomes Completed: everything through `transfer` to an instance of the group, or the operator's own to it. */
export function complete(lane: OracleLane, instance: OracleInstance, to: string): string {
  const raffle = lane.raffles.get(instance);
  if (raffle !== null && raffle.phase !== 'Over') return 'invalid_transition';
  const earlier = [...lane.instances.values()].filter(
    (each) => each !== instance && successorOf(lane, each) === instance,
  );
  const brings = (each: OracleInstance) => hasDebits(lane, each) || each.accounts.diversion_pending !== 0n;
  if (isUnsettled(lane, instance) || earlier.some(brings)) return 'invalid_transition';
  const before = structuredClone(instance);
  if (to === '') {
    const left = instance.pots.some(({ accounts: { surplus: _, ...players } }) =>
      Object.values(players).some((atoms) => atoms !== 0n),
    );
    if (left || instance.accounts.diversion !== 0n) return 'invalid_transition';
    for (const pot of instance.pots) {
      instance.accounts.operator_capital! += pot.accounts.surplus;
      pot.accounts.surplus = 0n;
    }
    instance.accounts.operator_capital! += instance.accounts.house!;
    instance.accounts.house = 0n;
    recordTransfer(lane, instance, before, 'completion', null);
    move(lane, instance, 'Completed');
    return 'done';
  }
  const target = lane.instances.get(to);
  if (target === undefined || target === instance) return 'instance_not_found';
  if (target.document.currency !== instance.document.currency) return 'currency_mismatch';
  if (!['Pending', 'Active', 'Paused'].includes(target.status)) return 'invalid_transition';
  const after = { source: structuredClone(instance), target: structuredClone(target) };
  const one = { n: 1n, d: 1n };
  moveAll(
    after.source,
    after.target,
    instance.pots.map((pot, index) => {
      const taker = target.pots.findIndex((each) => each.id === pot.id);
      return { source: index, targets: [[Math.max(0, taker), one] as const] };
    }),
  );
  after.target.pots.forEach((pot, i) => {
    spill(pot, reseedCapOf(pot.document), target.pots[i]!.accounts.current);
  });
  if (breaks(after.target)) return 'amount_out_of_range';
  const targetBefore = structuredClone(target);
  take(instance, after.source);
  take(target, after.target);
  recordTransfer(lane, instance, before, 'completion', to);
  recordTransfer(lane, target, targetBefore, 'receipt', instance.id);
  target.version += 1;
  lane.touched.add(target);
  announceInstance(lane, target);
  move(lane, instance, 'Completed');
  return 'done';
}

interface Transfer {
  readonly source: number;
  readonly targets: readonly (readonly [pot: number, fraction: Ratio])[];
}

function refusalOf(
  lane: OracleLane,
  source: OracleInstance,
  target: OracleInstance,
  isEnd: boolean,
): string | null {
  if (source === target) return 'invalid_transition';
  if (source.document.currency !== target.document.currency) return 'currency_mismatch';
  if ([source, target].some((each) => lane.raffles.get(each) !== null)) return 'config_invalid';
  if (!isEnd && (isSwitching(lane, source) || isSwitching(lane, target))) return 'switch_in_progress';
  if (source.status !== 'Active' && source.status !== 'Paused') return 'invalid_transition';
  if (source.suspended) return 'instance_suspended';
  if (target.status !== 'Pending' || target.total > 0 || target.switchedFrom !== '')
    return 'invalid_transition';
  const isOver = target.endMs !== null && lane.nowMs >= target.endMs;
  const isClosed = target.pots.every(({ document }) => document.enabled === false);
  return isOver || isClosed ? 'invalid_transition' : null;
}

function hasDebits(lane: OracleLane, instance: OracleInstance): boolean {
  return [...lane.debits.values()].some((debit) => debit.instance === instance);
}

export function isUnsettled(lane: OracleLane, instance: OracleInstance): boolean {
  const { win_liability, diversion_pending } = instance.accounts;
  return hasDebits(lane, instance) || win_liability !== 0n || diversion_pending !== 0n;
}

/** Per source pot Σ = 1, no pot left out, no unknown ids; null: not so. */
function transfersOf(
  source: OracleInstance,
  target: OracleInstance,
  { rules }: SwitchModel,
): readonly Transfer[] | null {
  const transfers = rules.map((rule) => ({
    source: source.pots.findIndex((pot) => pot.id === rule.source),
    targets: rule.targets.map(
      ([id, fraction]) => [target.pots.findIndex((pot) => pot.id === id), ratio(fraction)] as const,
    ),
  }));
  const each = transfers.map((transfer) => transfer.source).sort();
  const isWhole = each.join() === source.pots.map((_, i) => i).join();
  const areSound = transfers.every(({ targets }) => {
    const { n, d } = sum(targets.map(([, fraction]) => fraction));
    const pots = targets.map(([pot]) => pot);
    return n === d && !pots.includes(-1) && new Set(pots).size === pots.length;
  });
  return isWhole && areSound ? transfers : null;
}

function moveAll(source: OracleInstance, target: OracleInstance, transfers: readonly Transfer[]): void {
  const transfer = (atoms: bigint) => {
    source.accounts.transfer! += atoms;
    target.accounts.transfer! -= atoms;
  };
  for (const { source: index, targets } of transfers) {
    const from = source.pots[index]!.accounts;
    for (const account of potAccounts) {
      const atoms = from[account];
      const parts = targets.map(([, fraction]) => part(atoms, fraction));
      let largest = 0;
      targets.forEach(([, { n, d }], i) => {
        const best = targets[largest]![1];
        if (n * best.d > best.n * d) largest = i;
      });
      parts[largest] = parts[largest]! + atoms - parts.reduce((a, b) => a + b, 0n);
      targets.forEach(([pot], i) => {
        target.pots[pot]!.accounts[account] += parts[i]!;
      });
      from[account] = 0n;
      transfer(atoms);
    }
  }
  for (const account of ['house', 'diversion']) {
    const atoms = source.accounts[account]!;
    source.accounts[account] = 0n;
    target.accounts[account]! += atoms;
    transfer(atoms);
  }
  target.deficit += source.deficit;
  source.deficit = 0n;
}

/** What stands above the cap goes to the overflow; what stood there before may stay. */
function spill(pot: OraclePot, cap: bigint | null, before: bigint): void {
  if (cap === null) return;
  const above = pot.accounts.current - (before > cap ? before : cap);
  if (above <= 0n) return;
  pot.accounts.current -= above;
  pot.accounts.overflow += above;
}

/** Odds per unit, or a Threshold that would be full at once. `moved`: the target before anything was cut. */
function isWorse(source: OracleInstance, moved: OracleInstance, transfers: readonly Transfer[]): boolean {
  const worse = transfers.some(({ source: from, targets }) =>
    targets.some(([to, { n }]) => {
      const before = minRate(source.pots[from]!.document);
      const after = minRate(moved.pots[to]!.document);
      return n > 0n && before !== null && after !== null && after > before;
    }),
  );
  return (
    worse ||
    moved.pots.some(({ document, accounts }) =>
      ((document.pot_types ?? []) as Json[]).some(
        ({ Threshold }) => Threshold !== undefined && amount(Threshold.max_value) <= accounts.current,
      ),
    )
  );
}

function minRate(document: Json): bigint | null {
  const rates = ((document.pot_types ?? []) as Json[]).flatMap(({ HitRate }) =>
    HitRate === undefined ? [] : [BigInt(HitRate.max_magic_number) * amount(HitRate.cost_per_attempt)],
  );
  const [first, ...rest] = rates;
  return first === undefined ? null : smallest(first, ...rest);
}

function take(instance: OracleInstance, after: OracleInstance): void {
  instance.accounts = after.accounts;
  instance.deficit = after.deficit;
  instance.pots.forEach((pot, i) => {
    pot.accounts = after.pots[i]!.accounts;
  });
}

/** A record of its own; an instance that has not begun to draw has none. */
export function recordTransfer(
  lane: OracleLane,
  instance: OracleInstance,
  before: OracleInstance,
  type: string,
  other: string | null,
): void {
  lane.touched.add(instance);
  if (instance.epoch === null) return;
  const was = accountsOf(before);
  const changes = Object.entries(accountsOf(instance))
    .map(([name, atoms]) => [name, atoms - was[name]!] as const)
    .filter(([, atoms]) => atoms !== 0n)
    .map(([name, atoms]) => [name, String(atoms)] as const);
  lane.ownMessage(instance, {
    type,
    seq: instance.sequence + 1,
    other,
    accounts: Object.fromEntries(changes),
    accumulated_seed_deficit: String(instance.deficit - before.deficit),
  });
}
