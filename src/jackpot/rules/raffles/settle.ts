import { toHex } from '../../../lib/bytes.ts';
import type { Json } from '../../../lib/canonical-json.ts';
import { readWide } from '../../../lib/wide.ts';
import type { Instance, Pot } from '../../state/instance/instance.ts';
import type { DrawnPrize, FindingHolders, Recording, Round } from '../../state/instance/raffle.ts';
import type { TicketRange } from '../../state/instance/ticket-book.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { carryAt, currentAt, cycleAt, enabledAt, potAt, winLiabilityAt } from '../../state/money/accounts.ts';
import { findBreach, post } from '../../state/money/ledger.ts';
import { recordEvent } from '../draws/close.ts';
import { type Reseed, reseed, reseedJson } from '../pots/reseed.ts';
import {
  openPrizes,
  payPlayers,
  prizesOf,
  pseudonymOfRow,
  type RaffleRecipient,
  recipientJson,
  sum,
  tiersOf,
} from './pay.ts';

/** A drawn ticket and the range that its holder was given. */
interface Drawn {
  readonly tier: number;
  readonly ticket: number;
  readonly range: TicketRange;
  readonly amountAtoms: bigint;
}

/**
 * Ends a round in one atomic step (docs/rules/raffles.md "Prizes"); without a drawn ticket the pot stays as
 * it is. Returns what to record, or a text if the accounts would break: then nothing has changed.
 */
export function settleRound(
  state: LaneState,
  instance: Instance,
  round: Round,
  finding: FindingHolders,
): Recording | string {
  const { balances } = instance;
  const pot = instance.pots[0]!;
  const at = potAt(0);
  const sequence = instance.sequence + 1;
  instance.saved.set(balances);
  const cycle = balances[at + cycleAt]!;
  const valueAtoms = readWide(balances, at + currentAt);
  const maximum = instance.configuration.maxCycles;
  const isLast = round.isLast || (round.tickets > 0 && maximum !== null && cycle >= maximum);
  const drawn = drawnOf(state, instance, round, finding, valueAtoms, isLast);
  const paidAtoms = sum(drawn.map((each) => each.amountAtoms));
  post(balances, at + currentAt, winLiabilityAt, paidAtoms);
  const recipients = payPlayers(state, instance, drawn);
  const reseeded = closeCycle(state, instance, pot, drawn.length > 0, isLast);
  const breach = findBreach(balances, instance.pots.length);
  if (breach !== null) {
    balances.set(instance.saved);
    return breach;
  }
  state.recorder?.paid?.(instance);
  if (reseeded !== null) instance.bindPending(pot);
  instance.refresh();
  const facts = { round, isLast, cycle, valueAtoms, paidAtoms, reseeded };
  const withheld = new Set(recipients.filter((each) => each.credit.withheld).map((each) => each.row));
  const prizes = drawn.map((each) => prizeOf(each, withheld));
  for (const prize of prizes) noteWinner(state, instance, sequence, prize);
  openPrizes(state, instance, pot.effective.id, cycle, sequence, recipients);
  return {
    kind: 'Recording',
    detail: roundJson(instance, pot, sequence, facts, drawn, recipients),
    announcing: {
      kind: 'Announcing',
      sequence,
      instanceCount: cycle,
      prizes,
      nextPrize: 0,
      seedAtoms: reseeded?.openingAtoms ?? 0n,
      seedDeficitAtoms: reseeded?.operatorAtoms ?? 0n,
    },
  };
}

/** Chains the record of a round that was paid: it takes the number that the draw was made with. */
export function recordRound(state: LaneState, instance: Instance, { detail }: Recording): void {
  recordEvent(state, instance, () => detail);
}

function drawnOf(
  state: LaneState,
  instance: Instance,
  round: Round,
  { tickets, ranges }: FindingHolders,
  valueAtoms: bigint,
  isLast: boolean,
): readonly Drawn[] {
  const exponent = state.rates.exponentOf(instance.configuration.currency, '') ?? 2;
  const amounts = prizesOf(round.rules, valueAtoms, tickets.length, isLast, exponent);
  const tiers = tiersOf(round.rules, tickets.length);
  return tickets.map((ticket, index) => ({
    tier: tiers[index]!,
    ticket,
    range: ranges[index]!,
    amountAtoms: amounts[index]!,
  }));
}

/** The rest carries and the next cycle opens; null where none does. */
function closeCycle(
  state: LaneState,
  instance: Instance,
  pot: Pot,
  anyDrawn: boolean,
  isLast: boolean,
): Reseed | null {
  const { balances } = instance;
  const at = potAt(pot.index);
  if (isLast) balances[at + enabledAt] = 0;
  if (!anyDrawn) return null;
  post(balances, at + currentAt, at + carryAt, readWide(balances, at + currentAt));
  if (isLast) return null;
  return reseed(balances, at, pot.effective, pot.pending ?? pot.effective, state.nowMs);
}

interface RoundFacts {
  readonly round: Round;
  readonly isLast: boolean;
  readonly cycle: number;
  readonly valueAtoms: bigint;
  readonly paidAtoms: bigint;
  readonly reseeded: Reseed | null;
}

function roundJson(
  instance: Instance,
  pot: Pot,
  sequence: number,
  { round, isLast, cycle, valueAtoms, paidAtoms, reseeded }: RoundFacts,
  drawn: readonly Drawn[],
  recipients: readonly RaffleRecipient[],
): Json {
  return {
    type: 'round',
    seq: sequence,
    pot: pot.effective.id,
    instance_count: cycle,
    round: round.number,
    start: round.startMs,
    end: round.endMs,
    last: isLast,
    rules: round.rules.document as Json,
    tickets: round.tickets,
    value: valueAtoms.toString(),
    prizes: drawn.map(({ tier, ticket, range, amountAtoms }) => ({
      tier,
      ticket,
      range_first: range.first,
      range_count: range.count,
      winner: toHex(pseudonymOfRow(instance, range.row)),
      amount: amountAtoms.toString(),
    })),
    paid: recipients.map(recipientJson),
    carry: (valueAtoms - paidAtoms).toString(),
    reseed: reseedJson(reseeded, cycle + 1),
  };
}

function prizeOf({ tier, ticket, range, amountAtoms }: Drawn, withheld: ReadonlySet<number>): DrawnPrize {
  return { tier, ticket, row: range.row, amountAtoms, withheld: withheld.has(range.row) };
}

function noteWinner(state: LaneState, instance: Instance, sequence: number, prize: DrawnPrize): void {
  const { players } = instance;
  instance.winners.add({
    pot: instance.pots[0]!.effective.id,
    amountAtoms: prize.amountAtoms,
    currency: instance.configuration.currency,
    brand: state.brands.byNumber(players.brandOf(prize.row)).command.brand,
    player: players.playerId(prize.row),
    timestampMs: state.nowMs,
    sequence,
    withheld: prize.withheld,
    kind: 'raffle',
  });
}
