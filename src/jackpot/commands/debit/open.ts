import type { Contribute } from '../../../messages/player-commands.ts';
import { contributionIdOf, debitId } from '../../../messages/transaction-ids.ts';
import { namedSource, sourceOf } from '../../rules/credits/transaction-source.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { OpenDebit, Part } from '../../state/settlements/open-debits.ts';
import type { DebitWanted, Entry } from '../contribution/entry.ts';

/**
 * How long the wallet may be asked for a debit; then it is cancelled (docs/rules/settlements.md "Debits").
 */
const debitWithinMs = 4000;

interface Place {
  readonly sequence: number;
  readonly index: number;
  readonly part: number;
  readonly isLink: boolean;
}

/** Intent first: the debit is in the lane's state, and its record in OUT, before the wallet is asked. */
export function openDebit(state: LaneState, wanted: DebitWanted, command: Contribute, place: Place): Part {
  const { entry, quote } = wanted;
  const { price } = quote;
  const { instance } = entry;
  const contributionId = contributionIdOf(command.contributionId, instance.id, place.isLink);
  const table = state.rates.inForce(command.brand);
  const opened: OpenDebit = {
    number: state.nextNumber(),
    transactionId: debitId(contributionId),
    contributionId,
    instance: instance.id,
    brand: command.brand,
    player: command.player,
    amountAtoms: price.debitAtoms,
    bonusAtoms: price.bonusAtoms,
    currency: command.currency,
    rateVersion: table?.version ?? 0,
    source: sourceOf(state, instance.facts, namedSource(command)),
    provider: command.provider === '' ? entry.brand.command.provider : command.provider,
    vertical: command.vertical,
    bonusId: command.bonus?.id ?? '',
    gameround: command.gameround,
    openedMs: state.nowMs,
    deadlineMs: state.nowMs + debitWithinMs,
    debited: false,
    sequence: place.sequence,
    index: place.index,
    ...(command.origin === null ? {} : { origin: command.origin }),
    part: place.part,
    requestAtoms: price.requestAtoms,
    contributionAtoms: price.contributionAtoms,
    playerAtoms: price.playerAtoms,
    wagerAtoms: quote.wagerAtoms,
    table,
  };
  const batch = isBatched(state, entry, command) ? { batch: state.debitBatches.join(opened) } : {};
  const debit = { ...opened, ...batch };
  state.debits.set(debit);
  state.debitBytes += sizeOf(debit);
  state.addWork({ kind: 'DebitDue', debit });
  return 'waiting';
}

/** A W4 has no bonus and closes no round. */
function isBatched({ rules }: LaneState, { brand }: Entry, { bonus }: Contribute): boolean {
  const { batchDebits, closeRounds } = brand.command;
  return rules.debitsAreBatched && batchDebits === true && !closeRounds && bonus === null;
}

/** Characters of foreign strings take up to three bytes; ids, amounts and numbers the rest. */
function sizeOf({ player, source, vertical, bonusId, gameround, origin, batch }: OpenDebit): number {
  const texts = [player, source, vertical, bonusId, gameround, ...(origin ? Object.values(origin) : [])];
  return (batch === undefined ? 400 : 464) + 3 * texts.join('').length;
}
