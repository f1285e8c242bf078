import { authorize } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import type { ReplayView } from '../../../../../contracts/payments/delivery.ts';
import {
  type DeliveryAnswer,
  type DeliveryQuestion,
  type ReplayRow,
  replayScope,
  replaysOverlap,
  replaysWaitingOfOperator,
} from '../../../../../contracts/payments/delivery-questions.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { allLanes } from './find.ts';

const formerKeysMs = 24 * 3_600_000;

type ReplayRange = Omit<Extract<DeliveryQuestion, { kind: 'replay_range' }>, 'kind'>;

/** The replays that an administrator may see, each with the parts of all lanes. @throws PublicError overloaded */
export async function replaysOf(
  context: Pick<GatewayContext, 'lanes' | 'deliveries'>,
  principal: AdministratorPrincipal,
): Promise<ReplayView[]> {
  const answers = await ofAllLanes(context, { kind: 'replays' });
  const byId = new Map<string, ReplayRow[]>();
  for (const part of answers.flatMap(({ replays }) => replays)) {
    if (!isVisible(principal, part)) continue;
    byId.set(part.id, [...(byId.get(part.id) ?? []), part]);
  }
  return [...byId.values()].map(viewOf);
}

/**
 * Begins a replay in every lane that does not have it yet. null: all had it. `formerId`: the one that releases before gave its key, which
 * belonged to a user.
 * @throws PublicError overloaded, idempotency_key_reused, already_exists where another one is sending the same callbacks, rate_limited
 */
export async function beginReplay(
  context: Pick<GatewayContext, 'lanes' | 'deliveries' | 'clock'>,
  wanted: ReplayRange,
  formerId: string | null,
): Promise<ReplayView | null> {
  const present = (await ofAllLanes(context, { kind: 'replays' })).flatMap(({ replays }) => replays);
  const afterMs = context.clock.nowMs() - formerKeysMs;
  const isFormer = present.some((each) => each.id === formerId && each.createdMs > afterMs);
  const range = isFormer ? { ...wanted, id: formerId as string } : wanted;
  requireRoom(present, range);
  const answers = await ofAllLanes(context, { kind: 'replay_range', ...range });
  const parts = answers.flatMap(({ replays }) => replays);
  if (parts.some(({ fromMs, toMs }) => fromMs !== range.fromMs || toMs !== range.toMs))
    throw new PublicError('idempotency_key_reused');
  return answers.every(({ isRepeat }) => isRepeat) ? null : viewOf(parts);
}

/** @throws PublicError already_exists, rate_limited */
function requireRoom(present: readonly ReplayRow[], range: ReplayRange): void {
  const running = present.filter(({ id, isDone }) => !isDone && id !== range.id);
  const overlapping = running.find((each) => replaysOverlap(each, range));
  if (overlapping !== undefined)
    throw new PublicError('already_exists', `Replay ${overlapping.id} is sending callbacks of these times.`);
  const own = running.filter((each) => replayScope(each) === replayScope(range)).map(({ id }) => id);
  if (new Set(own).size >= replaysWaitingOfOperator)
    throw new PublicError('rate_limited', 'Too many replays wait.', { retryAfterSeconds: 60 });
}

function ofAllLanes(
  context: Pick<GatewayContext, 'lanes' | 'deliveries'>,
  question: DeliveryQuestion,
): Promise<Extract<DeliveryAnswer, { kind: 'replays' }>[]> {
  return Promise.all(
    allLanes(context).map(async (lane) => {
      const answer = await context.deliveries(lane, question);
      if (answer.kind !== 'replays') throw new PublicError('overloaded');
      return answer;
    }),
  );
}

function isVisible(principal: AdministratorPrincipal, { owners }: ReplayRow): boolean {
  const ofWhom = owners.length === 0 ? [''] : owners;
  return ofWhom.every((owner) => authorize(principal, 'read', owner) === 'allowed');
}

function viewOf(parts: readonly ReplayRow[]): ReplayView {
  const { id, fromMs, toMs } = parts[0]!;
  return {
    id,
    from: fromMs,
    to: toMs,
    state: parts.every(({ isDone }) => isDone) ? 'done' : 'running',
    created_timestamp: Math.min(...parts.map(({ createdMs }) => createdMs)),
    deliveries: parts.reduce((sum, { deliveries }) => sum + deliveries, 0),
  };
}
