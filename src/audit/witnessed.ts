import type { AuditLog, StreamExtent } from '../ports.ts';
import { hashOf } from './chain.ts';

/** The trail as a witness noted it outside of the stream, when it was as it should be. */
export interface SeenTrail {
  readonly first: number;
  readonly last: number;
  /** When the log stored the last message. */
  readonly lastMs: number;
  /** SHA-256 of the last message, in hexadecimal. */
  readonly head: string;
  readonly atMs: number;
}

/** What the trail is compared with; none of it comes from the stream (docs/rules/audit.md "Verification"). */
export interface TrailRule {
  /** Older messages may leave the trail; null: none may. */
  readonly maxAgeMs: number | null;
  readonly seen: readonly SeenTrail[];
  /** A person accepted the trail as it was, and it has not been seen since. */
  readonly accepted: boolean;
}

/** `unproven`: messages are gone, and nothing shows whether they were as old as they may be. */
export type Beginning =
  | { readonly kind: 'whole' }
  | { readonly kind: 'lost' | 'unproven'; readonly sequence: number; readonly message: string };

/** Clocks differ, and witnesses look now and then. */
const ageSlackMs = 3_600_000;
const dayMs = 86_400_000;
const newestRetained = 16;
const samples = 12;

/** Whether what is missing before the first message was old enough to leave. */
export function beginningOf(
  { firstSequence: first }: Pick<StreamExtent, 'firstSequence'>,
  rule: TrailRule,
  nowMs: number,
): Beginning {
  const { maxAgeMs, seen, accepted } = rule;
  const known = seen.length === 0 && accepted ? first : Math.max(1, ...seen.map((each) => each.first));
  if (first <= known) return { kind: 'whole' };
  const lost = (message: string): Beginning => ({ kind: 'lost', sequence: first, message });
  if (maxAgeMs === null) return lost(`Message ${first} is the first one: those before it are gone.`);
  const days = maxAgeMs / dayMs;
  if (seen.length === 0)
    return {
      kind: 'unproven',
      sequence: first,
      message: `It begins with message ${first}. No witness here shows that those before it were ${days} days old.`,
    };
  // The newest message that is gone is this one, or younger.
  const gone = newestOf(seen.filter(({ last }) => last < first));
  if (gone === undefined || nowMs - gone.lastMs > maxAgeMs - ageSlackMs) return { kind: 'whole' };
  const since = new Date(gone.lastMs).toISOString();
  return lost(
    `Message ${first} is the first one: ${gone.last} is gone, which was stored at ${since} and is not ${days} days old.`,
  );
}

/** What is wrong with the end of a trail, by what was seen of it; null: nothing. */
export function lostEnd(
  { lastSequence }: Pick<StreamExtent, 'lastSequence'>,
  seen: readonly SeenTrail[],
): string | null {
  const newest = newestOf(seen);
  if (newest === undefined || newest.last <= lastSequence) return null;
  return (
    `The trail ends with message ${lastSequence}, but a witness saw it end with ${newest.last} (${new Date(newest.atMs).toISOString()}): ` +
    'its last messages are gone, it was made anew, or an older copy was restored.'
  );
}

/**
 * What is wrong with the ends of a trail, by its extent and the newest message that was seen of it. `seen`:
 * of the trail as it is, what to note of it; nothing if it is not as it should be, or cannot be read now.
 * @throws LogError
 */
export async function judgeEnds(
  log: Pick<AuditLog, 'read'>,
  extent: StreamExtent,
  rule: TrailRule,
  nowMs: number,
): Promise<{ readonly faults: readonly string[]; readonly seen: readonly SeenTrail[] }> {
  const { firstSequence: first, lastSequence } = extent;
  const beginning = beginningOf(extent, rule, nowMs);
  const newest = newestOf(rule.seen);
  const known = newest === undefined ? null : await log.read(newest.last);
  const isOther = newest !== undefined && known !== null && hashOf(known.bytes) !== newest.head;
  const faults = [
    beginning.kind === 'lost' ? beginning.message : null,
    lostEnd(extent, rule.seen),
    isOther ? otherMessage(newest) : null,
  ].filter((fault) => fault !== null);
  if (faults.length > 0) return { faults, seen: [] };
  const seen: SeenTrail[] = [];
  for (const sequence of newest === undefined ? samplesOf(extent) : [lastSequence]) {
    const message = sequence === known?.sequence ? known : await log.read(sequence);
    if (message === null) continue;
    const { timestampMs: lastMs, bytes } = message;
    seen.push({ first, last: sequence, lastMs, head: hashOf(bytes), atMs: nowMs });
  }
  return { faults, seen };
}

/** At first sight several places are noted, so that the age of each part is known. */
function samplesOf({ firstSequence, lastSequence }: StreamExtent): number[] {
  const step = Math.max(1, Math.ceil((lastSequence - firstSequence) / samples));
  const sequences: number[] = [];
  for (let sequence = firstSequence; sequence < lastSequence; sequence += step) sequences.push(sequence);
  return [...sequences, lastSequence];
}

/** What is wrong with a message whose head was seen. */
export function otherMessage({ last, atMs }: SeenTrail): string {
  return `Message ${last} is another one than a witness saw at ${new Date(atMs).toISOString()}: this is another trail.`;
}

function newestOf(seen: readonly SeenTrail[]): SeenTrail | undefined {
  return seen.reduce<SeenTrail | undefined>(
    (newest, each) => (each.last >= (newest?.last ?? 0) ? each : newest),
    undefined,
  );
}

/** What has to be kept of what was seen: the newest, and of each day what tells of its last message. */
export function retainedTrails<T extends SeenTrail>(seen: readonly T[]): T[] {
  const newestOfDay = new Map(seen.map((each) => [Math.floor(each.lastMs / dayMs), each]));
  const recent = new Set(seen.slice(-newestRetained));
  return seen.filter((each) => recent.has(each) || newestOfDay.get(Math.floor(each.lastMs / dayMs)) === each);
}
