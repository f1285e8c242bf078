import type {
  BooksAnswer,
  BooksAsOf,
  BooksQuestion,
  PlaceQuestion,
} from '../../contracts/reports/questions.ts';
import type { SearchReport } from '../../contracts/reports/rows.ts';
import { writeJson } from '../../lib/json.ts';
import { search } from '../store/questions/search.ts';
import { type Condition, selectRows } from '../store/questions/select.ts';
import type { BooksStore } from '../store/store.ts';
import { daily } from './daily.ts';
import { explanation } from './explanation.ts';
import { exported } from './export.ts';
import type { Found, NotFound } from './found.ts';
import { history } from './history.ts';
import { bookedList } from './list.ts';
import { player } from './player.ts';
import { significantEvents } from './significant-events.ts';
import { changeView, contributionView, paymentView, winView } from './views.ts';

/** What the database answers. */
type StoreQuestion = Exclude<BooksQuestion, PlaceQuestion>;

/** Answers a question from the database. @throws StoreError */
export async function answerBooks(store: BooksStore, question: StoreQuestion): Promise<BooksAnswer> {
  // Before the rows, which may come from later messages: the books are at least as far as they say.
  const asOf = await asOfBooks(store);
  const found = await lookUp(store, question);
  if (found === 'missing') return { kind: found, asOf, body: '' };
  if (typeof found === 'string') return { kind: found, body: '' };
  const { body, cursor = null, total = null, draws = [] } = found;
  return { kind: 'found', asOf, cursor, total, draws: [...draws], body };
}

function lookUp(store: BooksStore, question: StoreQuestion): Promise<Found | NotFound> {
  switch (question.kind) {
    case 'list':
      return bookedList(store, question);
    case 'contribution':
      return explanation(store, question);
    case 'player':
      return player(store, question);
    case 'daily':
      return daily(store, question);
    case 'search':
      return searched(store, question.text, question.where);
    case 'changes':
      return changesOf(store, question.requestId);
    case 'export':
      return exported(store, question);
    case 'significant':
      return significantEvents(store, question);
    case 'history':
      return history(store, question);
    case 'has':
      return has(store, question.id, question.where);
  }
}

async function searched(store: BooksStore, text: string, where: readonly Condition[]): Promise<Found> {
  const { contributions, payments, wins, players } = await search(store, text, where);
  const report: Omit<SearchReport, 'instances' | 'changes'> = {
    contributions: contributions.map(contributionView),
    payments: payments.map(paymentView),
    wins: wins.map(winView),
    players: players.map(({ brand, player }) => ({ brand_id: brand, player_id: player })),
  };
  return { body: writeJson(report) };
}

/** A request has an intent and an outcome, and those of what it carried out beside itself. */
const maxChanges = 100;

async function changesOf(store: BooksStore, requestId: string): Promise<Found> {
  const where = [{ column: 'request_id', is: '=', value: requestId } as const];
  const rows = await selectRows(store, 'audit', { where, limit: maxChanges });
  return { body: writeJson(rows.map(changeView)) };
}

async function has(store: BooksStore, id: string, where: readonly Condition[]): Promise<Found | NotFound> {
  const query = { where: [{ column: 'contribution_id', is: '=', value: id } as const, ...where], limit: 1 };
  const rows = await Promise.all([
    selectRows(store, 'contributions', query),
    selectRows(store, 'payments', query),
  ]);
  return rows.flat().length === 0 ? 'missing' : { body: '' };
}

/** How far the books of each lane are. */
async function asOfBooks(store: BooksStore): Promise<BooksAsOf> {
  const positions = await selectRows(store, 'positions', { where: [], limit: 1024 });
  return positions.map(({ lane, sequence, time }) => ({ lane, sequence, timestamp: time }));
}
