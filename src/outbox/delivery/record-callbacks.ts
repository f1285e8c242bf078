import { callbackEventId } from '../../contracts/payments/event-id.ts';
import { readTraces, type TraceParent } from '../../lib/tracing.ts';
import { uuidText } from '../../lib/uuid.ts';
import { decodeOutcomeRecord } from '../../messages/codec/codec.ts';
import type { LoggedBatch } from '../../messages/commands.ts';
import type { Contributed, OutcomeRecord } from '../../messages/outcomes.ts';
import type { Contribute } from '../../messages/player-commands.ts';
import { type Refusal, unknownCommand } from '../../messages/refusals.ts';
import { LogError } from '../../ports.ts';
import type { Delivery, RecordDeliveries } from './delivery.ts';

/** Reads the commands of a message of the lane; null: the log does not have it any more. */
type ReadCommands = (sequence: number) => Promise<LoggedBatch['commands'] | null>;

/** A result with a callback, and the place of its command. */
interface Due {
  readonly sequence: number;
  readonly index: number;
  readonly result: Contributed | Refusal;
}

/**
 * The callbacks that an outcome record brings. @throws LogError `unsupported` if only a newer release can
 * tell
 */
export async function recordCallbacks(
  lane: number,
  record: OutcomeRecord,
  read: ReadCommands,
): Promise<RecordDeliveries> {
  const due = resultsOf(record);
  const messages = new Map<number, LoggedBatch['commands'] | null>();
  const deliveries: Delivery[] = [];
  let lost = 0;
  for (const { sequence, index, result } of due) {
    if (!messages.has(sequence)) messages.set(sequence, await read(sequence));
    const commands = messages.get(sequence) ?? null;
    const command = commands?.[index];
    if (commands === null) lost += sequence === record.sequence ? 0 : 1;
    if (command?.kind === 'Unreadable' && !isUnknownCommand(result))
      throw new LogError('unsupported', `Command ${index} of message ${sequence} is of a newer release.`);
    if (command?.kind !== 'Contribute' || !wantsResult(command, result)) continue;
    deliveries.push(deliveryOf(lane, record, command, result));
  }
  if (messages.get(record.sequence) === null) lost += 1;
  return { deliveries, lost };
}

/** Results that may have a callback: only their commands say it. */
function resultsOf({ sequence, outcomes }: OutcomeRecord): Due[] {
  return outcomes.flatMap((outcome, index): Due[] => {
    if (outcome.kind === 'Refused' || outcome.kind === 'Contributed')
      return [{ sequence, index, result: outcome }];
    if (outcome.kind !== 'Settled') return [];
    return outcome.contributions
      .filter(({ callback }) => callback)
      .map((settled) => ({ sequence: settled.sequence, index: settled.index, result: settled.result }));
  });
}

/** The engine that applied it could not read the command either: it had no callback. */
function isUnknownCommand(result: Contributed | Refusal): boolean {
  return (
    result.kind === 'Refused' &&
    result.code === unknownCommand.code &&
    result.message === unknownCommand.message
  );
}

/** With `win_result_only`, only wins, tickets and errors are worth a callback. */
function wantsResult({ callback }: Contribute, result: Contributed | Refusal): boolean {
  if (callback === null) return false;
  if (!callback.winResultOnly || result.kind === 'Refused') return true;
  return result.results.some(({ win, tickets }) => win !== null || tickets > 0);
}

function deliveryOf(
  lane: number,
  { sequence, timestampMs }: OutcomeRecord,
  command: Contribute,
  result: Contributed | Refusal,
): Delivery {
  const { brand, gameround, currency, metadata, callback } = command;
  return {
    id: callbackEventId(uuidText(command.contributionId)),
    lane,
    sequence,
    owner: brand,
    url: callback?.webHook ?? '',
    createdMs: timestampMs,
    content: { kind: 'ContributionResult', gameround, currency, metadata, result },
  };
}

/** The traces of a record's callbacks, by their event ids, from the header of the record. */
export function callbackTraces(header: string | undefined): (eventId: string) => TraceParent | undefined {
  if (header === undefined) return () => undefined;
  const traces = new Map(
    [...readTraces(header)].map(([contributionId, parent]) => [callbackEventId(contributionId), parent]),
  );
  return (eventId) => traces.get(eventId);
}

/** null: the record is damaged. @throws LogError `unsupported` */
export function undamagedRecord(bytes: Uint8Array): OutcomeRecord | null {
  try {
    return decodeOutcomeRecord(bytes);
  } catch (error) {
    if (!(error instanceof LogError) || error.code === 'unsupported') throw error;
    return null;
  }
}
