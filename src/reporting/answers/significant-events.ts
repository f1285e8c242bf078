import { between } from '../../contracts/reports/conditions.ts';
import { type BooksQuestion, maxCounted } from '../../contracts/reports/questions.ts';
import type { SignificantEvent } from '../../contracts/reports/rows.ts';
import { writeJson } from '../../lib/json.ts';
import type { BooksTable, RowOf } from '../base/tables.ts';
import { countRows, cursorBehind, rowsPage } from '../store/questions/pages.ts';
import { type Condition, namesBrand } from '../store/questions/select.ts';
import type { BooksStore } from '../store/store.ts';
import type { Found, NotFound } from './found.ts';
import { textsThatFit } from './texts.ts';

type Question = Extract<BooksQuestion, { readonly kind: 'significant' }>;
type Details = Omit<SignificantEvent, 'timestamp' | 'instance_id' | 'operator_id' | 'lane' | 'sequence'>;

/** Where events of some kinds are: which rows they are, and what they say. */
interface Source<T extends BooksTable> {
  readonly table: T;
  readonly kinds: readonly SignificantEvent['kind'][];
  /** The column by which they are ordered. */
  readonly order: string;
  /** Whether its rows are players', of one of the caller's brands. */
  readonly isOfPlayers: boolean;
  readonly where: (question: Question) => readonly Condition[];
  readonly details: (row: RowOf<T>) => Details;
}

const none = {
  ...{ brand_id: null, player_id: null, pot_id: null, amount: null, currency: null, action: null },
  ...{ state: null, transaction_id: null, contribution_id: null, changed_by: null, reason: null },
} as const;

/** States in which a payment ended without its money. */
const voided = ['refused', 'cancelled'];
/** States in which a person has to decide. */
const failed = ['withheld', 'unknown', 'dead', 'failed'];

const sources = [
  source({
    table: 'wins',
    kinds: ['win'],
    order: 'time',
    isOfPlayers: true,
    where: ({ minWin }) => (minWin === null ? [] : [{ column: 'amount', is: '>=', value: BigInt(minWin) }]),
    details: (row) => ({
      ...none,
      ...{ kind: 'win', brand_id: row.brand, player_id: row.player, pot_id: row.pot, action: row.kind },
      ...{ amount: row.amount, currency: row.currency, transaction_id: row.transaction_id },
      contribution_id: row.contribution_id,
    }),
  }),
  source({
    table: 'payment_changes',
    kinds: ['void', 'failure'],
    order: 'failed',
    isOfPlayers: true,
    // Rows that are none of these have no value there.
    where: ({ of }) => [
      { column: 'failed', is: '>=', value: 0 },
      ...(of === null
        ? []
        : [{ column: 'state', is: 'in', value: of === 'void' ? voided : failed } as const]),
    ],
    details: (row) => ({
      ...none,
      kind: voided.includes(row.state) ? 'void' : 'failure',
      ...{ brand_id: row.brand, player_id: row.player, action: row.kind, state: row.state },
      ...{ transaction_id: row.transaction_id, changed_by: row.changed_by, reason: row.reason },
    }),
  }),
  source({
    table: 'parameter_changes',
    kinds: ['parameters'],
    order: 'time',
    isOfPlayers: false,
    where: () => [],
    details: (row) => ({
      ...none,
      ...{ kind: 'parameters', action: row.kind, changed_by: row.changed_by, reason: row.reason },
    }),
  }),
  source({
    table: 'statuses',
    kinds: ['status'],
    order: 'time',
    isOfPlayers: false,
    where: () => [],
    details: (row) => ({
      ...none,
      ...{ kind: 'status', state: row.status, changed_by: row.changed_by, reason: row.reason },
    }),
  }),
  source({
    table: 'entries',
    kinds: ['adjustment'],
    order: 'time',
    isOfPlayers: false,
    // By persons: pot values, awards, switches, releases.
    where: () => [{ column: 'changed_by', is: '>', value: '' }],
    details: (row) => ({
      ...none,
      ...{ kind: 'adjustment', action: row.kind, changed_by: row.changed_by, reason: row.reason },
      ...{ brand_id: row.brand, player_id: row.player, contribution_id: row.contribution_id },
    }),
  }),
];

interface Event {
  readonly view: SignificantEvent;
  readonly source: number;
  readonly cursor: string;
}

/** What a regulator asks for (GLI-19): the newest events of all kinds, in one order. */
export async function significantEvents(store: BooksStore, question: Question): Promise<Found | NotFound> {
  const cursors = question.cursor === null ? sources.map(() => null) : readCursors(question.cursor);
  if (cursors === null) return 'bad_cursor';
  const isOfBrands = question.where.some(namesBrand);
  const found: Event[] = [];
  const isFirst = question.cursor === null;
  let total = 0;
  for (const [index, each] of sources.entries()) {
    const isAsked = question.of === null || each.kinds.includes(question.of);
    if (!isAsked || (isOfBrands && !each.isOfPlayers)) continue;
    const events = await each.events(store, question, cursors[index] ?? null);
    if (events === null) return 'bad_cursor';
    found.push(...events.map((event) => ({ ...event, source: index })));
    if (isFirst && total <= maxCounted) total += await each.count(store, question);
  }
  // The sources' own orders stay as they are among events of one time.
  const ordered = found.toSorted((left, right) => right.view.timestamp - left.view.timestamp);
  const texts = textsThatFit(ordered.slice(0, question.limit), ({ view }) => writeJson(view));
  const next = [...cursors];
  for (const event of ordered.slice(0, texts.length)) next[event.source] = event.cursor;
  const hasMore = ordered.length > texts.length;
  const cursor = hasMore ? writeCursors(next) : null;
  return { body: `[${texts.join(',')}]`, cursor, total: isFirst ? total : null };
}

function source<
  T extends BooksTable & ('wins' | 'payment_changes' | 'parameter_changes' | 'statuses' | 'entries'),
>(given: Source<T>) {
  const { table, order, where, details } = given;
  const asked = (question: Question): readonly Condition[] => {
    const { from, to } = question;
    return [...question.where, ...where(question), ...between(order, from ?? undefined, to ?? undefined)];
  };
  return {
    ...given,
    count: (store: BooksStore, question: Question) => countRows(store, table, asked(question)),
    /** The next ones; null: the cursor is none of this table. */
    async events(store: BooksStore, question: Question, cursor: string | null) {
      const page = await rowsPage(store, table, {
        where: asked(question),
        order: [order],
        direction: -1,
        cursor,
        // One more than is shown says whether there is more.
        limit: question.limit + 1,
      });
      if (page === null) return null;
      return page.rows.map((row) => ({
        view: viewOf(row, details(row)),
        cursor: cursorBehind(table, [order], row),
      }));
    },
  };
}

function viewOf(
  row: RowOf<'wins' | 'payment_changes' | 'parameter_changes' | 'statuses' | 'entries'>,
  details: Details,
): SignificantEvent {
  const { time, operator, instance, lane, sequence } = row;
  return { timestamp: time, operator_id: operator, instance_id: instance, ...details, lane, sequence };
}

function writeCursors(cursors: readonly (string | null)[]): string {
  return Buffer.from(JSON.stringify(cursors), 'utf8').toString('base64url');
}

/** null: it is none of this list. */
function readCursors(text: string): readonly (string | null)[] | null {
  try {
    const cursors: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const isOne = (each: unknown) => each === null || typeof each === 'string';
    return Array.isArray(cursors) && cursors.length === sources.length && cursors.every(isOne)
      ? cursors
      : null;
  } catch {
    return null;
  }
}
