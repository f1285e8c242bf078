import type { Contribute } from '../../../src/jackpot/commands.ts';
import { feed, splitOf } from './flow.ts';
import { accountsOf, insideAccounts, type OracleInstance } from './instance.ts';
import { draw, type Group, recordHead } from './jpd1.ts';
import type { OracleLane } from './lane.ts';
import { LARGEST } from './numbers.ts';
import { priceOf } from './price.ts';
import { admission } from './resolve.ts';
import { meets, rulesOf } from './rules.ts';
import { pauseItself } from './status.ts';
import { type OracleWin, pay, selected } from './win.ts';

export interface Placed {
  readonly instance: OracleInstance;
  readonly group: Group;
  readonly input: number;
}

export interface Result {
  readonly instance: string;
  readonly sequence: number;
  readonly contributionAtoms: bigint;
  readonly requestAtoms: bigint;
  readonly bonusAtoms: bigint;
  readonly win: OracleWin | null;
}

/** Steps 2 to 11 for one instance; a text: the refusal. */
export function contribute(lane: OracleLane, placed: Placed, command: Contribute): Result | string {
  const { instance, group } = placed;
  const refusal = admission(instance, command.brand, command.country, lane.nowMs);
  if (refusal !== null) return refusal;
  const rules = rulesOf(instance.document);
  const { brand, player, currency } = command;
  const priced = priceOf(instance.document, command, lane.rates, lane.preferences(instance, brand, player));
  if (typeof priced === 'string') return priced;
  if (rules.optIn && !lane.isOptedIn(instance, brand, player, currency)) return 'opt_in_required';
  const { c, wager } = priced;
  if (!meets(instance.document.contribution_rules.wager_criteria, wager, c)) return 'wager_below_minimum';
  const qualified = instance.pots.map((pot) => pot.enabled && meets(pot.document.criteria, wager, c));
  if (rules.qualifiedOnly && !qualified.some((each) => each)) return 'wager_below_minimum';

  const before = structuredClone(instance);
  const split = splitOf(instance, c, qualified);
  feed(instance, priced, split);
  if (breaks(instance)) return undo(lane, instance, before);
  const sequence = instance.sequence + 1;
  const known = lane.players.enter(instance.id, brand, player);
  const knownBefore = structuredClone(known);
  const shares = instance.pots.map((pot, i) => [pot.id, pot.cycle, split.gross[i] ?? null] as const);
  lane.players.note(known, instance.id, currency, c, lane.nowMs, shares);
  const drawn = draw(group, c, lane.nowMs, qualified);
  const hits = drawn.filter((each) => each.entries.some((entry) => entry.hit)).map((each) => each.pot);
  let win: OracleWin | null = null;
  if (hits.length > 0) {
    const index = selected(instance, hits);
    for (const each of drawn) {
      if (each.pot === index) continue;
      for (const entry of each.entries) if (entry.hit) entry.bytes[42] = 3;
    }
    const paid = drawn.find((each) => each.pot === index)!.entries.map((entry) => entry.hit);
    win = pay(lane, instance, index, paid, { sequence, brand, name: player, currency });
    if (breaks(instance)) {
      Object.assign(known, knownBefore);
      return undo(lane, instance, before);
    }
    group.details.push(win.detail);
  }
  const entries = drawn.flatMap((each) => each.entries.map((entry) => entry.bytes));
  group.entries.push(recordHead(sequence, c, lane.nowMs, placed.input, entries.length), ...entries);
  instance.sequence = sequence;
  lane.touched.add(instance);
  return {
    instance: instance.id,
    sequence,
    contributionAtoms: c,
    requestAtoms: priced.debit + priced.operator,
    bonusAtoms: priced.bonus,
    win,
  };
}

/** Whether an inside account is negative or passes the largest balance. */
export function breaks(instance: OracleInstance): boolean {
  const inside = [
    ...insideAccounts.map((name) => instance.accounts[name]!),
    ...instance.pots.flatMap((pot) => Object.values(pot.accounts)),
  ];
  const total = Object.values(accountsOf(instance)).reduce((a, b) => a + b, 0n);
  if (total !== 0n) throw new Error('the oracle itself does not conserve money');
  return inside.some((value) => value < 0n || value > LARGEST);
}

function undo(lane: OracleLane, instance: OracleInstance, before: OracleInstance): string {
  Object.assign(instance, before);
  pauseItself(lane, instance);
  return 'instance_suspended';
}
