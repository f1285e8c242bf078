import type { BatchReply, LateAnswer } from '../contracts/log/messages.ts';
import type { Headline } from '../contracts/log/outcomes.ts';
import { toHex } from '../lib/bytes.ts';
import type { AppliedMessage, Replica } from './replica.ts';

export interface AddressedReply {
  readonly gateway: string;
  readonly reply: BatchReply;
}

/** The answer to the batch that was applied. */
export function replyTo(applied: AppliedMessage, replica: Replica): BatchReply {
  const { outcome, batch, sequence } = applied;
  return {
    batchId: batch.batchId,
    lane: replica.lane,
    sequence,
    timestampMs: outcome.timestampMs,
    outcomes: outcome.outcomes,
    headlines: headlinesOf(applied, replica),
    events: outcome.events,
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
  const headlines = headlinesOf(applied, replica);
  const { timestampMs, events } = outcome;
  return [...byBatch.values()].map(({ gateway, batchId, late }) => ({
    gateway,
    reply: { batchId, lane: replica.lane, sequence, timestampMs, outcomes: [], headlines, events, late },
  }));
}

function headlinesOf({ outcome }: AppliedMessage, replica: Replica): readonly Headline[] {
  return outcome.instances
    .map((touched) => replica.engine.headline(touched.instance))
    .filter((headline) => headline !== null);
}
