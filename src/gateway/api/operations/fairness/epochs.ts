import * as z from 'zod';
import { ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { cursorQuery, offsetOf, pageNumber } from '../../../../contracts/fields/lists.ts';
import { epochPageShape } from '../../../../contracts/jackpots/fairness-shapes.ts';
import { epochView, unknownEpoch } from '../../../../contracts/jackpots/fairness-view.ts';
import { epochField } from '../../../../contracts/jackpots/instance.ts';
import type { KnownInstance } from '../../../../directory/lane-view.ts';
import type { EpochRecord } from '../../../../messages/records.ts';
import { PublicError } from '../../../base/errors.ts';
import { stored } from '../../../base/stored.ts';
import { defineOperation, type GatewayContext } from '../../operation/operation.ts';
import { frontendOf } from '../../players/players.ts';
import { integerIn, listedBy, listHeaders } from '../lists.ts';
import { playersBrandQuery, shownInstance } from './instances.ts';

const defaultLimit = 50;
/** Epochs of one list that are looked up at the same time. */
const maxLookups = 16;

/** Epochs of an instance by number, future ones too. `published`: every draw can be read. */
export const listEpochsOperation = defineOperation({
  id: 'fairness.epochs',
  name: 'Epochs of an instance',
  route: 'GET /v1/fairness/instances/{instance_id}/epochs',
  surface: 'public',
  authentication: { kind: 'anyone' },
  input: {
    params: z.strictObject({ instance_id: ownIdField }),
    query: cursorQuery(['epoch'], playersBrandQuery),
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
      /** When a running one ends at the latest, if its successor has what it needs. */
      timestamp_end: z.int().nullable(),
    }),
  ),
  refusals: [401, 403, 404],
  headers: ['X-Player-Token'],
  answerHeaders: listHeaders,
  async handle(request, context) {
    const { params, query } = request;
    const instance = params.instance_id;
    const shown = await shownInstance(context, request, frontendOf(request));
    const records = await keptEpochs(context, shown);
    const known = new Map(records.map((record) => [record.epoch, record]));
    const count = Math.max(-1, ...known.keys()) + 1;
    const size = query.limit ?? defaultLimit;
    const { page: numbers, headers } = await listedBy('epoch', query, async (position) => {
      const isDown = query.sort_direction === -1;
      const at = position === null ? null : integerIn(position);
      const from = at === null ? offsetOf(query) : Math.max(0, isDown ? count - at : at + 1);
      const length = Math.max(0, Math.min(size, count - from));
      const items = Array.from({ length }, (_, index) => (isDown ? count - 1 - from - index : from + index));
      const last = from + size < count ? { value: items.at(-1)!, tie: '' } : null;
      return { items, total: count, last };
    });
    const body = await context.readers.epochLists.during(
      operatorOf(shown.description.owner),
      request.address,
      () => stored(() => inTurns(numbers, (epoch) => rowOf(context, instance, epoch, known.get(epoch)))),
    );
    return { status: 200, headers, body };
  },
});

async function rowOf(
  { revealedEpochs }: GatewayContext,
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

/** A larger page does not fit an answer. */
const maxPageBytes = 64 * 1024 * 1024;

/**
 * An epoch: commit and header, after its reveal the seed, and once published the document {v, header, seed,
 * groups}, from which every draw can be repeated. A large one has further `pages`, {v, page, groups}, asked
 * for by `page`. docs/jpd1.md
 */
export const readEpochOperation = defineOperation({
  id: 'fairness.epoch',
  name: 'One epoch of an instance',
  route: 'GET /v1/fairness/instances/{instance_id}/epochs/{epoch}',
  surface: 'public',
  authentication: { kind: 'anyone' },
  input: {
    params: z.strictObject({
      instance_id: ownIdField,
      epoch: epochField,
    }),
    query: z.strictObject({ page: pageNumber, ...playersBrandQuery }),
  },
  output: epochPageShape,
  refusals: [401, 403, 404],
  headers: ['X-Player-Token'],
  async handle(request, context) {
    const { instance_id: instance, epoch } = request.params;
    const { page = 0 } = request.query;
    const known = await shownInstance(context, request, frontendOf(request));
    const records = await keptEpochs(context, known);
    const record = records.find((each) => each.epoch === epoch);
    const last = Math.max(-1, ...records.map((each) => each.epoch));
    if (record === undefined && epoch > last) throw new PublicError('route_not_found');
    const isRevealed = record === undefined || record.state === 'revealed';
    const published = isRevealed
      ? await context.readers.epochs.during(operatorOf(known.description.owner), request.address, () =>
          pageOf(context, instance, epoch, page),
        )
      : null;
    if (published !== null) {
      const text =
        page === 0 ? revealedText(instance, epoch, published) : continuationText(instance, epoch, published);
      return { status: 200, text };
    }
    if (page > 0) throw new PublicError('route_not_found');
    const unshown = record ?? (await stored(() => context.revealedEpochs.known(instance, epoch)));
    return { status: 200, body: unpublished(instance, epoch, unshown) };
  },
});

function unpublished(instance: string, epoch: number, record: EpochRecord | null) {
  const text = record?.header ?? '';
  const header = text === '' ? null : (JSON.parse(text) as unknown);
  const view = record === null ? unknownEpoch(epoch) : epochView(record);
  return { instance_id: instance, ...view, published: false, header, groups: null };
}

/** The members that say which epoch it is, before those of the document. */
function revealedText(instance: string, epoch: number, document: string): string {
  const commit = /"commit":"([0-9a-f]{64})"/.exec(document)?.[1] ?? '';
  return `{"instance_id":"${instance}","epoch":${epoch},"state":"revealed","commit":"${commit}",${document.slice(1)}`;
}

function continuationText(instance: string, epoch: number, document: string): string {
  return `{"instance_id":"${instance}","epoch":${epoch},${document.slice(1)}`;
}

async function pageOf(
  context: GatewayContext,
  instance: string,
  epoch: number,
  page: number,
): Promise<string | null> {
  const bytes = await stored(() => context.epochDocument(instance, epoch, page));
  if (bytes === null) return null;
  if (bytes.length > maxPageBytes)
    throw new PublicError('storage_unavailable', 'The page is too large for one answer.');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** The epochs that the instance's actor keeps, by number; older ones are revealed and in the archive. */
async function keptEpochs(
  { lanes }: GatewayContext,
  { lane, description: { instance } }: KnownInstance,
): Promise<readonly EpochRecord[]> {
  const records: EpochRecord[] = [];
  for (let after = -1; ; after = records.at(-1)!.epoch) {
    const answer = await lanes.query(lane, { kind: 'epochs', instance, after });
    if (answer.kind !== 'epochs') throw new PublicError('overloaded');
    records.push(...answer.epochs);
    if (!answer.more || answer.epochs.length === 0) return records;
  }
}
