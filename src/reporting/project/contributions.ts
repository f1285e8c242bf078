import { toHex } from '../../lib/bytes.ts';
import type { BookedContribution, BookedMessage, Posting } from '../base/booked-message.ts';
import type { RowOf } from '../base/tables.ts';
import type { LaneFacts } from './facts.ts';
import type { RowPlaces } from './row-places.ts';
import { splitOf } from './split.ts';

/** The row of a contribution, or of the part of it that a linked instance took. */
export function contributionRow(
  message: BookedMessage,
  booked: BookedContribution,
  posting: Posting | undefined,
  places: RowPlaces,
  facts: LaneFacts,
): RowOf<'contributions'> {
  const { command } = booked;
  const { target, bonus, origin, idempotencyKey } = command;
  const { lane, sequence, command_index, part, time } = places.next(booked.index);
  // No spread: V8 would make each row a hash table, of ten times the costs.
  return {
    lane,
    sequence,
    command_index,
    part,
    time,
    contribution_id: booked.contributionId,
    is_link: booked.isLink,
    made_sequence: booked.made.sequence,
    made_index: booked.made.index,
    operator: command.operator,
    brand: command.brand,
    player: command.player,
    country: nullIfEmpty(command.country),
    instance: booked.instance,
    instance_sequence: booked.instanceSequence,
    epoch: booked.epoch,
    source: target.type === 'source' ? target.id : null,
    game_code: nullIfEmpty(origin?.gameCode ?? ''),
    game_category: nullIfEmpty(origin?.gameCategory ?? ''),
    source_type: nullIfEmpty(origin?.sourceType ?? ''),
    gameround: nullIfEmpty(command.gameround),
    vertical: nullIfEmpty(command.vertical),
    provider: nullIfEmpty(command.provider),
    segments: command.segments,
    key_hash: idempotencyKey === null ? null : toHex(idempotencyKey),
    currency: command.currency,
    wager_amount: command.baseWagerAtoms,
    request_amount: booked.requestAtoms,
    debit_amount: booked.debitAtoms,
    bonus_amount: booked.bonusAtoms,
    bonus_id: bonus?.id ?? null,
    instance_currency: facts.of(message, booked.instance).currency,
    instance_wager_amount: booked.wagerAtoms,
    contribution_amount: booked.contributionAtoms,
    player_part: booked.playerAtoms,
    operator_part: booked.contributionAtoms - booked.playerAtoms,
    rate_version: booked.rateVersion,
    tickets: booked.tickets,
    split: posting === undefined ? {} : splitOf(posting),
    won_pot: booked.win?.pot ?? null,
    won_amount: booked.win?.amountAtoms ?? null,
  };
}

export function nullIfEmpty(text: string): string | null {
  return text === '' ? null : text;
}
