import {
  hasOptInFlag,
  isOutOfOthers,
  optedInFlag,
  outOfOthersFlag,
  preferencesOf,
} from '../opt-in/status.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { flagsAt, optInMsAt, type Preference } from '../state/player-segment.ts';

/**
 * Copies the opt-in of a row with its preferences, or of the row its opt-outs alone. What the target has already stays as
 * it is.
 */
export function copyOptIn(
  state: LaneState,
  source: Instance,
  target: Instance,
  row: number,
  what: 'all' | 'opt-outs',
): void {
  const from = source.players.segmentOf(row).rows;
  const at = source.players.at(row);
  const { optOutsEndContributions } = state.rules;
  const isOut = optOutsEndContributions && isOutOfOthers(source, row);
  const preferences = what === 'all' ? preferencesOf(source, row) : optOutsOf(source, row);
  if (what === 'opt-outs' && !isOut && preferences.length === 0) return;
  const to = targetRow(state, source, target, row);
  const segment = target.players.segmentOf(to);
  const { rows } = segment;
  const toAt = target.players.at(to);
  if ((rows[toAt + flagsAt]! & hasOptInFlag) !== 0) return;
  const copied = what === 'all' ? hasOptInFlag | optedInFlag : hasOptInFlag;
  const flags = (from[at + flagsAt]! & copied) | (isOut ? outOfOthersFlag : 0);
  rows[toAt + flagsAt] = (rows[toAt + flagsAt]! | flags) >>> 0;
  segment.optInCounts = null;
  rows[toAt + optInMsAt] = from[at + optInMsAt]!;
  rows[toAt + optInMsAt + 1] = from[at + optInMsAt + 1]!;
  if (preferences.length > 0) segment.preferences.set(to & 4095, preferences);
}

/** The currencies that the player is out with, without preferred values. */
function optOutsOf(source: Instance, row: number): readonly Preference[] {
  return preferencesOf(source, row)
    .filter((each) => !each.optedIn)
    .map(({ currency, updatedMs }) => ({ currency, atoms: null, optedIn: false, updatedMs }));
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
