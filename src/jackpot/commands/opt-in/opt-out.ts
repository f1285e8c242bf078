import {
  hasOptInFlag,
  isOutOfOthers,
  optedInFlag,
  outOfOthersFlag,
  preferencesOf,
} from '../../rules/opt-ins/status.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import {
  copiedFlag,
  flagsAt,
  optInMsAt,
  type Preference,
  writeMs,
} from '../../state/players/player-segment.ts';

/** Currencies of a player that an opt-out is kept for by name; beyond them it counts for all. */
export const maxNamedCurrencies = 32;

/** The player leaves by the named currency or by all (docs/rules/opt-ins.md "Opting out"). */
export function optOut(state: LaneState, instance: Instance, row: number, currency: string): void {
  const before = preferencesOf(instance, row);
  const leavesAll = !instance.configuration.rules.optInPerCurrency || currency === '';
  const same = before.find((each) => each.currency === currency);
  const isNamed = !leavesAll && (same !== undefined || before.length < maxNamedCurrencies);
  const left: Preference = { currency, atoms: same?.atoms ?? null, optedIn: false, updatedMs: state.nowMs };
  const after = isNamed
    ? moved(before, left)
    : leavesAll
      ? before.map((each) => ({ ...each, optedIn: false }))
      : before;
  const isOut = !isNamed || isOutOfOthers(instance, row);
  if (after.length > 0) instance.players.segmentOf(row).preferences.set(row & 4095, after);
  const isIn = !leavesAll && after.some((each) => each.optedIn);
  writeMove(state, instance, row, isIn, isOut);
}

/** A move that states nothing keeps the order: the latest preference stays the latest. */
export function moved(before: readonly Preference[], entry: Preference): readonly Preference[] {
  const isKnown = before.some((each) => each.currency === entry.currency);
  return isKnown
    ? before.map((each) => (each.currency === entry.currency ? entry : each))
    : [entry, ...before];
}

/**
 * Whether the player is in with any currency, and out of every one that no preference names; null: as before.
 */
export function writeMove(
  state: LaneState,
  { players }: Instance,
  row: number,
  isIn: boolean,
  isOut: boolean | null,
): void {
  const segment = players.segmentOf(row);
  const at = players.at(row);
  const changed = optedInFlag | copiedFlag | (isOut === null ? 0 : outOfOthersFlag);
  const kept = segment.rows[at + flagsAt]! & ~changed;
  const now = hasOptInFlag | (isIn ? optedInFlag : 0) | (isOut === true ? outOfOthersFlag : 0);
  segment.rows[at + flagsAt] = (kept | now) >>> 0;
  segment.optInCounts = null;
  writeMs(segment.rows, at + optInMsAt, state.nowMs);
}
