import * as z from 'zod';
import { listQuery, pageOf } from '../../../../../contracts/fields/lists.ts';
import { replayShape } from '../../../../../contracts/payments/delivery.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { replaysOf } from './replays.ts';

/** Replays of time ranges and how far they are, in pages. */
export const listReplaysOperation = defineOperation({
  id: 'deliveries.list-replays',
  name: 'List replays',
  method: 'GET',
  path: '/config/deliveries/replays',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: { query: listQuery(['created_timestamp'], {}) },
  output: z.array(replayShape),
  async handle({ principal, query }, context) {
    const replays = await replaysOf(context, principal);
    const fields = { created_timestamp: (each: { created_timestamp: number }) => each.created_timestamp };
    const sorted = { ...query, sort_field: query.sort_field ?? ('created_timestamp' as const) };
    return { status: 200, body: pageOf(replays, sorted, ({ id }) => id, fields) };
  },
});
