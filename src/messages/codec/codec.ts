import { winSizesOf } from '../announced-bytes.ts';
import type {
  BatchReply,
  Heartbeat,
  LaneTick,
  LateAnswer,
  ReceivedReply,
  ReceivedTick,
  WinSize,
} from '../bus-messages.ts';
import type { CommandBatch, LoggedBatch } from '../commands.ts';
import { isReadModelEvent } from '../events.ts';
import type { OutcomeRecord } from '../outcomes.ts';
import type { LaneQueryAnswer, LaneQueryRequest } from '../queries.ts';
import type { LiveValuesNews } from '../records.ts';
import { packBatch, unpackBatch } from './commands.ts';
import { packOutcomes, unpackOutcomes } from './compact-outcomes.ts';
import { readContributions } from './contributions-reader.ts';
import { writeContributions } from './contributions-writer.ts';
import {
  decodeWith,
  frameLive,
  frameStored,
  storedPayload,
  unframeLive,
  unframeStored,
  unpackValue,
} from './frame.ts';
import { array, bytes, list, number, record, text, trailing, view, word } from './layout.ts';
import { packLiveValues, unpackLiveValues } from './live-values.ts';
import { commandOutcome, instanceTouched, laneEvent, liveValuesLayout } from './outcomes.ts';
import { queryAnswer, queryRequest } from './queries.ts';
import { laneWork } from './settlements.ts';

/** The bytes of everything in the log and on the bus (docs/rules/log.md "Message format"). */

const instances = list(instanceTouched);
const allLiveValues = list(liveValuesLayout);
const events = list(laneEvent);
const work = list(laneWork);
const streamKeys = list(bytes);
const wins = list(record<WinSize>({ brand: text, bytes: number }));
const late = list(record<LateAnswer>({ index: number, sequence: number, outcome: commandOutcome }));
const heartbeat = record<Heartbeat>({
  lane: number,
  host: text,
  term: number,
  appliedSequence: number,
  storedOutcome: number,
  condition: word('serving', 'full', 'stopped'),
  code: text,
  laneHead: trailing(bytes),
  appliedCommands: trailing(number),
});

/** The stored bytes of a command batch. */
export function encodeCommandBatch(batch: CommandBatch): Uint8Array {
  return writeContributions(batch) ?? frameStored(packBatch(batch));
}

/** Reads a command batch, with ids and keys as views of `frame`. @throws LogError `corrupt`, `unsupported` */
export function decodeCommandBatch(frame: Uint8Array): LoggedBatch {
  const payload = storedPayload(frame);
  return readContributions(payload) ?? decodeWith('command batch', unpackValue(payload), unpackBatch);
}

/** The stored bytes of an outcome record. */
export function encodeOutcomeRecord(value: OutcomeRecord): Uint8Array {
  const record: unknown[] = [
    value.sequence,
    value.timestampMs,
    value.laneHead,
    instances.pack(value.instances),
    packOutcomes(value.outcomes),
    events.pack(value.events),
    work.pack(value.work),
  ];
  if (value.streamKeys !== undefined) record.push(streamKeys.pack(value.streamKeys));
  return frameStored(record);
}

/** Reads an outcome record. @throws LogError `corrupt`, `unsupported` */
export function decodeOutcomeRecord(frame: Uint8Array): OutcomeRecord {
  return decodeWith('outcome record', unframeStored(frame), (raw) => {
    const [sequence, timestampMs, laneHead, touched, outcomes, laneEvents, laneWorks, keys] = array(raw);
    return {
      sequence: number.unpack(sequence),
      timestampMs: number.unpack(timestampMs),
      laneHead: bytes.unpack(laneHead),
      instances: instances.unpack(touched),
      outcomes: unpackOutcomes(outcomes),
      events: events.unpack(laneEvents),
      work: work.unpack(laneWorks),
      ...(keys === undefined ? {} : { streamKeys: streamKeys.unpack(keys) }),
    };
  });
}

/** Reads only the events of an outcome record. @throws LogError `corrupt`, `unsupported` */
export function decodeOutcomeEvents(
  frame: Uint8Array,
): Pick<OutcomeRecord, 'sequence' | 'timestampMs' | 'events'> {
  return decodeWith('outcome record', unframeStored(frame), (raw) => {
    const [sequence, timestampMs, , , , laneEvents] = array(raw);
    return {
      sequence: number.unpack(sequence),
      timestampMs: number.unpack(timestampMs),
      events: events.unpack(laneEvents),
    };
  });
}

/** Reads only the keys of draws that an outcome record names. @throws LogError `corrupt`, `unsupported` */
export function decodeStreamKeys(frame: Uint8Array): readonly Uint8Array[] {
  return decodeWith('outcome record', unframeStored(frame), (raw) => streamKeys.unpack(array(raw)[7] ?? []));
}

/** The bytes of a batch reply on the bus. */
export function encodeBatchReply(reply: BatchReply): Uint8Array {
  return frameLive([
    reply.batchId,
    reply.lane,
    reply.sequence,
    reply.timestampMs,
    packOutcomes(reply.outcomes),
    [],
    events.pack(reply.events),
    late.pack(reply.late),
    wins.pack(reply.wins),
    reply.liveValues,
  ]);
}

/** Reads a batch reply. @throws LogError `corrupt`, `unsupported` */
export function decodeBatchReply(frame: Uint8Array): ReceivedReply {
  return decodeWith('batch reply', unframeLive(frame), (raw) => {
    const [batchId, lane, sequence, timestampMs, outcomes, touched, laneEvents, answers, sizes, packed] =
      array(raw);
    const changes = events.unpack(laneEvents);
    return {
      batchId: bytes.unpack(batchId),
      lane: number.unpack(lane),
      sequence: number.unpack(sequence),
      timestampMs: number.unpack(timestampMs),
      outcomes: unpackOutcomes(outcomes),
      allLiveValues: unpackListedOr(packed, touched),
      // Hosts of older releases send all events instead of the sizes of wins.
      events: changes.filter(isReadModelEvent),
      wins: sizes === undefined ? winSizesOf(changes) : wins.unpack(sizes),
      late: late.unpack(answers),
    };
  });
}

/** The bytes of a tick on the bus. */
export function encodeLaneTick(tick: LaneTick): Uint8Array {
  return frameLive([tick.lane, tick.appliedSequence, tick.storedOutcome, [], tick.liveValues]);
}

/** Reads a tick. @throws LogError `corrupt`, `unsupported` */
export function decodeLaneTick(frame: Uint8Array): ReceivedTick {
  return decodeWith('tick', unframeLive(frame), (raw) => {
    const [lane, appliedSequence, storedOutcome, listed, packed] = array(raw);
    return {
      lane: number.unpack(lane),
      appliedSequence: number.unpack(appliedSequence),
      storedOutcome: number.unpack(storedOutcome),
      allLiveValues: unpackListedOr(packed, listed),
    };
  });
}

/** Packed live values, or the list of them that hosts of older releases send. */
function unpackListedOr(packed: unknown, listed: unknown): readonly LiveValuesNews[] {
  return unpackLiveValues(
    packed === undefined ? packLiveValues(allLiveValues.unpack(listed)) : view.unpack(packed),
  );
}

/** The bytes of a heartbeat on the bus. */
export function encodeHeartbeat(value: Heartbeat): Uint8Array {
  return frameLive(heartbeat.pack(value));
}

/** Reads a heartbeat. @throws LogError `corrupt`, `unsupported` */
export function decodeHeartbeat(frame: Uint8Array): Heartbeat {
  return decodeWith('heartbeat', unframeLive(frame), heartbeat.unpack);
}

/** The bytes of a configuration in `packed_instances`. */
export function encodeConfiguration(configuration: unknown): Uint8Array {
  return frameLive(configuration);
}

/** Reads a configuration of `packed_instances`. @throws LogError `corrupt`, `unsupported` */
export function decodeConfiguration(frame: Uint8Array): unknown {
  return unframeLive(frame);
}

/** The bytes of a query on the bus. */
export function encodeLaneQueryRequest(request: LaneQueryRequest): Uint8Array {
  return frameLive(queryRequest.pack(request));
}

/** Reads a query. @throws LogError `corrupt`, `unsupported` */
export function decodeLaneQueryRequest(frame: Uint8Array): LaneQueryRequest {
  return decodeWith('query', unframeLive(frame), queryRequest.unpack);
}

/** The bytes of the answer to a query on the bus. */
export function encodeLaneQueryAnswer(answer: LaneQueryAnswer): Uint8Array {
  return frameLive(queryAnswer.pack(answer));
}

/** Reads the answer to a query. @throws LogError `corrupt`, `unsupported` */
export function decodeLaneQueryAnswer(frame: Uint8Array): LaneQueryAnswer {
  return decodeWith('answer', unframeLive(frame), queryAnswer.unpack);
}
