import { toHex } from '../../../lib/bytes.ts';
import type { BatchReply, LateAnswer } from '../../../messages/bus-messages.ts';
import { LiveValuesWriter } from '../../../messages/codec/live-values.ts';
import { replyChangesOf } from '../../../messages/reply-changes.ts';
import type { AppliedMessage, Replica } from '../../replica/replica.ts';

interface AddressedReply {
  readonly gateway: string;
  readonly reply: BatchReply;
}

/**
 * The largest part of a record in a reply, without live values. Gateways read larger ones from the log,
 * because the bus takes at most a megabyte.
 */
const maxReplyBytes = 512 * 1024;
const liveValueBytesPerReply = 128 * 1024;
const lateAnswersPerReply = 64;
const noBytes = new Uint8Array(0);
const writer = new LiveValuesWriter();
const noChanges: Pick<BatchReply, 'events' | 'wins'> = { events: [], wins: [] };

/** The answer to the batch that was applied; without outcomes where they are too large for the bus. */
export function replyTo(applied: AppliedMessage, replica: Replica): BatchReply {
  const { outcome, batch, sequence } = applied;
  const fits = applied.record.length <= maxReplyBytes;
  return {
    batchId: batch.batchId,
    lane: replica.lane,
    sequence,
    timestampMs: outcome.timestampMs,
    outcomes: fits ? outcome.outcomes : [],
    liveValues: fits ? liveValuesOf(applied, replica) : noBytes,
    ...(fits ? changesOf(applied) : noChanges),
    late: [],
  };
}

/** Answers to contributions of earlier batches whose last debit has settled now. */
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
  const fits = applied.record.length <= maxReplyBytes;
  const liveValues = fits ? liveValuesOf(applied, replica) : noBytes;
  const recorded = fits ? changesOf(applied) : noChanges;
  const { timestampMs } = outcome;
  const addressed = new Set<string>();
  return [...byBatch.values()].flatMap(({ gateway, batchId, late }) =>
    slices(late, fits ? late.length : lateAnswersPerReply).map((slice) => {
      // The first reply to a gateway carries the changes.
      const first = !addressed.has(gateway);
      addressed.add(gateway);
      const changes = first ? { liveValues, ...recorded } : { liveValues: noBytes, ...noChanges };
      const { lane } = replica;
      return {
        gateway,
        reply: { batchId, lane, sequence, timestampMs, outcomes: [], ...changes, late: slice },
      };
    }),
  );
}

/** Without what only feeds and the outbox read: the shares of a win may be most of a record. */
function changesOf({ outcome: { events } }: AppliedMessage): typeof noChanges {
  return events.length === 0 ? noChanges : replyChangesOf(events);
}

/** As many as fit: ticks bring them all. */
function liveValuesOf({ outcome }: AppliedMessage, { engine }: Replica): Uint8Array {
  writer.begin();
  for (const { instance } of outcome.instances) {
    engine.writeLiveValues(instance, writer);
    if (writer.length <= liveValueBytesPerReply) continue;
    writer.dropLast();
    break;
  }
  return writer.taken();
}

function slices<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
