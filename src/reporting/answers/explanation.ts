import { configurationView } from '../../contracts/configuration/document-view.ts';
import { callbackEventId } from '../../contracts/payments/event-id.ts';
import type { BooksQuestion } from '../../contracts/reports/questions.ts';
import type { Explanation } from '../../contracts/reports/rows.ts';
import { writeJson } from '../../lib/json.ts';
import { items, members } from '../../lib/unknown-json.ts';
import type { BooksTable, RowOf } from '../base/tables.ts';
import { type Condition, selectRows } from '../store/questions/select.ts';
import { atomsOf } from '../store/reading.ts';
import type { BooksStore } from '../store/store.ts';
import type { Found, NotFound } from './found.ts';
import { contributionView, paymentView, winView } from './views.ts';

type ContributionRow = RowOf<'contributions'>;
type Part = Explanation['contributions'][number];

/** Rows of one kind that an explanation shows. */
const maxRows = 200;

/** What became of a contribution, with those to linked instances. */
export async function explanation(
  store: BooksStore,
  { id, where }: Extract<BooksQuestion, { readonly kind: 'contribution' }>,
): Promise<Found | NotFound> {
  const rows = <T extends BooksTable>(
    name: T,
    conditions: readonly Condition[],
    order: readonly string[] = [],
  ) => selectRows(store, name, { where: conditions, order, limit: maxRows });
  const [[own], debits] = await Promise.all([
    rows('contributions', [is('contribution_id', id), ...where]),
    rows('payments', [is('contribution_id', id), ...where]),
  ]);
  if (own === undefined && debits.length === 0) return 'missing';
  const places = own === undefined ? [] : placesOf(own);
  const parts = own === undefined ? [] : await partsAt(rows, own, where);
  const ids = among('contribution_id', [id, ...parts.map((part) => part.contribution_id)]);
  const wins = await rows('wins', [ids, ...where], ['time']);
  const transactions = wins.flatMap(({ transaction_id: transaction }) => transaction ?? []);
  const [ofParts, ofWins, entries, rules] = await Promise.all([
    rows('payments', [ids, ...where], ['opened']),
    transactions.length === 0 ? [] : rows('payments', [among('transaction_id', transactions), ...where]),
    Promise.all(places.map((place) => rows('entries', [...place, ids]))),
    Promise.all(parts.map((part) => rulesBefore(store, part))),
  ]);
  const payments = [...new Map([...ofParts, ...ofWins].map((row) => [row.transaction_id, row])).values()];
  const paid = payments.map(({ transaction_id: transaction }) => transaction);
  const batches = payments.flatMap(({ batch_id: batch }) => batch ?? []);
  const events = parts.map((part) => callbackEventId(part.contribution_id));
  const [ofPayments, ofBatches, callbacks] = await Promise.all([
    paid.length === 0 ? [] : rows('wallet_tries', [among('transaction_id', paid)], ['time']),
    batches.length === 0 ? [] : rows('wallet_tries', [among('batch_id', batches)], ['time']),
    events.length === 0 ? [] : rows('callback_tries', [among('event_id', events)], ['time']),
  ]);
  const changes =
    paid.length === 0 ? [] : await rows('payment_changes', [among('transaction_id', paid)], ['time']);
  const report: Explanation = {
    contributions: parts.map((part, index) => ({
      ...contributionView(part),
      rules: rules[index] ?? null,
      shares: sharesOf(part),
    })),
    wins: wins.map(winView),
    entries: entries.flat().map(({ time, instance, kind, phase, split }) => ({
      ...{ timestamp: time, instance_id: instance, kind, phase },
      postings: split as Record<string, string>,
    })),
    payments: payments.map((row) => ({
      ...paymentView(row),
      changes: changes
        .filter((change) => change.transaction_id === row.transaction_id)
        .map(({ time, state_before, state, reason, changed_by }) => ({
          ...{ timestamp: time, state_before, state, reason, changed_by },
        })),
      tries: [...ofPayments, ...ofBatches].filter((each) => isOf(each, row)).map(walletTryView),
    })),
    callbacks: callbacks.map(({ time, took_ms, event_id, origin, result, error, status, is_final }) => ({
      ...{ timestamp: time, took_ms, event_id, origin, result, error, status, is_final },
    })),
  };
  const draws = parts.map(({ instance, epoch, instance_sequence: sequence }) => ({
    ...{ instance_id: instance, epoch, sequence },
  }));
  return { body: writeJson(report), draws };
}

function isOf(each: RowOf<'wallet_tries'>, { transaction_id, batch_id }: RowOf<'payments'>): boolean {
  if (each.transaction_id !== null) return each.transaction_id === transaction_id;
  return each.batch_id !== null && each.batch_id === batch_id;
}

function walletTryView({ time, took_ms, call, result, code, status }: RowOf<'wallet_tries'>) {
  return { timestamp: time, took_ms, call, result, code, status };
}

type Rows = <T extends BooksTable>(name: T, where: readonly Condition[]) => Promise<readonly RowOf<T>[]>;

/** Where the log has the contribution: its request, and what applied it where a debit came between. */
function placesOf({ lane, ...row }: ContributionRow): readonly (readonly Condition[])[] {
  const at = (sequence: number, index: number) => [
    ...[is('lane', lane), is('sequence', sequence), is('command_index', index)],
  ];
  const applied = at(row.sequence, row.command_index);
  const isSame = row.sequence === row.made_sequence && row.command_index === row.made_index;
  return isSame ? [applied] : [at(row.made_sequence, row.made_index), applied];
}

/** What instances took of one request: the one that it named, and linked ones. */
async function partsAt(rows: Rows, own: ContributionRow, where: readonly Condition[]) {
  const found = await Promise.all(placesOf(own).map((place) => rows('contributions', [...place, ...where])));
  return found
    .flat()
    .filter((row) => row.made_sequence === own.made_sequence && row.made_index === own.made_index)
    .toSorted((left, right) => Number(left.is_link) - Number(right.is_link));
}

/** The rules that were set last. */
async function rulesBefore(
  store: BooksStore,
  { instance, time, sequence }: ContributionRow,
): Promise<Part['rules']> {
  const [set] = await selectRows(store, 'parameter_changes', {
    where: [
      is('instance', instance),
      { column: 'time', is: '<=', value: time },
      { column: 'sequence', is: '<', value: sequence },
      // Changes of other things have none.
      { column: 'configuration_hash', is: '>', value: '' },
    ],
    order: ['time'],
    direction: -1,
    limit: 1,
  });
  if (set === undefined) return null;
  const view = configurationView(set.configuration);
  return {
    set_timestamp: set.time,
    configuration_hash: set.configuration_hash ?? '',
    contribution_rules: view.contribution_rules,
    house_contribution_type: members(view.house_pot).contribution_type,
    pots: items(view.pots)
      .map(members)
      .map(({ id, contribution, seed_contribution, pot_types }) => ({
        ...{ id, contribution, seed_contribution, pot_types },
      })),
  } as Part['rules'];
}

/** Account by account, those of the instance itself first. */
function sharesOf({ split }: ContributionRow): Part['shares'] {
  return Object.entries(members(split))
    .map(([name, decimal]) => {
      const dot = name.indexOf('.');
      const [pot, account] = dot < 0 ? [null, name] : [name.slice(0, dot), name.slice(dot + 1)];
      return { pot_id: pot, account, amount: atomsOf(String(decimal)) };
    })
    .toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
}

function nameOf({ pot_id: pot, account }: Part['shares'][number]): string {
  return `${pot ?? ''}.${account}`;
}

function is(column: string, value: string | number): Condition {
  return { column, is: '=', value };
}

function among(column: string, value: readonly string[]): Condition {
  return { column, is: 'in', value: [...new Set(value)] };
}
