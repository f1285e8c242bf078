import { authorize } from '../../access/authorize.ts';
import type { AdministratorPrincipal } from '../../access/principal.ts';
import type { ReplayView } from '../../contracts/delivery.ts';
import type { DeliveryAnswer, DeliveryQuestion, ReplayRow } from '../../contracts/delivery-questions.ts';
import { PublicError } from '../errors.ts';
import type { GatewayContext } from '../operation.ts';
import { allLanes } from './find.ts';

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

/** Begins a replay in every lane that does not have it yet. null: all had it. @throws PublicError overloaded, idempotency_key_reused */
export async function beginReplay(
  context: Pick<GatewayContext, 'lanes' | 'deliveries'>,
  range: Omit<Extract<DeliveryQuestion, { kind: 'replay_range' }>, 'kind'>,
): Promise<ReplayView | null> {
  const answers = await ofAllLanes(context, { kind: 'replay_range', ...range });
  const parts = answers.flatMap(({ replays }) => replays);
  if (parts.some(({ fromMs, toMs }) => fromMs !== range.fromMs || toMs !== range.toMs))
    throw new PublicError('idempotency_key_reused');
  return answers.every(({ isRepeat }) => isRepeat) ? null : viewOf(parts);
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
