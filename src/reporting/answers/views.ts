import {
  type ChangeReport,
  type ContributionReport,
  type DeliveryTry,
  type PaymentReport,
  type PlayerReport,
  triedKinds,
  type WinReport,
} from '../../contracts/reports/rows.ts';
import type { RowOf } from '../base/tables.ts';

/** Rows as answers show them. */

export function contributionView(row: RowOf<'contributions'>): ContributionReport {
  return {
    contribution_id: row.contribution_id,
    is_link: row.is_link,
    timestamp: row.time,
    operator_id: row.operator,
    brand_id: row.brand,
    player_id: row.player,
    player_country: row.country,
    segments: row.segments as string[],
    instance_id: row.instance,
    instance_sequence: row.instance_sequence,
    epoch: row.epoch,
    source_id: row.source,
    game_code: row.game_code,
    gameround_id: row.gameround,
    vertical: row.vertical,
    provider_id: row.provider,
    currency: row.currency,
    base_wager: row.wager_amount,
    contribution_amount: row.request_amount,
    debit_amount: row.debit_amount,
    bonus_amount: row.bonus_amount,
    jackpot_currency: row.instance_currency,
    jackpot_base_wager: row.instance_wager_amount,
    jackpot_contribution: row.contribution_amount,
    player_part: row.player_part,
    operator_part: row.operator_part,
    rate_version: row.rate_version,
    tickets: row.tickets,
    postings: row.split as Record<string, string>,
    win_pot_id: row.won_pot,
    win_amount: row.won_amount,
    lane: row.lane,
    sequence: row.sequence,
  };
}

export function winView(row: RowOf<'wins'>): WinReport {
  return {
    kind: row.kind as WinReport['kind'],
    timestamp: row.time,
    operator_id: row.operator,
    brand_id: row.brand,
    player_id: row.player,
    instance_id: row.instance,
    instance_sequence: row.instance_sequence,
    pot_id: row.pot,
    cycle: row.cycle,
    epoch: row.epoch,
    jackpot_currency: row.currency,
    win_amount: row.amount,
    paid_currency: row.paid_currency,
    paid_amount: row.paid_amount,
    win_withheld: row.is_withheld,
    transaction_id: row.transaction_id,
    contribution_id: row.contribution_id,
    gameround_id: row.gameround,
    round: row.round,
    tier: row.tier,
    ticket: row.ticket,
    lane: row.lane,
    sequence: row.sequence,
  };
}

export function paymentView(row: RowOf<'payments'>): PaymentReport {
  return {
    transaction_id: row.transaction_id,
    kind: row.kind,
    state: row.state,
    operator_id: row.operator,
    brand_id: row.brand,
    player_id: row.player,
    instance_id: row.instance,
    pot_id: row.pot,
    jackpot_currency: row.currency,
    amount: row.amount,
    paid_currency: row.paid_currency,
    paid_amount: row.paid_amount,
    bonus_amount: row.bonus_amount,
    batch_id: row.batch_id,
    contribution_id: row.contribution_id,
    gameround_id: row.gameround,
    opened_timestamp: row.opened,
    changed_timestamp: row.changed,
    closed_timestamp: row.closed,
    reason: row.reason,
    changed_by: row.changed_by,
  };
}

export function deliveryTryView(row: RowOf<'callback_tries'>): DeliveryTry {
  const { event_id, time, took_ms, origin, result, error, status, is_final, lane, sequence } = row;
  return {
    ...{ event_id, kind: triedKind(row.kind), owner_id: row.owner, origin, timestamp: time, took_ms },
    ...{ result: result as DeliveryTry['result'], status, error, is_final, lane, sequence },
  };
}

function triedKind(kind: string): DeliveryTry['kind'] {
  const [name] = Object.entries(triedKinds).find(([, booked]) => booked === kind) ?? ['event'];
  return name as DeliveryTry['kind'];
}

export function optInView(row: RowOf<'opt_ins'>): PlayerReport['opt_ins'][number] {
  return {
    instance_id: row.instance,
    opted_in: row.is_opted_in,
    contribution_count: row.contribution_count,
    contribution_amount: row.contribution_amount,
    updated_timestamp: row.updated,
  };
}

export function ticketsView(row: RowOf<'tickets'>): PlayerReport['tickets'][number] {
  return {
    instance_id: row.instance,
    timestamp: row.time,
    round_start: row.round_start,
    round_end: row.round_end,
    first_ticket: row.first_ticket,
    count: row.count,
    tickets_in_round: row.tickets_in_round,
  };
}

export function changeView(row: RowOf<'audit'>): ChangeReport {
  return {
    ...{
      timestamp: row.time,
      id: row.id,
      kind: row.kind as ChangeReport['kind'],
      request_id: row.request_id,
    },
    ...{ user: row.user_name, operation: row.operation, method: row.method, path: row.path },
    ...{ owners: row.owners as string[], reason: row.reason, approval_id: row.approval_id },
    ...{ outcome: row.outcome, status: row.status, code: row.code },
  };
}
