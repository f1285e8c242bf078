import { toHex } from '../../lib/bytes.ts';
import { floorMultiply } from '../../lib/fraction.ts';
import { readWide } from '../../lib/wide.ts';
import { floorToMinor } from '../contribution/convert.ts';
import type { Group } from '../draw/group.ts';
import type { ContributionWin } from '../outcomes.ts';
import { CARRY, CURRENT, CYCLE, ENABLED, OPERATOR_FEE, potAt, WIN_LIABILITY } from '../state/accounts.ts';
import type { Brand } from '../state/brands.ts';
import type { LaneState } from '../state/lane-state.ts';
import { findBreach, post } from '../state/ledger.ts';
import { pseudonymOf } from '../state/pseudonym.ts';
import { type Credit, creditFor, settleCredit } from './credit.ts';
import { type Reseed, reseed, reseedJson } from './reseed.ts';

/** Who won, by which contribution (or by A30, without one). */
export interface Winner {
  readonly sequence: number;
  readonly contributionId: Uint8Array;
  readonly gameround: string;
  readonly brand: Brand;
  readonly player: string;
  readonly currency: string;
  readonly eventMetadata: string | null;
}

/** What left the pot. */
interface Payout {
  readonly valueAtoms: bigint;
  readonly winAtoms: bigint;
  readonly feeAtoms: bigint;
  readonly carryAtoms: bigint;
}

/**
 * Pays a pot to its main winner and opens its next cycle (domain.md 5 and 6). `trigger` null: an external one. Returns
 * a text where the accounts would not stay sound: then nothing but the words has changed, and the caller restores them.
 */
export function payWin(
  state: LaneState,
  group: Group,
  index: number,
  trigger: number | null,
  winner: Winner,
): ContributionWin | string {
  const { instance } = group;
  const { words } = instance;
  const pot = instance.pots[index]!;
  const at = potAt(index);
  const cycle = words[at + CYCLE]!;
  const paid = payOut(state, group, index);
  const credit = creditFor(state, instance, winner.brand, winner.currency, paid.winAtoms);
  settleCredit(words, paid.winAtoms, credit);
  const maximum = instance.configuration.maximumCycles;
  const isLast = maximum !== null && cycle >= maximum;
  const next = pot.pending ?? pot.effective;
  const reseeded = isLast ? null : reseed(words, at, next, state.nowMs);
  if (isLast) words[at + ENABLED] = 0;
  const breach = findBreach(words, instance.pots.length);
  if (breach !== null) return breach;

  if (!isLast) {
    pot.effective = next;
    pot.pending = null;
  }
  instance.refresh();
  noteWin(state, group, index, trigger, winner, paid, credit, reseeded, cycle);
  return {
    pot: pot.effective.id,
    amountAtoms: paid.winAtoms,
    currency: instance.configuration.currency,
    withheld: credit.withheld,
  };
}

function payOut(state: LaneState, group: Group, index: number): Payout {
  const { instance } = group;
  const { words } = instance;
  const at = potAt(index);
  const { mainWinnerPercentage, adminFee } = instance.pots[index]!.effective;
  const valueAtoms = readWide(words, at + CURRENT);
  const exponent = state.rates.exponentOf(instance.configuration.currency, '') ?? 2;
  const winAtoms = floorToMinor(floorMultiply(valueAtoms, mainWinnerPercentage), exponent);
  const feeAtoms = floorMultiply(valueAtoms, adminFee);
  const carryAtoms = valueAtoms - winAtoms - feeAtoms;
  post(words, at + CURRENT, WIN_LIABILITY, winAtoms);
  post(words, at + CURRENT, OPERATOR_FEE, feeAtoms);
  post(words, at + CURRENT, at + CARRY, carryAtoms);
  return { valueAtoms, winAtoms, feeAtoms, carryAtoms };
}

function noteWin(
  state: LaneState,
  group: Group,
  index: number,
  trigger: number | null,
  winner: Winner,
  paid: Payout,
  credit: Credit,
  reseeded: Reseed | null,
  cycle: number,
): void {
  const { instance } = group;
  const pot = instance.pots[index]!.effective.id;
  const { brand } = winner.brand.command;
  const currency = instance.configuration.currency;
  instance.counter += 1;
  instance.winners.add({
    pot,
    amountAtoms: paid.winAtoms,
    currency,
    brand,
    player: winner.player,
    timestampMs: state.nowMs,
    sequence: winner.sequence,
  });
  group.details.push({
    type: trigger === null ? 'trigger' : 'win',
    seq: winner.sequence,
    pot,
    trigger,
    instance_count: cycle,
    value: paid.valueAtoms.toString(),
    win: paid.winAtoms.toString(),
    player_paid_back: credit.withheld ? null : credit.backAtoms.toString(),
    fee: paid.feeAtoms.toString(),
    carry: paid.carryAtoms.toString(),
    winner: toHex(pseudonymOf(state.hashing, winner.brand, winner.player)),
    withheld: credit.withheld,
    payouts: [],
    reseed: reseedJson(reseeded, cycle + 1),
  });
  state.events.push({
    kind: 'Won',
    instance: instance.id,
    counter: instance.counter,
    sequence: winner.sequence,
    contributionId: winner.contributionId,
    gameround: winner.gameround,
    pot,
    instanceCount: cycle,
    currency,
    rateVersion: credit.rateVersion,
    winner: {
      brand,
      player: winner.player,
      amountAtoms: paid.winAtoms,
      paidAtoms: credit.paidAtoms,
      paidCurrency: credit.paidCurrency,
    },
    community: [],
    seedAtoms: reseeded?.openingAtoms ?? 0n,
    seedDeficitAtoms: reseeded?.operatorAtoms ?? 0n,
    withheld: credit.withheld,
    external: trigger === null,
    eventMetadata: winner.eventMetadata,
  });
}
