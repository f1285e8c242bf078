import { playerHash } from '../../../lib/keyed-hash.ts';
import type { LaneQuery } from '../../../messages/queries.ts';
import type { OptInStatusRecord } from '../../../messages/records.ts';
import { hasOptInFlag, optedInFlag, statusRecord } from '../../rules/opt-ins/status.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import {
  flagsAt,
  idLengthBrandAt,
  type PlayerSegment,
  segmentRows,
} from '../../state/players/player-segment.ts';

/** Which opt-in records of an instance a page has. */
export type OptInQuestion = Omit<Extract<LaneQuery, { kind: 'opt_ins' }>, 'kind' | 'instance'>;

/** Opt-in records of an instance in order of appearance, with the rows of their players and a total. */
export function optInsOf(
  state: LaneState,
  instance: Instance,
  { optedIn, owners, offset, limit, after = -1, countsTo }: OptInQuestion,
) {
  const statuses: OptInStatusRecord[] = [];
  const rows: number[] = [];
  let skipped = 0;
  const { players } = instance;
  const isWanted = brandFilter(state, owners);
  players.segments.forEach((segment, number) => {
    const firstRow = number * segmentRows;
    const from = Math.max(0, after + 1 - firstRow);
    if (rows.length === limit || from >= segment.count) return;
    const records = from > 0 ? null : optInRecordsOf(segment, players.stride, optedIn, isWanted);
    if (records !== null && skipped + records <= offset) {
      skipped += records;
      return;
    }
    for (let i = from; i < segment.count && rows.length < limit; i++) {
      const flags = segment.rows[i * players.stride + flagsAt]!;
      if ((flags & hasOptInFlag) === 0) continue;
      if (optedIn !== null && optedIn !== ((flags & optedInFlag) !== 0)) continue;
      if (isWanted !== null && !isWanted(segment.rows[i * players.stride + idLengthBrandAt]! >>> 16))
        continue;
      if (skipped++ < offset) continue;
      const row = firstRow + i;
      const brand = state.brands.byNumber(players.brandOf(row)).command.brand;
      statuses.push(statusRecord(state, instance, brand, players.playerId(row), row));
      rows.push(row);
    }
  });
  let total = countsTo === undefined ? undefined : 0;
  for (const segment of players.segments) {
    if (total === undefined || total > countsTo!) break;
    total += optInRecordsOf(segment, players.stride, optedIn, isWanted);
  }
  return { statuses, rows, total };
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

/** How many opt-in records of a segment's players a list would show, without a look at every row. */
function optInRecordsOf(
  segment: PlayerSegment,
  stride: number,
  optedIn: boolean | null,
  isWanted: ((brand: number) => boolean) | null,
): number {
  segment.optInCounts ??= counted(segment, stride);
  let sum = 0;
  for (const [brand, { records, optedIn: inside }] of segment.optInCounts) {
    if (isWanted !== null && !isWanted(brand)) continue;
    sum += optedIn === null ? records : optedIn ? inside : records - inside;
  }
  return sum;
}

function counted({ rows, count }: PlayerSegment, stride: number) {
  const brands = new Map<number, { records: number; optedIn: number }>();
  for (let i = 0; i < count; i += 1) {
    const flags = rows[i * stride + flagsAt]!;
    if ((flags & hasOptInFlag) === 0) continue;
    const brand = rows[i * stride + idLengthBrandAt]! >>> 16;
    const counts = brands.get(brand) ?? { records: 0, optedIn: 0 };
    counts.records += 1;
    if ((flags & optedInFlag) !== 0) counts.optedIn += 1;
    brands.set(brand, counts);
  }
  return brands;
}

/**
 * Whether a brand is one of the owners or a brand of one; null: every brand is. Each brand is looked at once.
 */
function brandFilter(state: LaneState, owners: readonly string[]): ((brand: number) => boolean) | null {
  if (owners.length === 0) return null;
  const wanted = new Set(owners);
  const known = new Map<number, boolean>();
  return (brand) => {
    let is = known.get(brand);
    if (is === undefined) {
      const path = state.brands.byNumber(brand).command.brand;
      is = wanted.has(path) || wanted.has(path.slice(0, path.indexOf(':')));
      known.set(brand, is);
    }
    return is;
  };
}
