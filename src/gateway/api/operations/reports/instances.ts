import * as z from 'zod';
import { ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { instanceAtShape, instanceHistoryShape } from '../../../../contracts/reports/instance-history.ts';
import { instanceAtQuery, instanceHistoryQuery } from '../../../../contracts/reports/queries.ts';
import { PublicError } from '../../../base/errors.ts';
import { defineRead } from '../../operation/operation.ts';
import { askedBooks } from '../../reports/answers.ts';
import { requireInstance } from '../admin/shared/owner-access.ts';

const params = z.strictObject({ instance_id: ownIdField });

/** An instance as it was behind a message of its lane (docs/rules/reports.md "A jackpot at a time"). */
const readInstanceAt = defineRead('read', {
  id: 'reports.at',
  name: 'An instance at a time',
  route: 'GET /config/jackpot_instances/{instance_id}/at',
  input: { params, query: instanceAtQuery },
  output: instanceAtShape,
  refusals: [404],
  async handle({ principal, params: { instance_id: instance }, query: { time, sequence } }, context) {
    const { lane } = requireInstance(context, principal, 'read', instance);
    if (time !== undefined && sequence !== undefined)
      throw new PublicError('invalid_parameter', 'A place has a time or a sequence, not both.');
    const moment =
      time !== undefined
        ? { kind: 'time' as const, timeMs: time }
        : sequence !== undefined
          ? { kind: 'message' as const, sequence }
          : null;
    const answer = await askedBooks(context, principal, { kind: 'at', lane, instance, moment });
    if (answer === null) throw new PublicError('instance_not_found', 'There was no such instance then.');
    return { status: 200, text: answer.found.body };
  },
});

const dayMs = 86_400_000;
const maxDays = 3_660;
const defaultPoints = 100;

/** An instance's accounts, contributions and wins over time, from the books. */
const readInstanceHistory = defineRead('read', {
  id: 'reports.history',
  name: 'History of an instance',
  route: 'GET /config/jackpot_instances/{instance_id}/history',
  input: { params, query: instanceHistoryQuery },
  output: instanceHistoryShape,
  refusals: [404],
  answerHeaders: ['X-As-Of'],
  async handle({ principal, params: { instance_id: instance }, query }, context) {
    const { lane } = requireInstance(context, principal, 'read', instance);
    const to = Math.min(query.to ?? Number.POSITIVE_INFINITY, context.clock.nowMs() + 1);
    const { from = Math.max(0, to - dayMs), points = defaultPoints } = query;
    if (from >= to) throw new PublicError('invalid_parameter', 'from is before to, and in the past.');
    if (to - from > maxDays * dayMs)
      throw new PublicError('invalid_parameter', `A history is of at most ${maxDays} days.`);
    const asked = { kind: 'history', lane, instance, from, to, points } as const;
    const answer = await askedBooks(context, principal, asked);
    if (answer === null) throw new PublicError('instance_not_found', 'The books do not have it yet.');
    return { status: 200, headers: answer.headers, text: answer.found.body };
  },
});

export const instanceReports = [readInstanceAt, readInstanceHistory];
