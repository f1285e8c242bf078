import * as z from 'zod';
import { defaultLimit } from '../../../../contracts/fields/lists.ts';
import { significantQuery } from '../../../../contracts/reports/queries.ts';
import { significantEventShape } from '../../../../contracts/reports/rows.ts';
import { askedBooks } from '../../reports/answers.ts';
import { booksScope } from '../../reports/scope.ts';
import { defineReport } from './define-report.ts';

/** Events that regulators ask for, the newest first: of brands alone, what is their players'. */
export const readSignificantReport = defineReport({
  id: 'significant',
  name: 'Significant events',
  path: '/reports/significant-events',
  input: { query: significantQuery },
  output: z.array(significantEventShape),
  answerHeaders: ['X-Next-Cursor', 'X-Total-Count'],
  async handle({ principal, query }, context) {
    const {
      from = null,
      to = null,
      kind = null,
      min_win: least,
      cursor = null,
      limit = defaultLimit,
    } = query;
    const where = booksScope(context, principal, query);
    const minWin = least === undefined ? null : least.toString();
    const asked = { kind: 'significant', from, to, of: kind, minWin, where, cursor, limit } as const;
    const answer = await askedBooks(context, principal, asked);
    return { status: 200, headers: answer?.headers ?? [], text: answer?.found.body ?? '[]' };
  },
});
