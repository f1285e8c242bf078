import { concatenate } from '../../lib/bytes.ts';
import {
  decodeCommandBatch,
  decodeLaneQueryAnswer,
  decodeOutcomeRecord,
  encodeLaneQueryRequest,
} from '../../messages/codec/codec.ts';
import type { LoggedBatch } from '../../messages/commands.ts';
import type { OutcomeRecord } from '../../messages/outcomes.ts';
import { type Bus, isUnreadable, type Log } from '../../ports.ts';

export interface RecordedMessage {
  readonly commands: LoggedBatch['commands'];
  readonly record: OutcomeRecord;
}

interface Ports {
  readonly log: Pick<Log, 'readCommand' | 'readOutcome' | 'lastOutcome'>;
  readonly bus: Pick<Bus, 'request'>;
  readonly subjects: { query(lane: number): string };
}

/**
 * A message of the lane's log and its outcomes; null: not known yet. The lane's owner recomputes a lost
 * record, which may take longer than a query.
 * @throws LogError `corrupt` if the command is damaged, others on outages
 */
export async function recordedMessage(
  lane: number,
  sequence: number,
  ports: Ports,
  queryTimeoutMs: number,
): Promise<RecordedMessage | null> {
  const [stored, recorded] = await Promise.all([
    ports.log.readCommand(lane, sequence),
    ports.log.readOutcome(lane, sequence),
  ]);
  if (stored === null) return null;
  const { commands } = decodeCommandBatch(stored.bytes);
  const whole = recorded === null ? null : decoded(recorded.bytes);
  const record = whole ?? (await rebuilt(lane, sequence, ports, queryTimeoutMs));
  return record === null ? null : { commands, record };
}

function decoded(bytes: Uint8Array): OutcomeRecord | null {
  try {
    return decodeOutcomeRecord(bytes);
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

async function rebuilt(
  lane: number,
  sequence: number,
  { log, bus, subjects }: Ports,
  timeoutMs: number,
): Promise<OutcomeRecord | null> {
  // Not stored yet is no loss.
  if ((await log.lastOutcome(lane)) < sequence) return null;
  const parts: Uint8Array[] = [];
  for (let offset = 0; ; ) {
    const query = { kind: 'rebuilt_outcome', sequence, offset } as const;
    const request = encodeLaneQueryRequest({ minSequence: sequence, query });
    const answer = decodeLaneQueryAnswer(await bus.request(subjects.query(lane), request, timeoutMs));
    if (answer.kind !== 'rebuilt_outcome' || answer.part === null || answer.part.length === 0) return null;
    parts.push(answer.part);
    offset += answer.part.length;
    if (offset >= answer.totalBytes) return decoded(concatenate(parts));
  }
}

/** Repeats of a caller who resumes come in the order of the first ones, message by message. */
const maxMessages = 16;

/** Messages of the log that were read back a moment ago: hundreds of repeats of one message read it once. */
export class RecordedMessages {
  /** Oldest first. */
  readonly #known = new Map<string, Promise<RecordedMessage | null>>();

  /** `read` gives null where the outcome is not recorded yet: that, and failures, are not kept. */
  get(
    lane: number,
    sequence: number,
    read: () => Promise<RecordedMessage | null>,
  ): Promise<RecordedMessage | null> {
    const key = `${lane}:${sequence}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const reading = read();
    this.#known.set(key, reading);
    if (this.#known.size > maxMessages) this.#known.delete(this.#known.keys().next().value as string);
    const forget = (): void => {
      if (this.#known.get(key) === reading) this.#known.delete(key);
    };
    reading.then((found) => {
      if (found === null) forget();
    }, forget);
    return reading;
  }
}
