import * as z from 'zod';
import { defaultLimit } from '../../../../contracts/fields/lists.ts';
import {
  bookedContributionsQuery,
  bookedPaymentsQuery,
  bookedWinsQuery,
} from '../../../../contracts/reports/queries.ts';
import type { BooksQuestion } from '../../../../contracts/reports/questions.ts';
import {
  bookedContributionShape,
  bookedPaymentShape,
  bookedWinShape,
} from '../../../../contracts/reports/rows.ts';
import type { Reply } from '../../../base/reply.ts';
import type { GatewayContext } from '../../operation/operation.ts';
import { askedBooks, waited } from '../../reports/answers.ts';
import { type FilterColumns, listConditions } from '../../reports/filters.ts';
import type { BooksReader } from '../../reports/scope.ts';
import { defineReport } from './define-report.ts';

const answerHeaders = ['X-Next-Cursor', 'X-Total-Count'] as const;

/** Contributions that instances took, the newest first. */
export const listContributionsReport = defineReport({
  id: 'contributions',
  name: 'List contributions',
  path: '/contributions',
  input: { query: bookedContributionsQuery },
  output: z.array(bookedContributionShape),
  answerHeaders,
  handle: ({ principal, query }, context) =>
    page(context, principal, query, 'contributions', {
      contribution_id: 'contribution_id',
      gameround_id: 'gameround',
    }),
});

/** Each winner of each win, the newest first. */
export const listWinsReport = defineReport({
  id: 'wins',
  name: 'List wins',
  path: '/wins',
  input: { query: bookedWinsQuery },
  output: z.array(bookedWinShape),
  answerHeaders,
  handle: ({ principal, query }, context) =>
    page(context, principal, query, 'wins', { contribution_id: 'contribution_id' }),
});

/** Debits, credits and diversions, the closed ones too, the one that was opened last first. */
export const listPaymentsReport = defineReport({
  id: 'payments',
  name: 'List payments',
  path: '/payments',
  input: { query: bookedPaymentsQuery },
  output: z.array(bookedPaymentShape),
  answerHeaders,
  handle: ({ principal, query }, context) =>
    page(context, principal, query, 'payments', {
      contribution_id: 'contribution_id',
      transaction_id: 'transaction_id',
      batch_id: 'batch_id',
      state: 'state',
    }),
});

type Query = Parameters<typeof listConditions>[2] & {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly sort_direction?: 1 | -1 | undefined;
  readonly wait?: string | undefined;
};

async function page(
  context: GatewayContext,
  principal: BooksReader,
  query: Query,
  of: Extract<BooksQuestion, { readonly kind: 'list' }>['of'],
  columns: FilterColumns,
): Promise<Reply> {
  const { cursor = null, limit = defaultLimit, sort_direction: direction = -1 } = query;
  const time = of === 'payments' ? 'opened' : 'time';
  const where = [...listConditions(context, principal, query, time, columns)];
  const missing = await waited(context, principal, query.wait);
  // The total of a list is that of its first page.
  const asked = { kind: 'list', of, where, direction, cursor, limit, counts: cursor === null } as const;
  const answer = await askedBooks(context, principal, asked);
  return { status: 200, headers: [...(answer?.headers ?? []), ...missing], text: answer?.found.body ?? '[]' };
}
