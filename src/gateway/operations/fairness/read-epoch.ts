import * as z from 'zod';
import { epochShape } from '../../../contracts/fairness-shapes.ts';
import { epochView } from '../../../contracts/fairness-view.ts';
import { ownIdField } from '../../../contracts/identifier-fields.ts';
import type { EpochRecord } from '../../../contracts/log/messages.ts';
import { LogError } from '../../../lib/ports.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation, type GatewayContext } from '../../operation.ts';
import { epochRecords } from './epoch-records.ts';

/** Documents that are read at the same time; and the size above which one does not fit an answer. */
const mostReads = 2;
const mostDocumentBytes = 256 * 1024 * 1024;

/**
 * An epoch. Before its seed is revealed: commit and header. Afterwards the whole document {v, header, seed, groups} as the actor
 * host has published it, from which every draw can be repeated; `groups` is null until it is published.
 */
export const readEpoch = defineOperation({
  id: 'fairness.epoch',
  name: 'One epoch of an instance',
  method: 'GET',
  path: '/v1/fairness/instances/{instance_id}/epochs/{epoch}',
  surface: 'public',
  authentication: { kind: 'none' },
  input: {
    params: z.strictObject({
      instance_id: ownIdField,
      epoch: z
        .string()
        .regex(/^(?:0|[1-9][0-9]{0,8})$/)
        .transform(Number),
    }),
  },
  output: epochShape,
  async handle({ params: { instance_id: instance, epoch } }, context) {
    const records = await epochRecords(context, instance);
    const record = records.find((each) => each.epoch === epoch);
    const last = Math.max(-1, ...records.map((each) => each.epoch));
    if (record === undefined && epoch > last) throw new PublicError('route_not_found');
    const published =
      record === undefined || record.state === 'revealed' ? await documentOf(context, instance, epoch) : null;
    if (published !== null) return { status: 200, text: revealedText(instance, epoch, published) };
    if (record === undefined) throw new PublicError('route_not_found');
    return { status: 200, body: unpublished(instance, record) };
  },
});

function unpublished(instance: string, record: EpochRecord) {
  const header = record.header === '' ? null : (JSON.parse(record.header) as unknown);
  return { instance_id: instance, ...epochView(record), header, groups: null };
}

/** The members that say which epoch it is, before those of the document. */
function revealedText(instance: string, epoch: number, document: string): string {
  const commit = /"commit":"([0-9a-f]{64})"/.exec(document)?.[1] ?? '';
  return `{"instance_id":"${instance}","epoch":${epoch},"state":"revealed","commit":"${commit}",${document.slice(1)}`;
}

const reading = { count: 0 };

async function documentOf(context: GatewayContext, instance: string, epoch: number): Promise<string | null> {
  if (reading.count >= mostReads) throw new PublicError('overloaded');
  reading.count += 1;
  try {
    const bytes = await context.epochDocument(instance, epoch);
    if (bytes === null) return null;
    if (bytes.length > mostDocumentBytes)
      throw new PublicError('storage_unavailable', 'The epoch has too many draws for one answer.');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  } catch (error) {
    if (error instanceof LogError) throw new PublicError('storage_unavailable');
    throw error;
  } finally {
    reading.count -= 1;
  }
}
