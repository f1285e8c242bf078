import * as z from 'zod';
import { asOfHeader } from '../../../../contracts/reports/answer-headers.ts';
import type { BooksCondition } from '../../../../contracts/reports/conditions.ts';
import { type ExportedTable, exportedTables, timesOf } from '../../../../contracts/reports/exports.ts';
import { exportParams, exportQuery } from '../../../../contracts/reports/queries.ts';
import { maxExported } from '../../../../contracts/reports/questions.ts';
import { PublicError } from '../../../base/errors.ts';
import type { Download } from '../../../base/reply.ts';
import type { GatewayContext } from '../../operation/operation.ts';
import { askedBooks } from '../../reports/answers.ts';
import { type BooksReader, booksScope, seesInstance } from '../../reports/scope.ts';
import { defineReport } from './define-report.ts';

const mediaTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/**
 * A table of the books, all of it or the caller's rows, as lines that come while they are read. Each ends
 * with a cursor by which another export goes on behind it.
 */
export const exportReport = defineReport({
  id: 'export',
  name: 'Export a table of the books',
  path: '/exports/{table}',
  input: { params: exportParams, query: exportQuery },
  output: z.string(),
  limits: { download: true },
  refusals: [403],
  answerHeaders: [],
  async handle({ principal, params: { table }, query }, context) {
    const { format = 'csv', cursor = null } = query;
    const where = [...conditionsOf(context, principal, table, query)];
    const part = async (from: string | null) => {
      const asked = { kind: 'export', table, format, where, cursor: from, limit: maxExported } as const;
      const answer = await askedBooks(context, principal, asked);
      if (answer === null) throw new PublicError('overloaded');
      return answer;
    };
    // Before the head of the answer: what is refused has a status.
    const { found } = await part(cursor);
    const party = principal.kind === 'service' ? principal.operator : principal.subject;
    const download: Download = {
      mediaType: mediaTypes[format],
      name: `${table}.${format}`,
      party,
      first: { text: found.body, next: found.cursor },
      async more(next) {
        const { found: then } = await part(next);
        return { text: then.body, next: then.cursor };
      },
    };
    return { status: 200, headers: asOfHeader(found), download };
  },
});

type Query = z.output<typeof exportQuery>;

/** @throws PublicError forbidden where rows do not say of which of the caller's brands they are */
function conditionsOf(
  context: GatewayContext,
  principal: BooksReader,
  table: ExportedTable,
  query: Query,
): readonly BooksCondition[] {
  const { shows } = exportedTables[table];
  const { instance_id: instance, brand_id: brand, owner_id: owner } = query;
  const scope = booksScope(context, principal, query);
  if (shows === 'brand') return [...scope, ...timesOf(table, query)];
  if (brand !== undefined || owner?.includes(':') === true)
    throw new PublicError('invalid_parameter', `${table} has no brands.`);
  if (scope.some((each) => 'any' in each || each.column === 'brand')) throw new PublicError('forbidden');
  if (shows === 'operator') return [...scope, ...timesOf(table, query)];
  const isOfAll = scope.length === 0;
  if (!isOfAll && (instance === undefined || !seesInstance(context, principal, instance)))
    throw new PublicError('invalid_parameter', `${table} needs instance_id.`);
  const ofInstance = scope.filter((each) => 'column' in each && each.column === 'instance');
  return [...ofInstance, ...timesOf(table, query)];
}
