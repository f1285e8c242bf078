import { assert } from '../../lib/assert.ts';
import { HAS_OPT_IN, OPTED_IN, preferencesOf } from '../opt-in/status.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { FLAGS, OPT_IN_MS } from '../state/player-segment.ts';
import type { Budget } from '../work/budget.ts';
import type { Job } from '../work/work.ts';

/** Rows without an opt-in cost little: this many of them count as one item. */
const IDLE_PER_ITEM = 16;
/** A step tells nobody, so one message may do several. */
const STEPS_PER_MESSAGE = 8;

export function copyJob(instance: Instance): Job | null {
  const { copying } = instance;
  if (copying === null) return null;
  return { job: copyJobOf(instance), step: copying.step, stepsPerMessage: STEPS_PER_MESSAGE };
}

export function copyJobOf(instance: Instance): string {
  return `switch/${instance.id}`;
}

/** Copies opt-ins to the target as far as the budget goes, in order of rows. One that the target has already stays. */
export function copyOptIns(state: LaneState, source: Instance, budget: Budget): void {
  const { copying, players } = source;
  const target = state.instances.get(source.switchedTo);
  assert(copying !== null && target !== undefined, 'opt-ins are copied to the target of a switch');
  state.touch(source);
  state.touch(target);
  let idle = 0;
  let row = copying.nextRow;
  for (; row < players.size && !budget.isSpent; row++) {
    const flags = players.segmentOf(row).rows[players.at(row) + FLAGS]!;
    if ((flags & HAS_OPT_IN) === 0) {
      if (++idle % IDLE_PER_ITEM === 0) budget.spend(0);
      continue;
    }
    copyOptIn(state, source, target, row);
    budget.spend(0);
  }
  source.copying = row < players.size ? { nextRow: row, step: copying.step + 1 } : null;
  if (source.copying === null) state.noteDuty(target);
}

function copyOptIn(state: LaneState, source: Instance, target: Instance, row: number): void {
  const from = source.players.segmentOf(row).rows;
  const at = source.players.at(row);
  const to = targetRow(state, source, target, row);
  const rows = target.players.segmentOf(to).rows;
  const toAt = target.players.at(to);
  if ((rows[toAt + FLAGS]! & HAS_OPT_IN) !== 0) return;
  rows[toAt + FLAGS] = (rows[toAt + FLAGS]! | (from[at + FLAGS]! & (HAS_OPT_IN | OPTED_IN))) >>> 0;
  rows[toAt + OPT_IN_MS] = from[at + OPT_IN_MS]!;
  rows[toAt + OPT_IN_MS + 1] = from[at + OPT_IN_MS + 1]!;
  const preferences = preferencesOf(source, row);
  if (preferences.length > 0) target.players.segmentOf(to).preferences.set(to & 4095, preferences);
}

function targetRow(state: LaneState, source: Instance, target: Instance, row: number): number {
  const brand = source.players.brandOf(row);
  const player = source.players.playerId(row);
  const known = target.players.find(brand, player);
  state.touchPlayers(target, known < 0 ? target.players.size : known);
  if (known >= 0) return known;
  const pseudonym = new Uint8Array(16);
  source.players.copyPseudonym(row, new DataView(pseudonym.buffer), 0);
  return target.players.add(brand, player, pseudonym, state.generation);
}
