import * as z from 'zod';
import { defaultLimit } from '../../../../contracts/fields/lists.ts';
import { dailyReportQuery } from '../../../../contracts/reports/queries.ts';
import { dailyReportShape } from '../../../../contracts/reports/rows.ts';
import { PublicError } from '../../../base/errors.ts';
import { askedBooks } from '../../reports/answers.ts';
import { booksScope } from '../../reports/scope.ts';
import { defineReport } from './define-report.ts';

const dayMs = 86_400_000;
const maxDays = 366;

/** Totals of days by group, in the order of the groups, each currency for itself. */
export const readDailyReport = defineReport({
  id: 'daily',
  name: 'Daily report',
  path: '/reports/daily',
  input: { query: dailyReportQuery },
  output: z.array(dailyReportShape),
  answerHeaders: ['X-Next-Cursor', 'X-Total-Count'],
  async handle({ principal, query }, context) {
    const { from, to, group_by: groupBy = ['day'], cursor = null, limit = defaultLimit, players } = query;
    const where = [...booksScope(context, principal, query)];
    if ((Date.parse(to) - Date.parse(from)) / dayMs >= maxDays)
      throw new PublicError('invalid_parameter', `A report is of at most ${maxDays} days.`);
    const asked = {
      from,
      to,
      groupBy: [...groupBy],
      countsPlayers: players === 'true',
      where,
      cursor,
      limit,
    };
    const answer = await askedBooks(context, principal, { kind: 'daily', ...asked });
    return { status: 200, headers: answer?.headers ?? [], text: answer?.found.body ?? '[]' };
  },
});
