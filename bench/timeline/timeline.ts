import type { Hop } from './hops.ts';

/** Where the time of one contribution went, in milliseconds. */
export interface Timeline {
  /** The gateway read it, and published its batch. */
  readonly gathered: number;
  /** nats-server synced the batch, and the actor read it. */
  readonly delivered: number;
  /** The actor applied it, and wrote its reply and its record. */
  readonly applied: number;
  /** The gateway read the reply. */
  readonly replied: number;
  /** The gateway read the acknowledgement, from the publication on. */
  readonly acknowledged: number;
  /** The gateway had both, and wrote the answer. */
  readonly answered: number;
  /** From the request to its answer. */
  readonly whole: number;
  /** The actor read the acknowledgement of the record, from its writing on. No answer waits for it. */
  readonly recorded: number;
}

export const hopNames: readonly (keyof Timeline)[] = [
  'gathered',
  'delivered',
  'applied',
  'replied',
  'answered',
  'whole',
  'acknowledged',
  'recorded',
];

interface Batch {
  readonly publishedMs: number;
  acknowledgedMs: number;
  deliveredMs: number;
  appliedMs: number;
  repliedMs: number;
  recordedMs: number;
}

/** The timelines of all contributions to a lane that both roles saw whole. */
export function timelines(gateway: readonly Hop[], actors: readonly Hop[], lane: number): Timeline[] {
  const batches = batchesOf(gateway, actors, lane);
  const answering = [...batches].sort((a, b) => readyMs(a) - readyMs(b));
  const found: Timeline[] = [];
  const readMs = new Map<number, number>();
  let last = -1;
  for (const { atMs, kind, socket, text } of gateway) {
    if (kind === 'read' && text.startsWith('POST ')) readMs.set(socket, atMs);
    if (kind !== 'wrote' || !text.startsWith('HTTP/1.1 200')) continue;
    const beganMs = readMs.get(socket);
    while (last + 1 < answering.length && readyMs(answering[last + 1] as Batch) <= atMs) last += 1;
    const batch = answering[last];
    // A batch of an answer was published after its request was read.
    if (beganMs === undefined || batch === undefined || batch.publishedMs < beganMs) continue;
    found.push({
      gathered: batch.publishedMs - beganMs,
      delivered: batch.deliveredMs - batch.publishedMs,
      applied: batch.appliedMs - batch.deliveredMs,
      replied: batch.repliedMs - batch.appliedMs,
      acknowledged: batch.acknowledgedMs - batch.publishedMs,
      answered: atMs - readyMs(batch),
      whole: atMs - beganMs,
      recorded: batch.recordedMs - batch.appliedMs,
    });
  }
  return found;
}

function readyMs({ acknowledgedMs, repliedMs }: Batch): number {
  return Math.max(acknowledgedMs, repliedMs);
}

/**
 * A lane has its batches acknowledged, delivered and answered in the order in which its gateway published
 * them.
 */
function batchesOf(gateway: readonly Hop[], actors: readonly Hop[], lane: number): Batch[] {
  const published = timesOf(gateway, 'wrote', `HPUB cmd.${lane}.b `);
  const acknowledged = timesOf(gateway, 'read', `"stream":"CMD_${lane}"`);
  const delivered = timesOf(actors, 'read', `HMSG cmd.${lane}.b `);
  const recorded = timesOf(actors, 'read', `"stream":"OUT_${lane}"`);
  const replied = timesOf(gateway, 'read', 'MSG reply.');
  const applied = timesOf(actors, 'wrote', 'PUB reply.');
  const counts = [published, acknowledged, delivered, replied, applied].map((times) => times.length);
  const count = Math.min(...counts);
  if (Math.max(...counts) - count > 1) throw new Error(`Hops are missing: ${counts.join(', ')} of them.`);
  return Array.from({ length: count }, (_, index) => ({
    publishedMs: published[index] as number,
    acknowledgedMs: acknowledged[index] as number,
    deliveredMs: delivered[index] as number,
    appliedMs: applied[index] as number,
    repliedMs: replied[index] as number,
    // Other messages of the lane have records, too; the next one behind the reply is nearly always its own.
    recordedMs: recorded.find((atMs) => atMs > (applied[index] as number)) ?? Number.NaN,
  }));
}

function timesOf(hops: readonly Hop[], kind: Hop['kind'], mark: string): number[] {
  const times: number[] = [];
  for (const hop of hops) {
    if (hop.kind !== kind) continue;
    for (let at = hop.text.indexOf(mark); at >= 0; at = hop.text.indexOf(mark, at + mark.length))
      times.push(hop.atMs);
  }
  return times;
}
