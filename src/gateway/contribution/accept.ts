import type { Contribute } from '../../messages/player-commands.ts';
import { PublicError } from '../errors.ts';
import type { LaneAnswer, LogPosition } from '../lane-client.ts';
import type { GatewayContext, Reply } from '../operation.ts';
import { repeatedReply } from './repeated.ts';
import { acceptedHeaders } from './reply.ts';

/**
 * How long a stored contribution without an idempotency key waits for the lane's word; one with a key waits as long as any
 * contribution, because only the lane knows whether it is a repeat.
 */
const keylessGraceMs = 500;

/**
 * An asynchronous contribution (docs/rules/callbacks.md "Accepted contributions"): 200 without a body once it is
 * stored; the callback has the outcome. Repeats get 204 with the same headers.
 */
export async function acceptContribution(
  context: Pick<GatewayContext, 'lanes' | 'directory' | 'clock'>,
  lane: number,
  command: Contribute,
): Promise<Reply> {
  const { lanes, clock } = context;
  let position: LogPosition | null = null;
  let onGraceOver: () => void = () => {};
  const graceOver = new Promise<null>((resolve) => {
    onGraceOver = () => resolve(null);
  });
  let cancel: () => void = () => {};
  const answered = lanes.send(lane, command, (stored) => {
    position = stored;
    if (command.idempotencyKey === null) cancel = clock.after(keylessGraceMs, onGraceOver);
  });
  try {
    const answer = await Promise.race([
      answered.catch((error) => storedAnyway(error, command, () => position)),
      graceOver,
    ]);
    if (answer !== null) return await replyOf(context, answer, command);
  } finally {
    cancel();
  }
  const { sequence } = position as unknown as LogPosition;
  return accepted(command, await lanes.timeOf(lane, sequence));
}

/**
 * A stored contribution needs no answer. But one with a key may be a repeat, whose headers are those of the first: it
 * gets `outcome_unknown`, and the headers at its next repeat.
 */
function storedAnyway(error: unknown, command: Contribute, position: () => LogPosition | null): null {
  const isUnknown = error instanceof PublicError && error.code === 'outcome_unknown';
  if (isUnknown && command.idempotencyKey === null && position() !== null) return null;
  throw error;
}

function replyOf(
  context: Pick<GatewayContext, 'lanes' | 'directory'>,
  { outcome, lane, timestampMs }: LaneAnswer,
  command: Contribute,
): Reply | Promise<Reply> {
  if (outcome.kind === 'Duplicate')
    return repeatedReply(context, lane, outcome.sequence, outcome.index, command);
  return accepted(command, timestampMs);
}

function accepted(command: Contribute, timestampMs: number): Reply {
  return { status: 200, headers: acceptedHeaders(command, timestampMs) };
}
