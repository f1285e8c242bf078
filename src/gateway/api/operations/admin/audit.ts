import * as z from 'zod';
import { authorize } from '../../../../access/rights/authorize.ts';
import type { AuditRecord } from '../../../../audit/reader.ts';
import { auditQuery, auditRecordShape } from '../../../../contracts/accounts/audit.ts';
import { isWithin } from '../../../../contracts/fields/identifiers.ts';
import { defaultLimit, offsetOf } from '../../../../contracts/fields/lists.ts';
import { maxCountedRows } from '../../../../directory/sorted-page.ts';
import { stored } from '../../../base/stored.ts';
import { writeList } from '../../../base/write-list.ts';
import { defineRead } from '../../operation/operation.ts';
import { partyOf } from '../../services/readers.ts';
import { integerIn, listedBy, listHeaders } from '../lists.ts';
import { requireOwner } from './shared/owner-access.ts';

/**
 * Administrators' changes, the newest first by default, whose owners all are the caller's. Beyond 200,000
 * changes a list looks at ten thousand messages: the page is then short, and its cursor goes on behind them,
 * as does `X-Unread-From` as `timestamp_end`. docs/rules/audit.md "Owners"
 */
export const readAuditOperation = defineRead('audit', {
  id: 'audit.list',
  name: 'Read the audit log',
  route: 'GET /config/audit',
  input: { query: auditQuery },
  output: z.array(auditRecordShape),
  refusals: [404],
  answerHeaders: ['X-Unread-From', ...listHeaders],
  async handle({ principal, query }, context) {
    const { owner_id: owner, operation, user, timestamp_start: fromMs, timestamp_end: toMs } = query;
    if (owner !== undefined) requireOwner(context, principal, 'audit', owner);
    const limit = query.limit ?? defaultLimit;
    const matches = ({ owners }: { readonly owners: readonly string[] }): boolean =>
      owners.every((each) => authorize(principal, 'audit', each) === 'allowed') &&
      (owner === undefined || owners.some((each) => isWithin(each, owner)));
    const filter = { operation, user, fromMs, toMs, matches };
    const skip = offsetOf(query);
    const direction = query.sort_direction ?? -1;
    return context.readers.audit.during(partyOf(principal), principal.subject, async () => {
      const unread: string[] = [];
      const listed = await listedBy(
        'timestamp',
        { ...query, sort_direction: direction },
        async (position) => {
          const after = position === null ? null : { sequence: integerIn(position), id: position.tie };
          const counted = after === null && skip === 0 ? { countsTo: maxCountedRows } : {};
          const place = { skip, limit, oldestFirst: direction === 1, after, ...counted };
          const found = await stored(() => context.audit.pages.page(filter, place));
          const { records, unreadMs, last, total } = found;
          if (unreadMs !== null) unread.push('x-unread-from', String(unreadMs));
          const end = last === null ? null : { value: last.sequence, tie: last.id };
          return { items: records, total, last: end };
        },
      );
      return {
        status: 200,
        headers: [...listed.headers, ...unread],
        text: await writeList(listed.page, view),
      };
    });
  },
});

function view({ intent, outcome, sequence }: AuditRecord) {
  return {
    id: intent.id,
    sequence,
    timestamp: intent.timestamp,
    user: intent.user,
    address: intent.address,
    operation: intent.operation,
    method: intent.method,
    path: intent.path,
    owners: intent.owners,
    reason: intent.reason,
    request_id: intent.request_id,
    approval: intent.approval,
    input: intent.input ?? null,
    outcome: outcome?.outcome ?? 'unknown',
    status_code: outcome?.status ?? null,
    code: outcome?.code ?? null,
    changes: outcome?.changes ?? [],
    count: intent.count ?? 1,
  };
}
