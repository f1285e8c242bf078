import type { OptInStatusRecord } from '../../../messages/records.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import {
  countWordAt,
  flagsAt,
  optInMsAt,
  type Preference,
  potCountAt,
  potRowWords,
  potsAt,
  potValueAt,
  readMs,
  readTriple,
  valueAt,
} from '../../state/players/player-segment.ts';

export const optedInFlag = 1;
export const hasOptInFlag = 2;
export const outOfOthersFlag = 4;
const nothing: readonly Preference[] = [];

/** With opt_in_per_currency the opt-in of this currency counts, else the player's. */
export function isOptedIn(instance: Instance, row: number, currency: string): boolean {
  if (instance.configuration.rules.optInPerCurrency) {
    return preferencesOf(instance, row).some((each) => each.currency === currency && each.optedIn);
  }
  return hasOptedIn(instance, row);
}

/** With any currency. */
export function hasOptedIn(instance: Instance, row: number): boolean {
  return (flagsOf(instance, row) & optedInFlag) !== 0;
}

/** By the player's own move; with opt_in_per_currency, the one for this currency. */
export function isOptedOut(instance: Instance, row: number, currency: string): boolean {
  if ((flagsOf(instance, row) & hasOptInFlag) === 0) return false;
  if (!instance.configuration.rules.optInPerCurrency) return hasOptedOut(instance, row);
  const own = preferencesOf(instance, row).find((each) => each.currency === currency);
  return own === undefined ? isOutOfOthers(instance, row) : !own.optedIn;
}

/** With a currency, and in with none. */
export function hasOptedOut(instance: Instance, row: number): boolean {
  return (flagsOf(instance, row) & (hasOptInFlag | optedInFlag)) === hasOptInFlag;
}

/** Out of every currency that no preference names. The engine's first version kept the last move only. */
export function isOutOfOthers(instance: Instance, row: number): boolean {
  if ((flagsOf(instance, row) & outOfOthersFlag) !== 0) return true;
  const saysSo = !instance.configuration.rules.optInPerCurrency || preferencesOf(instance, row).length === 0;
  return saysSo && hasOptedOut(instance, row);
}

function flagsOf({ players }: Instance, row: number): number {
  return players.segmentOf(row).rows[players.at(row) + flagsAt]!;
}

/** The latest set last. */
export function preferencesOf(instance: Instance, row: number): readonly Preference[] {
  const { preferences } = instance.players.segmentOf(row);
  return preferences.size === 0 ? nothing : (preferences.get(row & 4095) ?? nothing);
}

/** The opt-in status of a known player (`row`), or of one that the instance has never seen (−1). */
export function statusRecord(
  { rules }: LaneState,
  instance: Instance,
  brand: string,
  player: string,
  row: number,
): OptInStatusRecord {
  if (row < 0) {
    const pots = instance.pots.map((pot) => [pot.effective.id, 0, 0n] as const);
    const nothing = { optedIn: false, preferences: [], contributionCount: 0, contributionAtoms: 0n };
    return { instance: instance.id, brand, player, ...nothing, pots, lastUpdatedMs: 0 };
  }
  const { players } = instance;
  const rows = players.segmentOf(row).rows;
  const at = players.at(row);
  const preferences = preferencesOf(instance, row);
  const latest = preferences.at(-1);
  return {
    instance: instance.id,
    brand,
    player,
    optedIn: hasOptedIn(instance, row),
    preferences: preferences.flatMap(({ currency, atoms }) =>
      atoms === null ? [] : [[currency, atoms] as const],
    ),
    contributionCount: rows[at + countWordAt]!,
    contributionAtoms: readTriple(rows, at + valueAt),
    pots: instance.pots.map((pot) => {
      const potRow = at + potsAt + potRowWords * pot.index;
      return [pot.effective.id, rows[potRow + potCountAt]!, readTriple(rows, potRow + potValueAt)] as const;
    }),
    lastUpdatedMs: readMs(rows, at + optInMsAt),
    ...(latest?.isStated === true && latest.atoms === null ? { statedCurrency: latest.currency } : {}),
    ...(rules.optOutsEndContributions && hasOptedOut(instance, row) ? { optedOut: true } : {}),
  };
}
