import type { Hashing } from '../../../lib/hashing.ts';
import type { PotConfiguration } from '../../state/configuration/configuration.ts';
import type { DrawView, Odds } from '../../state/configuration/trigger.ts';
import { currentAt, cycleStartMsAt, lastDrawnAt, potAt } from '../../state/money/accounts.ts';
import {
  entryBytes,
  flagBlocked,
  flagHit,
  flagUnqualified,
  flagVoid,
  recordBytes,
} from '../keystreams/names.ts';
import type { Group } from './group.ts';

/** A pot that was hit, its first trigger that hit, and the place of its entries in the group's records. */
export interface Hit {
  readonly pot: number;
  readonly trigger: number;
  readonly entriesAt: number;
}

const odds: Odds = { numHigh: 0, numLow: 0, denHigh: 0, denLow: 0 };
const view: DrawView & { minReseedAtoms: bigint } = {
  contributionHigh: 0,
  contributionLow: 0,
  timestampMs: 0,
  openSinceMs: 0,
  balances: new Float64Array(0),
  potAt: 0,
  minReseedAtoms: 0n,
};
const none: readonly Hit[] = [];

/** Writes one record and draws the pots of mask `qualified` (docs/rules/triggers.md "Drawing a pot"). */
export function draw(
  hashing: Hashing,
  group: Group,
  sequence: number,
  timestampMs: number,
  inputIndex: number,
  contributionHigh: number,
  contributionLow: number,
  qualified: number,
): readonly Hit[] {
  const { instance } = group;
  const entries = beginRecord(group, sequence, contributionHigh, contributionLow, timestampMs, inputIndex);
  view.contributionHigh = contributionHigh;
  view.contributionLow = contributionLow;
  view.timestampMs = timestampMs;
  view.balances = instance.balances;
  const counts = instance.epochs.running!.rules !== 1;
  const resumedMs = instance.resumedMs ?? 0;
  const draws = contributionHigh !== 0 || contributionLow !== 0;
  let hits: Hit[] | null = null;
  let count = 0;
  for (const pot of instance.pots) {
    const bit = 1 << pot.index;
    if ((instance.enabledMask & bit) === 0) continue;
    const at = potAt(pot.index);
    view.potAt = at;
    view.openSinceMs = counts ? Math.max(resumedMs, instance.balances[at + cycleStartMsAt]!) : 0;
    const from = group.recordBytes;
    const idle = (qualified & bit) === 0 ? flagUnqualified : -1;
    const trigger = drawPot(hashing, group, pot.effective, pot.index, idle, draws);
    count += pot.effective.triggers.length;
    if (trigger < 0) continue;
    hits ??= [];
    hits.push({ pot: pot.index, trigger, entriesAt: from });
  }
  group.records[entries] = count;
  return hits ?? none;
}

/** Starts a record; returns the place of its number of entries. */
export function beginRecord(
  group: Group,
  sequence: number,
  contributionHigh: number,
  contributionLow: number,
  timestampMs: number,
  inputIndex: number,
): number {
  group.reserve(recordBytes);
  const at = group.recordBytes;
  const bytes = group.recordsView;
  // A larger number is written as its lowest 32 bits: a remainder would cost more than all the rest.
  bytes.setUint32(at, sequence / 4_294_967_296);
  bytes.setUint32(at + 4, sequence);
  bytes.setUint32(at + 8, contributionHigh);
  bytes.setUint32(at + 12, contributionLow);
  bytes.setUint32(at + 16, timestampMs / 4_294_967_296);
  bytes.setUint32(at + 20, timestampMs);
  bytes.setUint32(at + 24, inputIndex);
  bytes.setUint8(at + 28, 0);
  group.recordBytes = at + recordBytes;
  group.recordCount += 1;
  return at + 28;
}

export function markVoid(group: Group, hit: Hit, triggers: number): void {
  for (let i = 0; i < triggers; i++) {
    const at = hit.entriesAt + i * entryBytes + entryBytes - 1;
    if ((group.records[at]! & flagHit) !== 0) group.records[at] = group.records[at]! | flagVoid;
  }
}

/** Writes the entries of one pot; returns the first trigger that hit, −1 if no trigger did. */
function drawPot(
  hashing: Hashing,
  group: Group,
  pot: PotConfiguration,
  index: number,
  idle: number,
  draws: boolean,
): number {
  const { balances } = view;
  const at = view.potAt;
  const triggers = pot.triggers;
  group.reserve(triggers.length * entryBytes);
  let flags = idle;
  if (idle < 0) flags = draws ? blockedFlag(pot) : 0;
  const currentHigh = balances[at + currentAt]!;
  const currentLow = balances[at + currentAt + 1]!;
  const evaluates = idle < 0 && draws && flags === 0 && (currentHigh !== 0 || currentLow !== 0);
  let first = -1;
  let drawn = false;
  for (let trigger = 0; trigger < triggers.length; trigger++) {
    const to = group.recordBytes;
    const bytes = group.recordsView;
    bytes.setUint8(to, index);
    bytes.setUint8(to + 1, trigger);
    bytes.setUint32(to + 2, balances[at + lastDrawnAt]!);
    bytes.setUint32(to + 6, balances[at + lastDrawnAt + 1]!);
    bytes.setUint32(to + 10, currentHigh);
    bytes.setUint32(to + 14, currentLow);
    group.recordBytes = to + entryBytes;
    if (evaluates && triggers[trigger]!.odds(view, odds)) {
      drawn = true;
      const hit = evaluate(hashing, group, to + 18);
      bytes.setUint8(to + 42, hit ? flagHit : 0);
      if (hit && first < 0) first = trigger;
    } else {
      clearOdds(bytes, to + 18);
      bytes.setUint8(to + 42, flags);
    }
  }
  if (drawn) {
    balances[at + lastDrawnAt] = currentHigh;
    balances[at + lastDrawnAt + 1] = currentLow;
  }
  return first;
}

/** den ≤ 0 is sure, num ≤ 0 misses, num ≥ den is sure, else a keystream word decides. Negatives are 0. */
function evaluate(hashing: Hashing, group: Group, to: number): boolean {
  const { numHigh, numLow, denHigh, denLow } = odds;
  const bytes = group.recordsView;
  const numPositive = numHigh > 0 || (numHigh === 0 && numLow > 0);
  const denPositive = denHigh > 0 || (denHigh === 0 && denLow > 0);
  bytes.setUint32(to, numPositive ? numHigh : 0);
  bytes.setUint32(to + 4, numPositive ? numLow : 0);
  bytes.setUint32(to + 8, denPositive ? denHigh : 0);
  bytes.setUint32(to + 12, denPositive ? denLow : 0);
  if (!denPositive || !numPositive || numHigh > denHigh || (numHigh === denHigh && numLow >= denLow)) {
    bytes.setUint32(to + 16, 0);
    bytes.setUint32(to + 20, 0);
    return !denPositive || numPositive;
  }
  const keystream = group.keystream(hashing);
  keystream.uniform(odds);
  bytes.setUint32(to + 16, keystream.high);
  bytes.setUint32(to + 20, keystream.low);
  return keystream.high < numHigh || (keystream.high === numHigh && keystream.low < numLow);
}

function clearOdds(bytes: DataView, at: number): void {
  for (let i = 0; i < 24; i += 4) bytes.setUint32(at + i, 0);
}

function blockedFlag(pot: PotConfiguration): number {
  if (pot.constraints.length === 0) return 0;
  view.minReseedAtoms = pot.minReseedAtoms;
  for (const constraint of pot.constraints) if (!constraint.holds(view)) return flagBlocked;
  return 0;
}
