import type { Contribute, ContributionOrigin } from '../../../messages/player-commands.ts';
import { contributionIdOf, debitId } from '../../../messages/transaction-ids.ts';
import { namedSource, sourceOf } from '../../rules/credits/transaction-source.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { OpenDebit, Part } from '../../state/settlements/open-debits.ts';
import type { DebitWanted } from '../contribution/entry.ts';

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
  const debit: OpenDebit = {
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
  state.debits.set(debit);
  state.debitBytes += sizeOf(debit);
  state.addWork({ kind: 'DebitDue', debit });
  return 'waiting';
}

/** Characters of foreign strings take up to three bytes; ids, amounts and numbers the rest. */
function sizeOf({ player, source, vertical, bonusId, gameround, origin }: OpenDebit): number {
  const named = player.length + source.length + vertical.length + bonusId.length + gameround.length;
  return 400 + 3 * (named + (origin === undefined ? 0 : originLength(origin)));
}

function originLength({ gameCode, gameCategory, sourceType }: ContributionOrigin): number {
  return gameCode.length + gameCategory.length + sourceType.length;
}
