import { equalBytes, toHex } from '../../lib/bytes.ts';
import { type Log, LogError } from '../../ports.ts';
import type { ArchivedMessage } from './segment.ts';
import type { IndexedSegment, SegmentIndex } from './segment-index.ts';

interface ArchiveFault {
  readonly lane: number;
  readonly first: number;
  readonly last: number;
  readonly object: string;
  readonly fault: string;
}

export interface ArchiveReport {
  readonly lane: number;
  readonly segments: number;
  readonly messages: number;
  readonly first: number;
  readonly last: number;
  readonly storedBytes: number;
  readonly rawBytes: number;
  /** SHA-256 of the last segment: it depends on all segments before it. */
  readonly sha256: string;
  readonly faults: readonly ArchiveFault[];
}

/**
 * Reads the whole archive of a lane. Each segment must be the recorded one and have its SHA-256, CRCs and
 * chain of lane heads; each must continue the one before it; and messages that the streams still have must be
 * the same there, without a gap to them. `keptMs`: the age at which the settings let segments go; null:
 * never.
 * @throws LogError on outages
 */
export async function verifyArchive(
  lane: number,
  index: SegmentIndex,
  live: Pick<Log, 'readCommand' | 'readOutcome' | 'extents'>,
  keptMs: number | null,
): Promise<ArchiveReport> {
  await index.open();
  const segments = [...index.segments(lane)];
  const faults: ArchiveFault[] = [];
  for (const [at, segment] of segments.entries()) {
    const fault = (await faultOf(segment, index, live)) ?? faultBetween(segments[at - 1], segment, keptMs);
    const { first, last, object } = segment;
    if (fault !== null) faults.push({ lane, first, last, object, fault });
  }
  const newest = segments.at(-1);
  const { firstSequence } = (await live.extents(lane)).commands;
  if (newest !== undefined && newest.last + 1 < firstSequence) {
    const fault = `Messages ${newest.last + 1} to ${firstSequence - 1} are neither archived nor in the stream.`;
    faults.push({ lane, first: newest.first, last: newest.last, object: newest.object, fault });
  }
  const sum = (of: (segment: IndexedSegment) => number): number =>
    segments.reduce((total, segment) => total + of(segment), 0);
  return {
    lane,
    segments: segments.length,
    messages: sum(({ first, last }) => last - first + 1),
    first: segments[0]?.first ?? 0,
    last: segments.at(-1)?.last ?? 0,
    storedBytes: sum(({ storedBytes }) => storedBytes),
    rawBytes: sum(({ rawBytes }) => rawBytes),
    sha256: segments.at(-1)?.sha256 ?? '',
    faults,
  };
}

async function faultOf(
  segment: IndexedSegment,
  index: SegmentIndex,
  live: Pick<Log, 'readCommand' | 'readOutcome'>,
): Promise<string | null> {
  try {
    const messages = await index.messages(segment);
    return await differenceToStreams(messages.at(-1) as ArchivedMessage, segment, live);
  } catch (error) {
    if (error instanceof LogError && error.code === 'corrupt') return error.message;
    throw error;
  }
}

/** A record depends on all before it: the last one of a segment stands for all of them. */
async function differenceToStreams(
  { command, outcome }: ArchivedMessage,
  { lane, last }: IndexedSegment,
  live: Pick<Log, 'readCommand' | 'readOutcome'>,
): Promise<string | null> {
  const [liveCommand, liveOutcome] = [await live.readCommand(lane, last), await live.readOutcome(lane, last)];
  if (liveCommand !== null && !equalBytes(liveCommand.bytes, command.bytes))
    return `Command ${last} is another one than that of the stream.`;
  if (liveOutcome !== null && !equalBytes(liveOutcome.bytes, outcome.bytes))
    return `Record ${last} (${toHex(outcome.bytes.subarray(0, 8))}…) is another one than that of the stream.`;
  return null;
}

function faultBetween(
  before: IndexedSegment | undefined,
  { first, previous, headBefore }: IndexedSegment,
  keptMs: number | null,
): string | null {
  if (before === undefined)
    return previous === null || keptMs !== null
      ? null
      : `The segments up to message ${previous.last} are gone, and the settings keep them all (POTSTREAM_ARCHIVE_DAYS).`;
  if (previous?.sha256 !== before.sha256) return 'It does not continue the segment before it.';
  if (before.last + 1 !== first) return `Messages ${before.last + 1} to ${first - 1} were never archived.`;
  return headBefore === before.head
    ? null
    : 'Its first lane head does not follow from the segment before it.';
}
