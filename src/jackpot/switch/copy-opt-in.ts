import { hasOptInFlag, optedInFlag, preferencesOf } from '../opt-in/status.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { flagsAt, optInMsAt } from '../state/player-segment.ts';

/** Copies the opt-in of a row with its preferences. One that the target has already stays as it is. */
export function copyOptIn(state: LaneState, source: Instance, target: Instance, row: number): void {
  const from = source.players.segmentOf(row).rows;
  const at = source.players.at(row);
  const to = targetRow(state, source, target, row);
  const segment = target.players.segmentOf(to);
  const { rows } = segment;
  const toAt = target.players.at(to);
  if ((rows[toAt + flagsAt]! & hasOptInFlag) !== 0) return;
  rows[toAt + flagsAt] = (rows[toAt + flagsAt]! | (from[at + flagsAt]! & (hasOptInFlag | optedInFlag))) >>> 0;
  segment.optInCounts = null;
  rows[toAt + optInMsAt] = from[at + optInMsAt]!;
  rows[toAt + optInMsAt + 1] = from[at + optInMsAt + 1]!;
  const preferences = preferencesOf(source, row);
  if (preferences.length > 0) segment.preferences.set(to & 4095, preferences);
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
