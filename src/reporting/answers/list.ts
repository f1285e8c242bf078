import type { BooksQuestion, bookedLists } from '../../contracts/reports/questions.ts';
import { writeJson } from '../../lib/json.ts';
import type { RowOf } from '../base/tables.ts';
import { countRows, cursorBehind, rowsPage } from '../store/questions/pages.ts';
import type { BooksStore } from '../store/store.ts';
import type { Found, NotFound } from './found.ts';
import { textsThatFit } from './texts.ts';
import { contributionView, deliveryTryView, paymentView, winView } from './views.ts';

type ListName = (typeof bookedLists)[number];

/** By which time a list is ordered, and how it shows a row. */
const lists: {
  readonly [T in ListName]: { readonly order: string; readonly view: (row: RowOf<T>) => object };
} = {
  contributions: { order: 'time', view: contributionView },
  wins: { order: 'time', view: winView },
  payments: { order: 'opened', view: paymentView },
  callback_tries: { order: 'time', view: deliveryTryView },
};

/** A page of a list; it ends early where its rows are large. */
export function bookedList(
  store: BooksStore,
  { of, ...query }: Extract<BooksQuestion, { readonly kind: 'list' }>,
): Promise<Found | NotFound> {
  return listOf(store, of, query);
}

async function listOf<T extends ListName>(
  store: BooksStore,
  of: T,
  { where, direction, cursor, limit, counts }: Omit<Extract<BooksQuestion, { kind: 'list' }>, 'kind' | 'of'>,
): Promise<Found | NotFound> {
  const { order, view } = lists[of];
  const [page, total] = await Promise.all([
    rowsPage(store, of, { where, order: [order], direction, cursor, limit }),
    counts ? countRows(store, of, where) : null,
  ]);
  if (page === null) return 'bad_cursor';
  const texts = textsThatFit(page.rows, (row) => writeJson(view(row)));
  const last = page.rows[texts.length - 1];
  const isWhole = texts.length === page.rows.length || last === undefined;
  const next = isWhole ? page.cursor : cursorBehind(of, [order], last);
  return { body: `[${texts.join(',')}]`, cursor: next, total };
}
