import type { Instance, SwitchOrder } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { copiedFlag, flagsAt, optInMsAt, type Preference } from '../../state/players/player-segment.ts';
import { hasOptInFlag, isOutOfOthers, optedInFlag, outOfOthersFlag, preferencesOf } from './status.ts';

/** Copies the opt-in of a row with its preferences. One that the target has already stays as it is. */
export function copyOptIn(state: LaneState, source: Instance, target: Instance, row: number): void {
  const to = targetRow(state, source, target, row);
  if ((flagsOf(target, to) & hasOptInFlag) !== 0) return;
  const moved = optInOf(state, source, row);
  if (moved !== null) put(target, to, moved);
}

/** Moves the source's opt-in or explicit opt-out (docs/rules/model-switches.md "Copying"). */
export function copyToTarget(
  state: LaneState,
  source: Instance,
  target: Instance,
  { transferOptIns }: Pick<SwitchOrder, 'transferOptIns'>,
  row: number,
): void {
  const moved = transferOptIns ? optInOf(state, source, row) : optOutOf(source, row);
  if (moved === null && target.players.find(source.players.brandOf(row), source.players.playerId(row)) < 0)
    return;
  const to = targetRow(state, source, target, row);
  const isOwn = hasOptIn(target, to) && (flagsOf(target, to) & copiedFlag) === 0;
  if (isOwn) return;
  if (moved === null) takeBack(target, to);
  else put(target, to, { ...moved, flags: moved.flags | copiedFlag });
}

/** What a switch that has ended had copied to a row of its target is gone again. */
export function takeBackCopy(state: LaneState, target: Instance, row: number): boolean {
  if ((flagsOf(target, row) & copiedFlag) === 0) return false;
  state.touchPlayers(target, row);
  takeBack(target, row);
  return true;
}

export function hasOptIn(instance: Instance, row: number): boolean {
  return (flagsOf(instance, row) & hasOptInFlag) !== 0;
}

function flagsOf({ players }: Instance, row: number): number {
  return players.segmentOf(row).rows[players.at(row) + flagsAt]!;
}

interface MovedOptIn {
  readonly flags: number;
  readonly preferences: readonly Preference[];
  readonly ms: readonly [low: number, high: number];
}

const nothing: MovedOptIn = { flags: 0, preferences: [], ms: [0, 0] };

/** null: there is none. */
function optInOf({ rules }: LaneState, source: Instance, row: number): MovedOptIn | null {
  const known = flagsOf(source, row) & (hasOptInFlag | optedInFlag);
  if ((known & hasOptInFlag) === 0) return null;
  const isOut = rules.optOutsEndContributions && isOutOfOthers(source, row);
  const flags = known | (isOut ? outOfOthersFlag : 0);
  return { flags, preferences: preferencesOf(source, row), ms: msOf(source, row) };
}

/** What the player has explicitly left, without preferred values; null: nothing. */
function optOutOf(source: Instance, row: number): MovedOptIn | null {
  if (!hasOptIn(source, row)) return null;
  const preferences = preferencesOf(source, row)
    .filter((each) => !each.optedIn)
    .map(({ currency, updatedMs }) => ({ currency, atoms: null, optedIn: false, updatedMs }));
  const isOut = isOutOfOthers(source, row);
  if (!isOut && preferences.length === 0) return null;
  return { flags: hasOptInFlag | (isOut ? outOfOthersFlag : 0), preferences, ms: msOf(source, row) };
}

function msOf({ players }: Instance, row: number): readonly [low: number, high: number] {
  const { rows } = players.segmentOf(row);
  const at = players.at(row) + optInMsAt;
  return [rows[at]!, rows[at + 1]!];
}

function takeBack(target: Instance, row: number): void {
  put(target, row, nothing);
}

function put(target: Instance, row: number, { flags, preferences, ms }: MovedOptIn): void {
  const segment = target.players.segmentOf(row);
  const { rows } = segment;
  const at = target.players.at(row);
  const others = rows[at + flagsAt]! & ~(hasOptInFlag | optedInFlag | outOfOthersFlag | copiedFlag);
  rows[at + flagsAt] = (others | flags) >>> 0;
  rows[at + optInMsAt] = ms[0];
  rows[at + optInMsAt + 1] = ms[1];
  segment.optInCounts = null;
  if (preferences.length > 0) segment.preferences.set(row & 4095, preferences);
  else segment.preferences.delete(row & 4095);
}

function targetRow(state: LaneState, source: Instance, target: Instance, row: number): number {
  const brand = source.players.brandOf(row);
  const player = source.players.playerId(row);
  const known = target.players.find(brand, player);
  state.touchPlayers(target, known < 0 ? target.players.size : known);
  if (known >= 0) return known;
  const pseudonym = new Uint8Array(16);
  source.players.copyPseudonym(row, new DataView(pseudonym.buffer), 0);
  state.playerCounts.add(state.brands.byNumber(brand));
  return target.players.add(brand, player, pseudonym, state.generation);
}

/** An opt-in that changes after a switch under way has copied it is copied again. */
export function followOptIn(state: LaneState, source: Instance, row: number): void {
  const { switchOrder: order } = source;
  if (order === null || order.end !== null || row >= order.nextRow) return;
  const target = state.instances.get(order.target)!;
  state.touch(target);
  copyToTarget(state, source, target, order, row);
}
