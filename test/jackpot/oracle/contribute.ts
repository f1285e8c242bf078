import type { Contribute } from '../../../src/messages/player-commands.ts';
import { feed, splitOf } from './flow.ts';
import { accountsOf, insideAccounts, type OracleInstance } from './instance.ts';
import { draw, type Group, recordHead } from './jpd1.ts';
import type { OracleLane } from './lane.ts';
import { requestedSource, sourceName } from './names.ts';
import { maxAmount, type Table } from './numbers.ts';
import { type Priced, priceOf } from './price.ts';
import { admission } from './resolve.ts';
import { meets, rulesOf } from './rules.ts';
import { openFlush } from './settle.ts';
import { suspendInstance } from './status.ts';
import { tellWin } from './told.ts';
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
  readonly tickets: number;
  /** Of a part that was applied before its answer. */
  readonly timestampMs?: number;
}

/** A price that was accepted: what the player pays, and the rates that a win is paid by. */
export interface Accepted extends Priced {
  readonly kind: 'Accepted';
  readonly table: Table | undefined;
}

/** Steps 2 and 3: everything before any money moves. A text: the refusal. */
export function accept(lane: OracleLane, instance: OracleInstance, command: Contribute): Accepted | string {
  const { brand, player, currency } = command;
  const refusal = admission(lane, instance, brand, command.country);
  if (refusal !== null) return refusal;
  const rules = rulesOf(instance.document);
  const priced = priceOf(instance.document, command, lane.rates, lane.preferences(instance, brand, player));
  if (typeof priced === 'string') return priced;
  if (lane.isOptedOut(instance, brand, player, currency)) return 'player_opted_out';
  if (rules.optIn && !lane.isOptedIn(instance, brand, player, currency)) return 'opt_in_required';
  const { c, wager } = priced;
  if (!meets(instance.document.contribution_rules.wager_criteria, wager, c)) return 'wager_below_minimum';
  const qualified = qualifiedPots(instance, priced);
  if (rules.qualifiedOnly && !qualified.some((each) => each)) return 'wager_below_minimum';
  return { kind: 'Accepted', ...priced, table: lane.rates.of(brand) };
}

/** Steps 5 to 12, as a whole or not at all. */
export function apply(
  lane: OracleLane,
  placed: Placed,
  command: Contribute,
  priced: Accepted,
  round: string,
  isDebited = false,
): Result | string {
  const { instance, group } = placed;
  const { brand, player, currency } = command;
  const { c } = priced;
  // Also where it finds no room: the epoch may turn.
  lane.touched.add(instance);
  const qualified = qualifiedPots(instance, priced);
  const before = structuredClone(instance);
  const split = splitOf(instance, c, fedPots(instance, qualified));
  feed(instance, priced, split);
  if (hasNoRoom(instance) && !isDebited) {
    Object.assign(instance, before);
    return 'amount_out_of_range';
  }
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
    const { table } = priced;
    const source = sourceName(instance, requestedSource(command));
    const winner = { sequence, brand, name: player, currency, table, source, round };
    win = pay(lane, instance, index, paid, winner);
    if (breaks(instance)) {
      Object.assign(known, knownBefore);
      return undo(lane, instance, before);
    }
    group.details.push(win.detail);
    tellWin(lane, command.gameround, command.eventMetadata ?? '', [win.main, ...win.community]);
    win.open();
    lane.won.push(win);
  }
  const entries = drawn.flatMap((each) => each.entries.map((entry) => entry.bytes));
  group.entries.push(recordHead(sequence, c, lane.nowMs, placed.input, entries.length), ...entries);
  instance.sequence = sequence;
  openFlush(lane, instance);
  return {
    instance: instance.id,
    sequence,
    contributionAtoms: c,
    requestAtoms: priced.debit + priced.operator,
    bonusAtoms: priced.bonus,
    win,
    tickets: lane.raffles.get(instance)?.award(lane, known, priced) ?? 0,
  };
}

function qualifiedPots(instance: OracleInstance, { wager, c }: Priced): readonly boolean[] {
  return instance.pots.map((pot) => pot.enabled && meets(pot.document.criteria, wager, c));
}

/** Money that was debited finds a pot: the open ones where none qualifies any more, else all. */
function fedPots(instance: OracleInstance, qualified: readonly boolean[]): readonly boolean[] {
  const enabled = instance.pots.map((pot) => pot.enabled);
  const wanted = rulesOf(instance.document).qualifiedOnly ? qualified : enabled;
  const any = (pots: readonly boolean[]) => pots.some((each) => each);
  if (any(wanted)) return wanted;
  return any(enabled) ? enabled : enabled.map(() => true);
}

/** Whether an inside account is negative or passes the largest balance. */
export function breaks(instance: OracleInstance): boolean {
  const inside = [
    ...insideAccounts.map((name) => instance.accounts[name]!),
    ...instance.pots.flatMap((pot) => Object.values(pot.accounts)),
  ];
  const total = Object.values(accountsOf(instance)).reduce((a, b) => a + b, 0n);
  if (total !== 0n) throw new Error('the oracle itself does not conserve money');
  return inside.some((value) => value < 0n || value > maxAmount);
}

/** Whether the parts of a contribution find room, which is asked before its player is debited. */
export function fits(instance: OracleInstance, priced: Accepted): boolean {
  const copy = structuredClone(instance);
  feed(copy, priced, splitOf(copy, priced.c, fedPots(copy, qualifiedPots(copy, priced))));
  return !hasNoRoom(copy);
}

/** Whether an account is too small for what came; a diversion under way may come back to its pool. */
function hasNoRoom({ accounts, pots }: OracleInstance): boolean {
  const inside = [
    ...insideAccounts.map((name) => accounts[name]!),
    ...pots.flatMap((pot) => Object.values(pot.accounts)),
  ];
  return [...inside, accounts.diversion! + accounts.diversion_pending!].some((value) => value > maxAmount);
}

function undo(lane: OracleLane, instance: OracleInstance, before: OracleInstance): string {
  Object.assign(instance, before);
  suspendInstance(lane, instance);
  return 'instance_suspended';
}
