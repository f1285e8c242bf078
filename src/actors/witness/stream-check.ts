import { equalBytes } from '../../lib/bytes.ts';
import type { Hashing } from '../../lib/hashing.ts';
import { decodeCommandBatch } from '../../messages/codec/codec.ts';
import { recordHead } from '../../messages/codec/record-head.ts';
import { isUnreadable, type Log, type StreamExtent } from '../../ports.ts';

/** Messages of a lane's stream that are gone, do not read, or do not follow from the ones before them. */
export interface Damage {
  readonly of: 'commands' | 'outcomes';
  readonly stream: string;
  readonly from: number;
  readonly to: number;
}

/** Two streams with the same age limit do not forget at the same moment. */
const ageSlackMs = 3_600_000;

interface Stored {
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

interface CheckedStream {
  readonly of: Damage['of'];
  extent(): Promise<StreamExtent>;
  read(from: number): Promise<readonly Stored[]>;
  one(sequence: number): Promise<Stored | null>;
  fits(stored: Stored): boolean;
}

/** What a lane's streams may lack at their beginning: what is old enough, and what the archive has. */
export interface MayLack {
  readonly maxAgeMs: number;
  readonly archivedTo?: number;
}

/** By the age in the settings: the stream's own can only ask for more (docs/rules/log.md "Streams"). */
export function mayHaveLeft(
  stream: StreamExtent,
  storedMs: number,
  nowMs: number,
  maxAgeMs: number,
): boolean {
  return stream.maxAgeMs > 0 && nowMs - storedMs > Math.max(maxAgeMs, stream.maxAgeMs) - ageSlackMs;
}

/**
 * Outcomes that are gone although their commands are there, by what the streams say of themselves. What both
 * have forgotten because of its age is no loss, and neither is what the archive has.
 */
export async function lostBeginning(
  log: Pick<Log, 'extents' | 'readCommand'>,
  lane: number,
  nowMs: number,
  { maxAgeMs, archivedTo = 0 }: MayLack,
): Promise<Damage | null> {
  const { commands, outcomes } = await log.extents(lane);
  const to = Math.min(outcomes.firstSequence - 1, commands.lastSequence);
  // An empty OUT may be that of a lane whose outcomes are just being stored.
  const from = Math.max(commands.firstSequence, archivedTo + 1);
  if (from > to || outcomes.lastSequence === 0) return null;
  const newestLost = await log.readCommand(lane, to);
  const isOld = newestLost !== null && mayHaveLeft(outcomes, newestLost.timestampMs, nowMs, maxAgeMs);
  return isOld ? null : { of: 'outcomes', stream: outcomes.stream, from, to };
}

export function commandsOf(log: Log, lane: number): CheckedStream {
  return {
    of: 'commands',
    extent: async () => (await log.extents(lane)).commands,
    read: (from) => log.readCommands(lane, from),
    one: (sequence) => log.readCommand(lane, sequence),
    fits: ({ bytes }) => whole(() => decodeCommandBatch(bytes)) !== null,
  };
}

/** Each record must also be the one that follows from the lane head before it. */
export function outcomesOf(log: Log, lane: number, hashing: Pick<Hashing, 'sha256'>): CheckedStream {
  let before: { readonly sequence: number; readonly laneHead: Uint8Array } | null = null;
  return {
    of: 'outcomes',
    extent: async () => (await log.extents(lane)).outcomes,
    read: (from) => log.readOutcomes(lane, from),
    one: (sequence) => log.readOutcome(lane, sequence),
    fits({ bytes, sequence }) {
      const record = whole(() => recordHead(bytes));
      if (record === null || record.sequence !== sequence) return false;
      const follows =
        before?.sequence !== sequence - 1 ||
        equalBytes(record.laneHead, hashing.sha256(before.laneHead, record.body));
      before = { sequence, laneHead: record.laneHead };
      return follows;
    },
  };
}

/**
 * Reads the stream from its first message to the one that is its last now. `worked` paces it. What left
 * because of its age meanwhile is no loss; a gap counts once the stream's leader has said it too.
 */
export async function checkStream(
  stream: CheckedStream,
  worked: (bytes: number) => Promise<void>,
  found: (damage: Damage) => void,
): Promise<void> {
  const { firstSequence, lastSequence, stream: name } = await stream.extent();
  let next = firstSequence;
  const gap = async (to: number): Promise<void> => {
    const from = Math.max(next, (await stream.extent()).firstSequence);
    for (let sequence = from; sequence <= to; sequence += 1) {
      if ((await stream.one(sequence)) !== null) continue;
      const until = await endOfGap(stream, sequence, to);
      found({ of: stream.of, stream: name, from: sequence, to: until });
      sequence = until;
    }
  };
  while (next <= lastSequence) {
    const messages = await stream.read(next);
    if (messages.length === 0) return gap(lastSequence);
    for (const message of messages) {
      const { sequence, bytes } = message;
      if (sequence > next) await gap(Math.min(sequence - 1, lastSequence));
      if (sequence > lastSequence) return;
      if (!stream.fits(message)) found({ of: stream.of, stream: name, from: sequence, to: sequence });
      next = sequence + 1;
      await worked(bytes.length);
    }
  }
}

/** The next batch begins where something is there again: a long gap is not asked for message by message. */
async function endOfGap(stream: CheckedStream, from: number, to: number): Promise<number> {
  const [there] = await stream.read(from);
  return Math.min(to, (there?.sequence ?? to + 1) - 1);
}

function whole<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}
