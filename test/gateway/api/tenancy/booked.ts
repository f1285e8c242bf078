import type { RowOf } from '../../../../src/reporting/base/tables.ts';
import type { BooksStore } from '../../../../src/reporting/store/store.ts';
import { batchTo, noon, rowWith } from '../../../reporting/support/batches.ts';
import { systemId } from '../../../reporting/support/places.ts';
import { type Holder, holders, markOf } from './holders.ts';

/** What the books have of each holder: every text that a row can carry names whose it is. */
export const booked = {
  /** That of acme:main. */
  contribution: '00000000-0000-4000-8000-000000000000',
  player: 'player',
  day: '2026-11-28',
} as const;

export async function fillBooks(
  store: BooksStore,
  things: Readonly<Record<Holder, { readonly instance?: string }>>,
): Promise<void> {
  const rows = holders.flatMap((holder, index) =>
    holder.includes(':') ? [ofBrand(holder, things[holder].instance ?? '', index)] : [],
  );
  const flush = rowWith('payments', {
    ...{ transaction_id: markOf('acme'), kind: 'flush', state: 'pending', operator: 'acme', opened: noon },
    reason: markOf('acme'),
  });
  const all = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((each) => each[name]);
  await store.write(
    batchTo(1, -1, {
      rows: {
        contributions: all('contribution'),
        wins: all('win'),
        payments: [...all('payment'), flush],
        tickets: all('tickets'),
        opt_ins: all('optIn'),
      },
      dailyTotals: all('total'),
      players: all('daily'),
    }),
  );
  await fillTries(store);
}

/** A try of a callback of each holder. */
async function fillTries(store: BooksStore): Promise<void> {
  const callback_tries = holders.map((owner, index) =>
    rowWith('callback_tries', {
      ...{ process: 'outbox', number: index + 1, owner, operator: owner.split(':')[0]!, result: 'delivered' },
      ...{ kind: 'ContributionResult', event_id: markOf(owner), origin: markOf(owner) },
    }),
  );
  const position = { sequence: 1, timestampMs: noon, systemId };
  await store.writeStream({ stream: 'TRIES', after: -1, position, rows: { callback_tries } });
}

function ofBrand(brand: Holder, instance: string, index: number) {
  const mark = markOf(brand);
  const contribution_id = booked.contribution.replace(/0$/, String(index));
  const { player, day } = booked;
  const operator = brand.split(':')[0] ?? '';
  const of = { sequence: 1, command_index: index, time: noon, operator, brand, player, instance };
  const contribution: RowOf<'contributions'> = rowWith('contributions', {
    ...{ ...of, contribution_id, made_sequence: 1, made_index: index, gameround: mark, source: mark },
    ...{ segments: [], split: { [mark]: '0' } },
  });
  return {
    contribution,
    win: rowWith('wins', { ...of, kind: 'main', contribution_id, gameround: mark, pot: mark }),
    payment: rowWith('payments', {
      ...{ operator, brand, player, instance, contribution_id, reason: mark, opened: noon },
      ...{ transaction_id: mark, kind: 'debit', state: 'pending' },
    }),
    tickets: rowWith('tickets', of),
    optIn: rowWith('opt_ins', { operator, brand, player, instance, preferences: mark }),
    total: { day, operator, brand, instance, pot: '', currency: mark, measures: { wins: 1n } },
    daily: {
      ...{ day, operator, brand, player, instance, currency: mark },
      ...{ contributions: 1, contributedAtoms: 1n, playerAtoms: 1n, wins: 1, wonAtoms: 1n },
    },
  };
}
