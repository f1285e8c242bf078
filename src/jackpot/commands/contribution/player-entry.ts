import type { Contribute } from '../../../messages/player-commands.ts';
import type { Group } from '../../rules/draws/group.ts';
import { inputBytes } from '../../rules/keystreams/names.ts';
import { grossAt, partSlots } from '../../rules/prices/split.ts';
import { currencyNumber, type Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { cycleAt, potAt } from '../../state/money/accounts.ts';
import type { Price, Split } from '../../state/money/quote.ts';
import {
  addTriple,
  countWordAt,
  flagsAt,
  ordinalAt,
  potCountAt,
  potCycleAt,
  potCycleValueAt,
  potRowWords,
  potsAt,
  potValueAt,
  valueAt,
} from '../../state/players/player-segment.ts';
import type { Entry } from './entry.ts';

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
  let ordinal = rows[at + ordinalAt]!;
  if (ordinal === 0) ordinal = players.addContributor(state.hashing, row, state.nowMs);
  else players.byOrdinal.noteTime(ordinal, state.nowMs);
  rows[at + countWordAt] = rows[at + countWordAt]! + 1;
  addTriple(rows, at + valueAt, price.contributionHigh, price.contributionLow);
  const currency = currencyNumber(instance, command.currency);
  rows[at + flagsAt] = (rows[at + flagsAt]! & 0xffff) + currency * 65_536;
  enterPots(instance, rows, at + potsAt, split);
  players.standings.note(ordinal, rows, at + potsAt, split.mask);
  return row;
}

function enterPots(instance: Instance, rows: Uint32Array, from: number, split: Split): void {
  for (const pot of instance.pots) {
    if (((split.mask >>> pot.index) & 1) === 0) continue;
    const at = from + potRowWords * pot.index;
    const high = split.parts[pot.index * partSlots + grossAt]!;
    const low = split.parts[pot.index * partSlots + grossAt + 1]!;
    rows[at + potCountAt] = rows[at + potCountAt]! + 1;
    addTriple(rows, at + potValueAt, high, low);
    // A share belongs to the cycle in which it was drawn: the one before, where this contribution won the
    // pot.
    const cycle = instance.saved[potAt(pot.index) + cycleAt]!;
    if (rows[at + potCycleAt] !== cycle) {
      rows[at + potCycleAt] = cycle;
      rows[at + potCycleValueAt] = 0;
      rows[at + potCycleValueAt + 1] = 0;
    }
    addCycleShare(rows, at + potCycleValueAt, high, low);
  }
}

/** 64 bits: the shares of one cycle are in the pot's own accounts, which are smaller. */
function addCycleShare(rows: Uint32Array, at: number, high: number, low: number): void {
  const sum = rows[at]! + low;
  rows[at] = sum;
  rows[at + 1] = rows[at + 1]! + high + (sum >= 4_294_967_296 ? 1 : 0);
}

function pseudonymIn(group: Group, inputIndex: number): Uint8Array {
  const at = inputIndex * inputBytes + 24;
  return group.inputs.subarray(at, at + 16);
}
