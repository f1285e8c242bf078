import {
  decodeLaneQueryAnswer,
  encodeCommandBatch,
  encodeLaneQueryRequest,
} from '../../messages/codec/codec.ts';
import type { Command } from '../../messages/commands.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../messages/queries.ts';
import { type Bus, type Log, LogError, type Random } from '../../ports.ts';
import { querySubject } from '../base/names.ts';

/** How long the owner of a lane may take to answer. */
const queryTimeoutMs = 2_000;

export interface LaneQuestion<K extends LaneQueryAnswer['kind']> {
  /** The answer comes from a state that has this message. */
  readonly minSequence: number;
  readonly query: LaneQuery;
  /** The kind of the answer. */
  readonly kind: K;
}

/** Asks the owner of a lane. @throws LogError while there is none */
export async function askLane<K extends LaneQueryAnswer['kind']>(
  bus: Pick<Bus, 'request'>,
  lane: number,
  { minSequence, query, kind }: LaneQuestion<K>,
): Promise<Extract<LaneQueryAnswer, { kind: K }>> {
  const request = encodeLaneQueryRequest({ minSequence, query });
  const answer = decodeLaneQueryAnswer(await bus.request(querySubject(lane), request, queryTimeoutMs));
  if (answer.kind === kind) return answer as Extract<LaneQueryAnswer, { kind: K }>;
  throw new LogError('unavailable', `Lane ${lane} does not answer ${query.kind} yet.`);
}

/** A message of the settlement channel, to be appended under the same id until it is stored. */
export function settlementMessage(
  random: Random,
  commands: readonly Command[],
): { readonly bytes: Uint8Array; readonly messageId: string } {
  const batchId = random.bytes(16);
  return {
    bytes: encodeCommandBatch({ batchId, gateway: '', commands }),
    messageId: Buffer.from(batchId).toString('hex'),
  };
}

/** The sequence of the message in the lane. @throws LogError */
export async function appendSettlement(
  log: Pick<Log, 'append'>,
  lane: number,
  { bytes, messageId }: ReturnType<typeof settlementMessage>,
  traces?: string,
): Promise<number> {
  const appended = await log.append(lane, 'settlement', bytes, { messageId, traces });
  if (appended.kind !== 'stored') throw new LogError('unavailable', 'The settlement channel has no fence.');
  return appended.sequence;
}
