import { hasOptInFlag, optedInFlag } from '../../rules/opt-ins/status.ts';
import { flagsAt, idLengthBrandAt, type PlayerSegment } from '../../state/players/player-segment.ts';

/** How many opt-in records of a segment's players a list would show, without a look at every row. */
export function optInRecordsOf(
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
