import type { Settings } from '../../config/settings.ts';
import { byteText } from '../../lib/byte-text.ts';
import type { IndexedSegment, SegmentIndex } from '../../log/archive/segment-index.ts';
import { type ArchiveReport, verifyArchive } from '../../log/archive/verify.ts';
import { connectReader } from '../../log/jetstream/connect.ts';
import { readSystemLanes } from '../../log/system/system-lanes.ts';
import { type Log, LogError } from '../../ports.ts';
import { logSettings, segmentIndex } from '../../wiring.ts';
import { ofRunningSystem } from '../system/nats-access.ts';
import type { CommandOutput } from '../terminal/output.ts';

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
    for (const lane of lanesOf(lanes, only)) {
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
    for (const lane of lanesOf(lanes, only)) {
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
  work: (index: SegmentIndex, log: Log, lanes: number) => Promise<number>,
): Promise<number> {
  const reach = ofRunningSystem(settings, 'replay');
  try {
    const log = await connectReader(logSettings(reach, 'replay'));
    const index = segmentIndex(settings, log);
    try {
      if (index === null) {
        print('POTSTREAM_ARCHIVE is off: there is no archive.');
        return 1;
      }
      const lanes = (await readSystemLanes(await log.table('PLACEMENT'))) ?? settings.lanes;
      if (only !== undefined && only >= lanes) {
        print(`There is no lane ${only}: the system has ${lanes}, from 0.`);
        return 1;
      }
      return await work(index, log, lanes);
    } finally {
      await index?.close();
      await log.close();
    }
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    print(`The archive cannot be read: ${error.message}`);
    return 1;
  }
}

function lanesOf(lanes: number, only: number | undefined): number[] {
  return Array.from({ length: lanes }, (_, lane) => lane).filter(
    (lane) => only === undefined || lane === only,
  );
}

/** In the names of the other commands. */
function rowOf(segment: IndexedSegment) {
  const { lane, first, last, firstMs, lastMs, sha256, previous, head, object } = segment;
  return {
    lane,
    first,
    last,
    from: textTime(firstMs),
    to: textTime(lastMs),
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
  return `lane ${lane}  ${messages}  ${textTime(firstMs)} to ${textTime(lastMs)}  ${byteText(storedBytes)}  ${sha256}\n`;
}

function textOf({ lane, segments, first, last, storedBytes, rawBytes, faults }: ArchiveReport): string {
  if (segments === 0) return `lane ${lane}: nothing is archived\n`;
  const what = `${segments} segments, messages ${first} to ${last}, ${byteText(storedBytes)} for ${byteText(rawBytes)}`;
  if (faults.length === 0) return `lane ${lane}: verified: ${what}\n`;
  const lines = faults.map((each) => `  ${each.first} to ${each.last} (${each.object}): ${each.fault}\n`);
  return `lane ${lane}: ${faults.length} faults in ${what}\n${lines.join('')}`;
}

function textTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
