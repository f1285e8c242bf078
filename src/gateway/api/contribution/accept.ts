import type { Contribute } from '../../../messages/player-commands.ts';
import { PublicError } from '../../base/errors.ts';
import type { LaneAnswer, LogPosition } from '../../lanes/lane-client.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { repeatedAnswer, type WantedAnswer } from './repeated.ts';

/**
 * How long a stored contribution without an idempotency key waits for the lane's answer; one with a key may
 * be a repeat, which only the lane knows.
 */
const keylessGraceMs = 500;

/**
 * An asynchronous contribution (docs/rules/callbacks.md "Accepted contributions"): 200 without a body once it
 * is stored; the callback has the outcome. Repeats get 204 with the same headers.
 */
export async function acceptContribution<Answer>(
  context: Pick<GatewayContext, 'lanes' | 'directory' | 'clock'>,
  lane: number,
  command: Contribute,
  wanted: WantedAnswer<Answer>,
): Promise<Answer> {
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
    if (answer !== null) return await answerOf(context, answer, command, wanted);
  } finally {
    cancel();
  }
  const { sequence } = position as unknown as LogPosition;
  return wanted.form.accepted(command, await lanes.timeOf(lane, sequence), false);
}

/** A stored contribution needs no answer; one with a key may be a repeat, whose headers are not known yet. */
function storedAnyway(error: unknown, command: Contribute, position: () => LogPosition | null): null {
  const isUnknown = error instanceof PublicError && error.code === 'outcome_unknown';
  if (isUnknown && command.idempotencyKey === null && position() !== null) return null;
  throw error;
}

function answerOf<Answer>(
  context: Pick<GatewayContext, 'lanes' | 'directory'>,
  { outcome, lane, timestampMs }: LaneAnswer,
  command: Contribute,
  wanted: WantedAnswer<Answer>,
): Answer | Promise<Answer> {
  if (outcome.kind === 'Duplicate')
    return repeatedAnswer(
      context,
      { lane, sequence: outcome.sequence, index: outcome.index },
      command,
      wanted,
    );
  return wanted.form.accepted(command, timestampMs, false);
}
