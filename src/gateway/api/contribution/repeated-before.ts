import { lookUpIdempotencyKey } from '../../lanes/idempotency-lookup.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { idempotencyHash } from './idempotency.ts';
import { readMoney } from './money.ts';
import { repeatedAnswer, type WantedAnswer } from './repeated.ts';
import type { ContributionRequest } from './request.ts';

interface AskedBefore {
  readonly request: ContributionRequest;
  readonly operator: string;
  /** Brand path. */
  readonly brand: string;
  readonly lane: number;
}

/** The answer to a request whose key the lane knows; null: it is no repeat. Nothing is published for it. */
export async function repeatedBefore<Answer>(
  { request, operator, brand, lane }: AskedBefore,
  context: GatewayContext,
  wanted: WantedAnswer<Answer>,
): Promise<Answer | null> {
  if (request.idempotencyKey === null) return null;
  const money = readMoney(request);
  // The first one was accepted, so this is not its repeat.
  if (!money.ok) return null;
  const key = idempotencyHash(operator, request.idempotencyKey);
  const position = await lookUpIdempotencyKey(context, lane, key, brand);
  if (position === null) return null;
  const repeat = {
    target: request.target,
    brand,
    player: request.player,
    baseWagerAtoms: money.baseWagerAtoms,
    currency: request.currency,
    gameround: request.gameround ?? '',
    idempotencyKey: key,
  };
  return repeatedAnswer(context, { lane, ...position }, repeat, wanted);
}
