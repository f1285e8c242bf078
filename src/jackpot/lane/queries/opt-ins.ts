import type { OptInStatusRecord } from '../../../messages/records.ts';
import { hasOptInFlag, optedInFlag, statusRecord } from '../../rules/opt-ins/status.ts';
import { playerHash } from '../../state/hashing/keyed-hash.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { flagsAt, idLengthBrandAt, segmentRows } from '../../state/players/player-segment.ts';
import { brandFilter } from './brand-filter.ts';
import { optInRecordsOf } from './opt-in-counts.ts';

/** Opt-in records of an instance in order of appearance; `optedIn` null: both; `owners` empty: all. */
export function optInsOf(
  state: LaneState,
  instance: Instance,
  optedIn: boolean | null,
  offset: number,
  limit: number,
  owners: readonly string[] = [],
): readonly OptInStatusRecord[] {
  const found: OptInStatusRecord[] = [];
  let skipped = 0;
  const { players } = instance;
  const isWanted = brandFilter(state, owners);
  players.segments.forEach((segment, number) => {
    if (found.length === limit) return;
    const records = optInRecordsOf(segment, players.stride, optedIn, isWanted);
    if (skipped + records <= offset) {
      skipped += records;
      return;
    }
    for (let i = 0; i < segment.count && found.length < limit; i++) {
      const flags = segment.rows[i * players.stride + flagsAt]!;
      if ((flags & hasOptInFlag) === 0) continue;
      if (optedIn !== null && optedIn !== ((flags & optedInFlag) !== 0)) continue;
      if (isWanted !== null && !isWanted(segment.rows[i * players.stride + idLengthBrandAt]! >>> 16))
        continue;
      if (skipped++ < offset) continue;
      const row = number * segmentRows + i;
      const brand = state.brands.byNumber(players.brandOf(row)).command.brand;
      found.push(statusRecord(state, instance, brand, players.playerId(row), row));
    }
  });
  return found;
}

/** A player's opt-in records over the lane's instances, in order of their creation. */
export function optInsOfPlayer(
  state: LaneState,
  brandPath: string,
  player: string,
  offset: number,
  limit: number,
): readonly OptInStatusRecord[] {
  const brand = state.brands.get(brandPath);
  if (brand === null) return [];
  const found: OptInStatusRecord[] = [];
  let skipped = 0;
  // All tables hash under the same secret, and instances may be ten thousand.
  const hash = playerHash(state.hashing.tableSecret, brand.number, player);
  for (const instance of state.instances.values()) {
    if (found.length >= limit) break;
    if (instance.players.size === 0) continue;
    const row = instance.players.find(brand.number, player, hash);
    if (row < 0) continue;
    const flags = instance.players.segmentOf(row).rows[instance.players.at(row) + flagsAt]!;
    if ((flags & hasOptInFlag) === 0 || skipped++ < offset) continue;
    found.push(statusRecord(state, instance, brandPath, player, row));
  }
  return found;
}
