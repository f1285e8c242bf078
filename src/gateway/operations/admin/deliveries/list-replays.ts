import * as z from 'zod';
import { replayShape } from '../../../../contracts/delivery.ts';
import { listQuery, pageOf } from '../../../../contracts/lists.ts';
import { replaysOf } from '../../../deliveries/replays.ts';
import { defineOperation } from '../../../operation.ts';

/** Replays of time ranges and how far they are, in pages. */
export const listReplays = defineOperation({
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
