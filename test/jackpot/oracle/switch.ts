import type { SwitchModel } from '../../../src/messages/instance-commands.ts';
import { breaks } from './contribute.ts';
import { accountsOf, type OracleInstance, type OraclePot } from './instance.ts';
import type { OracleLane } from './lane.ts';
import { amount, part, type Ratio, ratio, smallest, sum } from './numbers.ts';
import { hasLeft } from './players.ts';
import { type Json, rulesOf } from './rules.ts';
import { move } from './status.ts';
import { announceBindings, announceInstance } from './told.ts';
import { capOf, reseedCapOf } from './triggers.ts';

const potAccounts = ['current', 'seed', 'surplus', 'overflow', 'carry'] as const;

/** A29, one atomic step (section 9). */
export function switchModel(lane: OracleLane, command: SwitchModel): string {
  const [source, target] = [lane.instances.get(command.instance), lane.instances.get(command.target)];
  if (source === undefined || target === undefined) return 'instance_not_found';
  const refusal = refusalOf(lane, source, target);
  if (refusal !== null) return refusal;
  const transfers = transfersOf(source, target, command);
  if (transfers === null) return 'transfer_rules_invalid';
  const after = { source: structuredClone(source), target: structuredClone(target) };
  moveAll(after.source, after.target, transfers);
  if (!command.override && isWorse(source, after.target, transfers)) return 'config_invalid';
  for (const pot of after.target.pots) spill(pot, capOf(pot.document), 0n);
  if (breaks(after.source) || breaks(after.target)) return 'amount_out_of_range';
  const before = structuredClone(source);
  take(source, after.source);
  take(target, after.target);
  recordTransfer(lane, source, before, 'switch', target.id);
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
  copyOptIns(lane, source, target, command.transferOptIns);
  move(lane, source, 'Switched');
  target.version += 1;
  lane.touched.add(target);
  announceInstance(lane, target);
  return 'done';
}

/** Resolving becomes Completed: everything through `transfer` to an instance of the group, or the operator's own to it. */
export function complete(lane: OracleLane, instance: OracleInstance, to: string): string {
  const raffle = lane.raffles.get(instance);
  if (raffle !== null && raffle.phase !== 'Over') return 'invalid_transition';
  if (isUnsettled(lane, instance)) return 'invalid_transition';
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

function refusalOf(lane: OracleLane, source: OracleInstance, target: OracleInstance): string | null {
  if (source === target) return 'invalid_transition';
  if (source.document.currency !== target.document.currency) return 'currency_mismatch';
  if ([source, target].some((each) => lane.raffles.get(each) !== null)) return 'config_invalid';
  if (source.status !== 'Active' && source.status !== 'Paused') return 'invalid_transition';
  if (source.suspended) return 'instance_suspended';
  if (target.status !== 'Pending' || target.total > 0 || target.switchedFrom !== '')
    return 'invalid_transition';
  return isUnsettled(lane, source) || isUnsettled(lane, target) ? 'invalid_transition' : null;
}

export function isUnsettled(lane: OracleLane, instance: OracleInstance): boolean {
  const { win_liability, diversion_pending } = instance.accounts;
  const waits = [...lane.debits.values()].some((debit) => debit.instance === instance);
  return waits || win_liability !== 0n || diversion_pending !== 0n;
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
function recordTransfer(
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

/** Who has left stays out, whatever else is copied. */
function copyOptIns(lane: OracleLane, source: OracleInstance, target: OracleInstance, all: boolean): void {
  const { perCurrency } = rulesOf(source.document);
  for (const each of lane.players.of(source.id)) {
    const isOut = each.isOut || (!perCurrency && hasLeft(each));
    const left = each.byCurrency.filter(([, , optedIn]) => !optedIn);
    const byCurrency = all ? each.byCurrency : left.map(([code]) => [code, null, false] as const);
    if (!each.hasOptIn || (!all && !isOut && byCurrency.length === 0)) continue;
    const to = lane.players.enter(target.id, each.brand, each.name);
    if (to.hasOptIn) continue;
    to.hasOptIn = true;
    to.isOut = isOut;
    to.optedIn = all && each.optedIn;
    if (byCurrency.length > 0) to.byCurrency = [...byCurrency];
  }
}
