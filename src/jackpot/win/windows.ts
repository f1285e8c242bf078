import type { Json } from '../../lib/canonical-json.ts';
import type { PotConfiguration } from '../configuration/configuration.ts';
import { ENTRY_BYTES, FLAG_HIT } from '../draw/names.ts';
import type { TimeWindows } from '../kinds/pot-types/time-windows.ts';
import {
  MAXIMUM_TIME_TRIGGERS,
  WINDOW_END,
  WINDOW_EVALUATED,
  WINDOW_PAID,
  WINDOW_WORDS,
  WINDOWS,
} from '../state/accounts.ts';

/**
 * Chooses the windows of the cycle that begins now: of each Time trigger the first that ends after this moment and was
 * not yet paid by it. `before`: the parameters of the cycle that is over, null where none was.
 */
export function openWindows(
  words: Float64Array,
  at: number,
  before: PotConfiguration | null,
  next: PotConfiguration,
  nowMs: number,
): void {
  const opening = windowsOf(next);
  const ended = before === null ? [] : windowsOf(before);
  if (opening.length === 0 && ended.length === 0) return;
  const first = at + WINDOWS;
  const old = words.slice(first, first + WINDOW_WORDS * MAXIMUM_TIME_TRIGGERS);
  words.fill(0, first, first + old.length);
  for (const windows of opening) {
    const known = sameAs(windows, ended);
    const from = known === null ? 0 : known.at - WINDOWS;
    const paid = known === null ? 0 : old[from + WINDOW_PAID]!;
    const end = windows.firstEndAfter(Math.max(nowMs, paid));
    const goesOn = known !== null && end === old[from + WINDOW_END];
    words[at + windows.at + WINDOW_END] = end;
    words[at + windows.at + WINDOW_EVALUATED] = goesOn ? old[from + WINDOW_EVALUATED]! : 0;
    words[at + windows.at + WINDOW_PAID] = paid;
  }
}

/** Every Time trigger that the paid contribution has hit has paid its window. `records`: from the pot's first entry on. */
export function notePaidWindows(
  words: Float64Array,
  at: number,
  pot: PotConfiguration,
  records: Uint8Array,
  entriesAt: number,
): void {
  pot.triggers.forEach(({ windows }, trigger) => {
    if (windows === null) return;
    const flags = records[entriesAt + trigger * ENTRY_BYTES + ENTRY_BYTES - 1]!;
    if ((flags & FLAG_HIT) === 0) return;
    words[at + windows.at + WINDOW_PAID] = windows.openEnd(words, at);
  });
}

/** For an epoch's header. */
export function windowsJson(words: Float64Array, at: number, pot: PotConfiguration): Json {
  return pot.triggers.flatMap(({ windows }, trigger) => {
    if (windows === null) return [];
    const from = at + windows.at;
    return [
      {
        trigger,
        end: words[from + WINDOW_END] || null,
        last_evaluated: words[from + WINDOW_EVALUATED] || null,
        paid_end: words[from + WINDOW_PAID] || null,
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
