import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { checkConfiguration } from '../../jackpot/rules/configuration/parse.ts';
import { unreachable } from '../../lib/assert.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../messages/queries.ts';
import type { TicketRecord } from '../../messages/records.ts';
import {
  checkAnswer,
  epochsAnswer,
  fittingRecords,
  instancesAnswer,
  optInsAnswer,
  packedInstancesAnswer,
  pageLimits,
  settlementsAnswer,
  statePage,
} from './pages.ts';
import type { TicketLists } from './tickets/ticket-lists.ts';

type EngineQuery = Exclude<
  LaneQuery,
  { kind: 'directory' | 'placement' | 'placement_order' | 'rebuilt_outcome' | 'ticket_page' }
>;
type Refused = Extract<LaneQueryAnswer, { kind: 'refused' }>;

const instanceNotFound: Refused = { kind: 'refused', code: 'instance_not_found', message: '' };

const unknownJob: Refused = { kind: 'refused', code: 'invalid_parameter', message: 'There is no such job.' };

/** Answers from the engine's state as it is now: bounded work, nothing changes. */
export function answerQuery(engine: LaneEngine, query: EngineQuery): LaneQueryAnswer {
  switch (query.kind) {
    case 'state':
      return statePage(engine, query.offset);
    case 'instances':
      return query.packed ? packedInstancesAnswer(engine, query.ids) : instancesAnswer(engine, query.ids);
    case 'opt_in_status': {
      const status = engine.optInStatus(query.instance, query.brand, query.player);
      return status === null ? instanceNotFound : { kind: 'opt_in_status', status };
    }
    case 'opt_ins': {
      const limit = Math.min(query.limit, pageLimits.records);
      const page = engine.optInPage(query.instance, { ...query, limit });
      return page === null ? instanceNotFound : optInsAnswer(page.statuses, page.rows, page.total);
    }
    case 'player_opt_ins': {
      const limit = Math.min(query.limit, pageLimits.records);
      return optInsAnswer(engine.playerOptIns(query.brand, query.player, query.offset, limit), []);
    }
    case 'winners': {
      const limit = Math.min(query.limit, pageLimits.records);
      const winners = engine.winners(query.instance, query.pot, query.brand, limit);
      return winners === null ? instanceNotFound : { kind: 'winners', winners: fittingRecords(winners) };
    }
    case 'accounts':
      return accountsAnswer(engine, query.instance);
    case 'check_configuration':
      return checkAnswer(checkConfiguration(query.configuration));
    case 'epochs': {
      const epochs = engine.epochs(query.instance);
      return epochs === null ? instanceNotFound : epochsAnswer(epochs, query.after);
    }
    case 'idempotency_key': {
      const position = engine.idempotencyKey(query.key, query.brand);
      return { kind: 'idempotency_key', position, ofBrands: engine.keysAreOfBrands };
    }
    case 'open_debits': {
      const limit = Math.min(query.limit, pageLimits.records);
      return { kind: 'open_debits', debits: fittingRecords(engine.openDebits(query.after, limit)) };
    }
    case 'open_credits': {
      const limit = Math.min(query.limit, pageLimits.records);
      const credits = engine.openCredits(query.after, limit, query.states, query.batch);
      return { kind: 'open_credits', credits: fittingRecords(credits) };
    }
    case 'open_credit': {
      const credit = engine.openCredit(query.transactionId);
      return { kind: 'open_credits', credits: credit === null ? [] : [credit] };
    }
    case 'open_settlement': {
      const found = engine.openSettlement(query.transactionId);
      return { kind: 'settlements', settlements: found === null ? [] : [found], more: false };
    }
    case 'settlement_rows':
      return { kind: 'settlement_rows', ...engine.settlementRows(query) };
    case 'settlement_records': {
      const found = engine.settlements(query.numbers.slice(0, pageLimits.records));
      return settlementsAnswer(found);
    }
    case 'open_flushes': {
      const limit = Math.min(query.limit, pageLimits.records);
      return { kind: 'open_flushes', flushes: fittingRecords(engine.openFlushes(query.offset, limit)) };
    }
    case 'pending_answer':
      return { kind: 'pending_answer', ...engine.pendingAnswer(query.sequence, query.index) };
    case 'tickets': {
      const limit = Math.min(query.limit, pageLimits.records);
      const tickets = engine.tickets({ ...query, limit });
      return tickets === null ? instanceNotFound : ticketsAnswer(tickets);
    }
    case 'player_tickets': {
      const limit = Math.min(query.limit, pageLimits.records);
      return ticketsAnswer(engine.playerTickets(query.brand, query.player, limit, query.offset));
    }
    case 'switch_preview': {
      const preview = engine.previewSwitch(query.instance, query.target, query.rules, query.override);
      if (preview.kind === 'Refused')
        return { kind: 'refused', code: preview.code, message: preview.message };
      return { kind: 'switch_preview', source: preview.source, target: preview.target };
    }
    case 'bulk_opt_in': {
      const status = engine.bulkOptIn(query.job, query.offset);
      return status === null ? unknownJob : { kind: 'bulk_opt_in', ...status };
    }
    default:
      return unreachable(query);
  }
}

/** A page of tickets in an order of `lists`, and the records as they are now. */
export async function ticketPage(
  engine: LaneEngine,
  lists: TicketLists,
  { instance, limit, ...place }: Extract<LaneQuery, { kind: 'ticket_page' }>,
): Promise<LaneQueryAnswer> {
  const page = await lists.page(instance, { ...place, limit: Math.min(limit, pageLimits.records) });
  if (page === null) return instanceNotFound;
  // A page ends early where its records are large. Of a round that has ended meanwhile there are none.
  const found = page.rows.flatMap((row) => {
    const [record] = engine.ticketRecords(instance, [row]) ?? [];
    return record === undefined ? [] : [{ row, record }];
  });
  const tickets = fittingRecords(found.map(({ record }) => record));
  const isWhole = tickets.length === found.length;
  const lastRow = isWhole ? page.rows.at(-1) : found[tickets.length - 1]?.row;
  const hasMore = page.hasMore || !isWhole;
  const last = hasMore && lastRow !== undefined ? page.positionOf(lastRow) : null;
  return { kind: 'tickets', tickets, more: hasMore, place: { total: page.total, last } };
}

function accountsAnswer(engine: LaneEngine, instance: string): LaneQueryAnswer {
  const accounts = engine.accounts(instance);
  const liveValues = engine.liveValues(instance);
  const description = engine.describe(instance);
  if (accounts === null || liveValues === null || description === null) return instanceNotFound;
  const { currency } = description.configuration as { readonly currency: string };
  return { kind: 'accounts', currency, accounts, head: liveValues.head, sequence: liveValues.sequence };
}

/** A full page may be followed by another. */
function ticketsAnswer(found: readonly TicketRecord[]): LaneQueryAnswer {
  const tickets = fittingRecords(found);
  return {
    kind: 'tickets',
    tickets,
    more: tickets.length < found.length || found.length >= pageLimits.records,
  };
}
