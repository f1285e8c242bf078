import type { LaneQuery, LaneQueryAnswer } from '../contracts/log/messages.ts';
import { checkConfiguration } from '../jackpot/configuration/parse.ts';
import type { LaneEngine } from '../jackpot/engine.ts';
import { unreachable } from '../lib/assert.ts';

/** What one answer holds at most. */
const pageLimits = { instances: 200, bindingLists: 1000, records: 500, ids: 200 } as const;

type EngineQuery = Exclude<LaneQuery, { kind: 'directory' }>;
type Refused = Extract<LaneQueryAnswer, { kind: 'refused' }>;

const instanceNotFound: Refused = { kind: 'refused', code: 'instance_not_found', message: '' };

const unknownJob: Refused = { kind: 'refused', code: 'invalid_parameter', message: 'There is no such job.' };

/** Answers from the engine's state as it is now: bounded work, nothing changes. */
export function answerQuery(engine: LaneEngine, query: EngineQuery): LaneQueryAnswer {
  switch (query.kind) {
    case 'state':
      return statePage(engine, query.offset);
    case 'instances':
      return {
        kind: 'instances',
        sequence: engine.appliedSequence,
        instances: query.ids
          .slice(0, pageLimits.ids)
          .map((id) => engine.describe(id))
          .filter((found) => found !== null),
      };
    case 'opt_in_status': {
      const status = engine.optInStatus(query.instance, query.brand, query.player);
      return status === null ? instanceNotFound : { kind: 'opt_in_status', status };
    }
    case 'opt_ins': {
      const limit = Math.min(query.limit, pageLimits.records);
      const statuses = engine.optIns(query.instance, query.optedIn, query.offset, limit);
      return statuses === null ? instanceNotFound : { kind: 'opt_ins', statuses };
    }
    case 'player_opt_ins': {
      const limit = Math.min(query.limit, pageLimits.records);
      return {
        kind: 'opt_ins',
        statuses: engine.playerOptIns(query.brand, query.player, query.offset, limit),
      };
    }
    case 'winners': {
      const limit = Math.min(query.limit, pageLimits.records);
      const winners = engine.winners(query.instance, query.pot, query.brand, limit);
      return winners === null ? instanceNotFound : { kind: 'winners', winners };
    }
    case 'accounts':
      return accountsAnswer(engine, query.instance);
    case 'check_configuration':
      return { kind: 'check_configuration', ...checkConfiguration(query.configuration) };
    case 'epochs': {
      const epochs = engine.epochs(query.instance);
      return epochs === null ? instanceNotFound : { kind: 'epochs', epochs };
    }
    case 'idempotency_key':
      return { kind: 'idempotency_key', position: engine.idempotencyKey(query.key) };
    case 'tickets': {
      const limit = Math.min(query.limit, pageLimits.records);
      const tickets = engine.tickets({ ...query, limit });
      return tickets === null ? instanceNotFound : { kind: 'tickets', tickets };
    }
    case 'player_tickets': {
      const limit = Math.min(query.limit, pageLimits.records);
      return { kind: 'tickets', tickets: engine.playerTickets(query.brand, query.player, limit) };
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

/** Pages count instances; the binding lists are dealt to the pages by their own limit, so `total` covers both. */
function statePage(engine: LaneEngine, offset: number): LaneQueryAnswer {
  const page = Math.floor(offset / pageLimits.instances);
  const ids = [...engine.instances()];
  const lists = [...engine.bindings()];
  const instances = ids.slice(offset, offset + pageLimits.instances).flatMap((id) => {
    const description = engine.describe(id);
    const headline = engine.headline(id);
    return description === null || headline === null ? [] : [{ description, headline }];
  });
  const firstList = page * pageLimits.bindingLists;
  return {
    kind: 'state',
    sequence: engine.appliedSequence,
    total: Math.max(ids.length, Math.ceil(lists.length / pageLimits.bindingLists) * pageLimits.instances),
    instances,
    bindings: lists.slice(firstList, firstList + pageLimits.bindingLists),
  };
}

function accountsAnswer(engine: LaneEngine, instance: string): LaneQueryAnswer {
  const accounts = engine.accounts(instance);
  const headline = engine.headline(instance);
  const description = engine.describe(instance);
  if (accounts === null || headline === null || description === null) return instanceNotFound;
  const { currency } = description.configuration as { readonly currency: string };
  return { kind: 'accounts', currency, accounts, head: headline.head, sequence: headline.sequence };
}
