import { PublicError } from '../../base/errors.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { type AuthenticatedIdentity, askPlayer } from './player.ts';
import type { WantedAnswer } from './repeated.ts';
import { repeatedBefore } from './repeated-before.ts';
import type { ContributionRequest } from './request.ts';

interface UnauthenticatedContribution<Answer> {
  readonly request: ContributionRequest;
  readonly operator: string;
  /** Brand path. */
  readonly brand: string;
  readonly lane: number;
  /** Why the request would be refused even if the player were known; null: nothing that the gateway can see. */
  readonly fault: () => PublicError | null;
  readonly publish: (player: AuthenticatedIdentity) => Promise<Answer>;
  readonly wanted: WantedAnswer<Answer>;
}

/**
 * A contribution whose player the wallet has not authenticated lately: nothing is published before it does. A key that the
 * lane knows is answered without asking the wallet.
 */
export async function contributeAuthenticated<Answer>(
  unauthenticated: UnauthenticatedContribution<Answer>,
  context: GatewayContext,
): Promise<Answer> {
  const repeated = await repeatedBefore(unauthenticated, context, unauthenticated.wanted);
  if (repeated !== null) return repeated;
  const player = await askPlayer(unauthenticated.request, unauthenticated.brand, context);
  if (player === null) throw unauthenticated.fault() ?? new PublicError('wallet_unavailable');
  return unauthenticated.publish(player);
}
