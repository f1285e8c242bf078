import type { OptInStatusRecord } from '../../messages/records.ts';
import type { Instance } from '../state/instance.ts';
import {
  COUNT,
  FLAGS,
  OPT_IN_MS,
  POT_COUNT,
  POT_ROW_WORDS,
  POT_VALUE,
  POTS_AT,
  type Preference,
  readMs,
  readTriple,
  VALUE,
} from '../state/player-segment.ts';

export const OPTED_IN = 1;
export const HAS_OPT_IN = 2;
const nothing: readonly Preference[] = [];

/** With opt_in_per_currency the opt-in of this currency counts, else the player's. */
export function isOptedIn(instance: Instance, row: number, currency: string): boolean {
  if (instance.configuration.rules.optInPerCurrency) {
    return preferencesOf(instance, row).some((each) => each.currency === currency && each.optedIn);
  }
  return hasOptedIn(instance, row);
}

/** With any currency. */
export function hasOptedIn({ players }: Instance, row: number): boolean {
  return (players.segmentOf(row).rows[players.at(row) + FLAGS]! & OPTED_IN) !== 0;
}

/** The latest set last. */
export function preferencesOf(instance: Instance, row: number): readonly Preference[] {
  const { players } = instance;
  return players.segmentOf(row).preferences.get(row & 4095) ?? nothing;
}

/** The opt-in status of a known player (`row`), or of one that the instance has never seen (−1). */
export function statusRecord(
  instance: Instance,
  brand: string,
  player: string,
  row: number,
): OptInStatusRecord {
  if (row < 0) {
    const pots = instance.pots.map((pot) => [pot.effective.id, 0, 0n] as const);
    return {
      instance: instance.id,
      brand,
      player,
      optedIn: false,
      preferences: [],
      contributionCount: 0,
      contributionAtoms: 0n,
      pots,
      lastUpdatedMs: 0,
    };
  }
  const { players } = instance;
  const rows = players.segmentOf(row).rows;
  const at = players.at(row);
  const preferences = preferencesOf(instance, row);
  return {
    instance: instance.id,
    brand,
    player,
    optedIn: hasOptedIn(instance, row),
    preferences: preferences.flatMap(({ currency, atoms }) =>
      atoms === null ? [] : [[currency, atoms] as const],
    ),
    contributionCount: rows[at + COUNT]!,
    contributionAtoms: readTriple(rows, at + VALUE),
    pots: instance.pots.map((pot) => {
      const potRow = at + POTS_AT + POT_ROW_WORDS * pot.index;
      return [pot.effective.id, rows[potRow + POT_COUNT]!, readTriple(rows, potRow + POT_VALUE)] as const;
    }),
    lastUpdatedMs: readMs(rows, at + OPT_IN_MS),
  };
}
