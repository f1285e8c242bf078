import type { Settings } from '../../config/settings.ts';
import { byteText } from '../../lib/byte-text.ts';
import type { IndexedSegment, SegmentIndex } from '../../log/archive/segment-index.ts';
import { type ArchiveReport, verifyArchive } from '../../log/archive/verify.ts';
import type { Log } from '../../ports.ts';
import { segmentIndex } from '../../wiring.ts';
import { hasLane, withLogReader } from '../system/log-reader.ts';
import type { CommandOutput } from '../terminal/output.ts';
import { timeText } from '../terminal/table.ts';

export interface ArchiveChoices {
  readonly lane?: number;
  readonly json?: boolean;
}

/** `potstream archive list`. */
export function listSegments(
  settings: Settings,
  { lane: only, json }: ArchiveChoices,
  output: CommandOutput,
): Promise<number> {
  return withIndex(settings, only, output, async (index, _, lanes) => {
    await index.open();
    for (const lane of lanes) {
      for (const segment of index.segments(lane))
        output.write(json === true ? `${JSON.stringify(rowOf(segment))}\n` : lineOf(segment));
    }
    return 0;
  });
}

/** `potstream archive verify`: the exit code is 0 if nothing is wrong, otherwise 1. */
export function verifySegments(
  settings: Settings,
  { lane: only, json }: ArchiveChoices,
  output: CommandOutput,
): Promise<number> {
  return withIndex(settings, only, output, async (index, log, lanes) => {
    const reports: ArchiveReport[] = [];
    for (const lane of lanes) {
      const report = await verifyArchive(lane, index, log, settings.archiveMs);
      reports.push(report);
      if (json !== true) output.write(textOf(report));
    }
    const verified = reports.every(({ faults }) => faults.length === 0);
    if (json === true) output.write(`${JSON.stringify({ verified, lanes: reports }, null, 2)}\n`);
    return verified ? 0 : 1;
  });
}

async function withIndex(
  settings: Settings,
  only: number | undefined,
  { print }: CommandOutput,
  work: (index: SegmentIndex, log: Log, lanes: readonly number[]) => Promise<number>,
): Promise<number> {
  const reading = { settings, user: 'replay', noun: 'archive', print, archived: false } as const;
  const code = await withLogReader(reading, async (log, lanes) => {
    const index = segmentIndex(settings, log);
    try {
      if (index === null) print('POTSTREAM_ARCHIVE is off: there is no archive.');
      if (index === null || (only !== undefined && !hasLane(only, lanes, print))) return 1;
      return await work(
        index,
        log,
        only === undefined ? Array.from({ length: lanes }, (_, lane) => lane) : [only],
      );
    } finally {
      await index?.close();
    }
  });
  return code ?? 1;
}

/** In the names of the other commands. */
function rowOf(segment: IndexedSegment) {
  const { lane, first, last, firstMs, lastMs, sha256, previous, head, object } = segment;
  return {
    lane,
    first,
    last,
    from: timeText(firstMs),
    to: timeText(lastMs),
    sha256,
    previous: previous?.sha256 ?? null,
    lane_head: head,
    raw_bytes: segment.rawBytes,
    stored_bytes: segment.storedBytes,
    object,
  };
}

function lineOf({ lane, first, last, firstMs, lastMs, storedBytes, sha256 }: IndexedSegment): string {
  const messages = `${first} to ${last}`;
  return `lane ${lane}  ${messages}  ${timeText(firstMs)} to ${timeText(lastMs)}  ${byteText(storedBytes)}  ${sha256}\n`;
}

function textOf({ lane, segments, first, last, storedBytes, rawBytes, faults }: ArchiveReport): string {
  if (segments === 0) return `lane ${lane}: nothing is archived\n`;
  const what = `${segments} segments, messages ${first} to ${last}, ${byteText(storedBytes)} for ${byteText(rawBytes)}`;
  if (faults.length === 0) return `lane ${lane}: verified: ${what}\n`;
  const lines = faults.map((each) => `  ${each.first} to ${each.last} (${each.object}): ${each.fault}\n`);
  return `lane ${lane}: ${faults.length} faults in ${what}\n${lines.join('')}`;
}
