import { switchView } from '../../../../../contracts/jackpots/instance-view.ts';
import type { InstanceDescription } from '../../../../../messages/records.ts';
import { isErrorCode, PublicError } from '../../../../base/errors.ts';
import type { Reply } from '../../../../base/reply.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { describeInstance } from '../shared/lane-answers.ts';

/** So long a caller waits for the end of a switch. */
export const waitAtMostMs = 5_000;
const askEveryMs = 100;

/**
 * The answer to a switch that has begun: 204 when it is done, 202 where it takes longer.
 * @throws PublicError the refusal of its last command; outcome_unknown where the lane could not be asked
 */
export async function endOfSwitch(
  context: GatewayContext,
  lane: number,
  source: string,
  target: string,
): Promise<Reply> {
  const untilMs = context.clock.nowMs() + waitAtMostMs;
  let known: InstanceDescription | null = null;
  for (;;) {
    // The lane may be moving to another host.
    known = await describeInstance(context, lane, source).catch(() => known);
    const isOver = context.clock.nowMs() >= untilMs;
    if (known !== null) {
      const reply = replyOf(known, target, isOver);
      if (reply !== null) return reply;
    } else if (isOver) throw new PublicError('outcome_unknown');
    await new Promise<void>((resolve) => void context.clock.after(askEveryMs, resolve));
  }
}

/** null: it is under way, and the caller waits on. */
function replyOf(source: InstanceDescription, target: string, isOver: boolean): Reply | null {
  if (source.switchedTo === target) return { status: 204 };
  const shown = switchView(source);
  if (shown === null || shown.target !== target)
    throw new PublicError('invalid_transition', 'Another switch has followed.');
  if (shown.state === 'cancelled') throw new PublicError('invalid_transition', 'The switch was cancelled.');
  if (shown.state === 'refused' && shown.code !== null && isErrorCode(shown.code))
    throw new PublicError(shown.code, shown.message ?? undefined);
  if (!isOver) return null;
  const body = { source_instance_id: source.instance, target_instance_id: target, switch: shown };
  return { status: 202, body };
}
