import * as z from 'zod';
import { epochView } from '../../../contracts/fairness-view.ts';
import { ownIdField } from '../../../contracts/identifier-fields.ts';
import { listQuery } from '../../../contracts/lists.ts';
import { defineOperation } from '../../operation.ts';
import { epochRecords } from './epoch-records.ts';

const defaultLimit = 50;

/** All epochs by number, those committed for later included. What only the archive has is shown by its number and state. */
export const listEpochs = defineOperation({
  id: 'fairness.epochs',
  name: 'Epochs of an instance',
  method: 'GET',
  path: '/v1/fairness/instances/{instance_id}/epochs',
  surface: 'public',
  authentication: { kind: 'none' },
  input: {
    params: z.strictObject({ instance_id: ownIdField }),
    query: listQuery(['epoch'], {}),
  },
  output: z.array(
    z.strictObject({
      epoch: z.int(),
      state: z.enum(['committed', 'running', 'ended', 'revealed']),
      commit: z.string().nullable(),
      first_sequence: z.int().nullable(),
      last_sequence: z.int().nullable(),
      seed: z.string().nullable(),
    }),
  ),
  async handle({ params, query }, context) {
    const records = await epochRecords(context, params.instance_id);
    const kept = new Map(records.map((record) => [record.epoch, record]));
    const count = Math.max(-1, ...kept.keys()) + 1;
    const size = query.limit ?? defaultLimit;
    const from = (query.page ?? 0) * size;
    const numbers = Array.from({ length: Math.max(0, Math.min(size, count - from)) }, (_, index) =>
      query.sort_direction === -1 ? count - 1 - from - index : from + index,
    );
    return { status: 200, body: numbers.map((epoch) => viewOf(epoch)) };

    function viewOf(epoch: number) {
      const record = kept.get(epoch);
      return record === undefined ? { epoch, state: 'revealed', ...onlyInTheArchive } : epochView(record);
    }
  },
});

const onlyInTheArchive = { commit: null, first_sequence: null, last_sequence: null, seed: null };
