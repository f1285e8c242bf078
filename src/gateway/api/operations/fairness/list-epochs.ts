import * as z from 'zod';
import { ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { listQuery, offsetOf } from '../../../../contracts/fields/lists.ts';
import { epochView, unknownEpoch } from '../../../../contracts/jackpots/fairness-view.ts';
import type { EpochRecord } from '../../../../messages/records.ts';
import { stored } from '../../../base/stored.ts';
import { defineOperation, type GatewayContext } from '../../operation/operation.ts';
import { frontendOf } from '../../players/token-player.ts';
import { keptEpochs } from './epoch-records.ts';
import { playersBrandQuery, shownInstance } from './shown-instance.ts';

const defaultLimit = 50;
/** Epochs of one list that are looked up at the same time. */
const maxLookups = 16;

/**
 * Epochs of an instance by number, in pages, those committed for later included. `published`: every draw of it can be
 * read.
 */
export const listEpochsOperation = defineOperation({
  id: 'fairness.epochs',
  name: 'Epochs of an instance',
  method: 'GET',
  path: '/v1/fairness/instances/{instance_id}/epochs',
  surface: 'public',
  authentication: { kind: 'anyone' },
  input: {
    params: z.strictObject({ instance_id: ownIdField }),
    query: listQuery(['epoch'], playersBrandQuery),
  },
  output: z.array(
    z.strictObject({
      epoch: z.int(),
      state: z.enum(['committed', 'running', 'ended', 'revealed']),
      commit: z.string().nullable(),
      beacon: z.string().nullable(),
      first_sequence: z.int().nullable(),
      last_sequence: z.int().nullable(),
      seed: z.string().nullable(),
      published: z.boolean(),
      /** Of a running one: when it ends at the latest, if its successor has what it needs. */
      timestamp_end: z.int().nullable(),
    }),
  ),
  refusals: [401, 403, 404],
  headers: ['X-Player-Token'],
  async handle(request, context) {
    const { params, query } = request;
    const instance = params.instance_id;
    const shown = await shownInstance(context, request, frontendOf(request));
    const records = await keptEpochs(context, shown);
    const known = new Map(records.map((record) => [record.epoch, record]));
    const count = Math.max(-1, ...known.keys()) + 1;
    const size = query.limit ?? defaultLimit;
    const from = offsetOf(query);
    const numbers = Array.from({ length: Math.max(0, Math.min(size, count - from)) }, (_, index) =>
      query.sort_direction === -1 ? count - 1 - from - index : from + index,
    );
    const body = await context.readers.epochLists.during(
      operatorOf(shown.description.owner),
      request.address,
      () => stored(() => inTurns(numbers, (epoch) => rowOf(context, instance, epoch, known.get(epoch)))),
    );
    return { status: 200, body };
  },
});

async function rowOf(
  { revealedEpochs }: Pick<GatewayContext, 'revealedEpochs'>,
  instance: string,
  epoch: number,
  known: EpochRecord | undefined,
) {
  if (known !== undefined && known.state !== 'revealed')
    return { ...epochView(known), published: false, timestamp_end: known.dueMs ?? null };
  const [record, published] = await Promise.all([
    known ?? revealedEpochs.known(instance, epoch),
    revealedEpochs.isPublished(instance, epoch),
  ]);
  return { ...(record === null ? unknownEpoch(epoch) : epochView(record)), published, timestamp_end: null };
}

async function inTurns<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const done: Out[] = [];
  for (let from = 0; from < items.length; from += maxLookups)
    done.push(...(await Promise.all(items.slice(from, from + maxLookups).map(work))));
  return done;
}
