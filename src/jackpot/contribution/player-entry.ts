import type { Contribute } from '../../messages/player-commands.ts';
import type { Group } from '../draw/group.ts';
import { INPUT_BYTES } from '../draw/names.ts';
import { CYCLE, potAt } from '../state/accounts.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { currencyNumber } from '../state/last-currency.ts';
import {
  addTriple,
  COUNT,
  FLAGS,
  ORDINAL,
  POT_COUNT,
  POT_CYCLE,
  POT_CYCLE_VALUE,
  POT_ROW_WORDS,
  POT_VALUE,
  POTS_AT,
  VALUE,
} from '../state/player-segment.ts';
import type { Price, Split } from '../state/quote.ts';
import type { Entry } from './entry.ts';
import { GROSS, PART_WORDS } from './split.ts';

/** Enters an accepted contribution in the player's row; the first one gives the player an ordinal. */
export function enter(
  state: LaneState,
  entry: Entry,
  command: Contribute,
  price: Price,
  split: Split,
): number {
  const { instance } = entry;
  const { players } = instance;
  let row = entry.row >= 0 ? entry.row : players.find(entry.brand.number, command.player);
  if (row < 0) {
    state.touchPlayers(instance, players.size);
    const pseudonym = pseudonymIn(entry.group, entry.inputIndex);
    row = players.add(entry.brand.number, command.player, pseudonym, state.generation);
    state.playerCounts.add(entry.brand);
  } else state.touchPlayers(instance, row);
  const rows = players.segmentOf(row).rows;
  const at = players.at(row);
  let ordinal = rows[at + ORDINAL]!;
  if (ordinal === 0) ordinal = players.addContributor(state.hashing, row, state.nowMs);
  else players.byOrdinal.noteTime(ordinal, state.nowMs);
  rows[at + COUNT] = rows[at + COUNT]! + 1;
  addTriple(rows, at + VALUE, price.contributionHigh, price.contributionLow);
  const currency = currencyNumber(instance, command.currency);
  rows[at + FLAGS] = (rows[at + FLAGS]! & 0xffff) + currency * 65_536;
  enterPots(instance, rows, at + POTS_AT, split);
  players.standings.note(ordinal, rows, at + POTS_AT, split.mask);
  return row;
}

function enterPots(instance: Instance, rows: Uint32Array, from: number, split: Split): void {
  for (const pot of instance.pots) {
    if (((split.mask >>> pot.index) & 1) === 0) continue;
    const at = from + POT_ROW_WORDS * pot.index;
    const high = split.parts[pot.index * PART_WORDS + GROSS]!;
    const low = split.parts[pot.index * PART_WORDS + GROSS + 1]!;
    rows[at + POT_COUNT] = rows[at + POT_COUNT]! + 1;
    addTriple(rows, at + POT_VALUE, high, low);
    // A share belongs to the cycle that it was drawn in: the one before, where this contribution has won the pot.
    const cycle = instance.saved[potAt(pot.index) + CYCLE]!;
    if (rows[at + POT_CYCLE] !== cycle) {
      rows[at + POT_CYCLE] = cycle;
      rows[at + POT_CYCLE_VALUE] = 0;
      rows[at + POT_CYCLE_VALUE + 1] = 0;
    }
    addCycleShare(rows, at + POT_CYCLE_VALUE, high, low);
  }
}

/** 64 bits: the shares of one cycle are in the pot's own accounts, which are smaller. */
function addCycleShare(rows: Uint32Array, at: number, high: number, low: number): void {
  const sum = rows[at]! + low;
  rows[at] = sum;
  rows[at + 1] = rows[at + 1]! + high + (sum >= 4_294_967_296 ? 1 : 0);
}

function pseudonymIn(group: Group, inputIndex: number): Uint8Array {
  const at = inputIndex * INPUT_BYTES + 24;
  return group.inputs.subarray(at, at + 16);
}
