import { toHex } from '../../lib/bytes.ts';
import type { BatchReply, LateAnswer } from '../../messages/bus-messages.ts';
import type { Headline } from '../../messages/records.ts';
import type { AppliedMessage, Replica } from '../replica/lane-replica.ts';
import { headlineBytes } from './live-value-bytes.ts';

export interface AddressedReply {
  readonly gateway: string;
  readonly reply: BatchReply;
}

/**
 * What a reply takes of a record at most; headlines come to it. Larger ones would not pass the bus, which takes a megabyte:
 * gateways read those from the log.
 */
export const largestReplyBytes = 512 * 1024;
const headlineBytesOfReply = 128 * 1024;
/** Late answers of one reply where the record is large. */
const lateOfReply = 64;

/** The answer to the batch that was applied; without outcomes where they are too large for the bus. */
export function replyTo(applied: AppliedMessage, replica: Replica): BatchReply {
  const { outcome, batch, sequence } = applied;
  const fits = applied.record.length <= largestReplyBytes;
  return {
    batchId: batch.batchId,
    lane: replica.lane,
    sequence,
    timestampMs: outcome.timestampMs,
    outcomes: fits ? outcome.outcomes : [],
    headlines: fits ? headlinesOf(applied, replica) : [],
    events: fits ? outcome.events : [],
    late: [],
  };
}

/** Answers to contributions of earlier batches whose last debit has settled now, for the gateways that asked. */
export function lateReplies(applied: AppliedMessage, replica: Replica): readonly AddressedReply[] {
  const { outcome, sequence } = applied;
  const byBatch = new Map<string, { gateway: string; batchId: Uint8Array; late: LateAnswer[] }>();
  for (const command of outcome.outcomes) {
    if (command.kind !== 'Settled') continue;
    for (const { gateway, batchId, sequence: asked, index, result } of command.contributions) {
      if (gateway === '') continue;
      const key = `${gateway}/${toHex(batchId)}`;
      const batch = byBatch.get(key) ?? { gateway, batchId, late: [] };
      byBatch.set(key, batch);
      batch.late.push({ index, sequence: asked, outcome: result });
    }
  }
  if (byBatch.size === 0) return [];
  const fits = applied.record.length <= largestReplyBytes;
  const headlines = fits ? headlinesOf(applied, replica) : [];
  const events = fits ? outcome.events : [];
  const { timestampMs } = outcome;
  const told = new Set<string>();
  return [...byBatch.values()].flatMap(({ gateway, batchId, late }) =>
    slices(late, fits ? late.length : lateOfReply).map((slice) => {
      // A gateway takes what has changed in with the first of its replies.
      const first = !told.has(gateway);
      told.add(gateway);
      const changes = first ? { headlines, events } : { headlines: [], events: [] };
      const { lane } = replica;
      return {
        gateway,
        reply: { batchId, lane, sequence, timestampMs, outcomes: [], ...changes, late: slice },
      };
    }),
  );
}

/** As many as fit: ticks bring them all. */
function headlinesOf({ outcome }: AppliedMessage, replica: Replica): readonly Headline[] {
  const headlines: Headline[] = [];
  let bytes = 0;
  for (const { instance } of outcome.instances) {
    const headline = replica.engine.headline(instance);
    if (headline === null) continue;
    bytes += headlineBytes(headline);
    if (bytes > headlineBytesOfReply) break;
    headlines.push(headline);
  }
  return headlines;
}

function slices<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
