import type { Json } from '../../../lib/canonical-json.ts';
import type { PotConfiguration } from '../../state/configuration/configuration.ts';
import type { TimeWindows } from '../../state/configuration/trigger.ts';
import {
  maxTimeTriggers,
  windowEndAt,
  windowEvaluatedAt,
  windowPaidAt,
  windowSlots,
  windowsAt,
} from '../../state/money/accounts.ts';
import { entryBytes, flagHit } from '../keystreams/names.ts';

/** Each Time trigger gets the first window that ends after this moment and that it has not paid yet. */
export function openWindows(
  balances: Float64Array,
  at: number,
  before: PotConfiguration | null,
  next: PotConfiguration,
  nowMs: number,
): void {
  const opening = windowsOf(next);
  const ended = before === null ? [] : windowsOf(before);
  if (opening.length === 0 && ended.length === 0) return;
  const first = at + windowsAt;
  const old = balances.slice(first, first + windowSlots * maxTimeTriggers);
  balances.fill(0, first, first + old.length);
  for (const windows of opening) {
    const known = sameAs(windows, ended);
    const from = known === null ? 0 : known.at - windowsAt;
    const paid = known === null ? 0 : old[from + windowPaidAt]!;
    const end = windows.firstEndAfter(Math.max(nowMs, paid));
    const goesOn = known !== null && end === old[from + windowEndAt];
    balances[at + windows.at + windowEndAt] = end;
    balances[at + windows.at + windowEvaluatedAt] = goesOn ? old[from + windowEvaluatedAt]! : 0;
    balances[at + windows.at + windowPaidAt] = paid;
  }
}

/** A Time trigger that the paid contribution has hit has paid its window. */
export function notePaidWindows(
  balances: Float64Array,
  at: number,
  pot: PotConfiguration,
  records: Uint8Array,
  entriesAt: number,
): void {
  pot.triggers.forEach(({ windows }, trigger) => {
    if (windows === null) return;
    const flags = records[entriesAt + trigger * entryBytes + entryBytes - 1]!;
    if ((flags & flagHit) === 0) return;
    balances[at + windows.at + windowPaidAt] = windows.openEnd(balances, at);
  });
}

/** For an epoch's header. */
export function windowsJson(balances: Float64Array, at: number, pot: PotConfiguration): Json {
  return pot.triggers.flatMap(({ windows }, trigger) => {
    if (windows === null) return [];
    const from = at + windows.at;
    return [
      {
        trigger,
        end: balances[from + windowEndAt] || null,
        last_evaluated: balances[from + windowEvaluatedAt] || null,
        paid_end: balances[from + windowPaidAt] || null,
      },
    ];
  });
}

function windowsOf(pot: PotConfiguration): readonly TimeWindows[] {
  return pot.triggers.flatMap(({ windows }) => windows ?? []);
}

/** The same windows among those of the cycle before, else what stood in the same slot. */
function sameAs(windows: TimeWindows, ended: readonly TimeWindows[]): TimeWindows | null {
  const same = ended.find((each) => each.startMs === windows.startMs && each.endMs === windows.endMs);
  return same ?? ended.find((each) => each.slot === windows.slot) ?? null;
}
