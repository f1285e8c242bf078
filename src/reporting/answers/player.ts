import type { BooksQuestion } from '../../contracts/reports/questions.ts';
import type { PlayerReport } from '../../contracts/reports/rows.ts';
import { writeJson } from '../../lib/json.ts';
import { playerTotals } from '../store/questions/players.ts';
import { type Condition, selectRows } from '../store/questions/select.ts';
import type { BooksStore } from '../store/store.ts';
import type { Found } from './found.ts';
import { contributionView, optInView, paymentView, ticketsView, winView } from './views.ts';

/** Rows of each list; who wants more asks for the list. */
const maxShown = 50;

/** States of payments that have not come to their end. */
const openStates = ['pending', 'debited', 'withheld', 'unknown', 'dead'];

/** What a player did, won and waits for. */
export async function player(
  store: BooksStore,
  { brand, player: id }: Extract<BooksQuestion, { readonly kind: 'player' }>,
): Promise<Found> {
  const where: readonly Condition[] = [
    { column: 'brand', is: '=', value: brand },
    { column: 'player', is: '=', value: id },
  ];
  const newest = (order: string) => ({ where, order: [order], direction: -1, limit: maxShown }) as const;
  const isOpen: Condition = { column: 'state', is: 'in', value: openStates };
  const [totals, contributions, wins, open, payments, optIns, tickets] = await Promise.all([
    playerTotals(store, brand, id, null, null),
    selectRows(store, 'contributions', newest('time')),
    selectRows(store, 'wins', newest('time')),
    selectRows(store, 'payments', { ...newest('opened'), where: [...where, isOpen] }),
    selectRows(store, 'payments', newest('opened')),
    selectRows(store, 'opt_ins', { where, limit: maxShown }),
    selectRows(store, 'tickets', newest('time')),
  ]);
  const report: PlayerReport = {
    brand_id: brand,
    player_id: id,
    totals: totals.map(({ group: { instance = '', currency = '' }, sums }) => ({
      instance_id: instance,
      jackpot_currency: currency,
      contributions: Number(sums.contributions ?? 0n),
      contributed: sums.contributed ?? 0n,
      player_part: sums.player_part ?? 0n,
      wins: Number(sums.wins ?? 0n),
      won: sums.won ?? 0n,
    })),
    contributions: contributions.map(contributionView),
    wins: wins.map(winView),
    open_payments: open.map(paymentView),
    payments: payments.map(paymentView),
    opt_ins: optIns.map(optInView),
    tickets: tickets.map(ticketsView),
  };
  return { body: writeJson(report) };
}
