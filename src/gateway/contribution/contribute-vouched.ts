import { PublicError } from '../errors.ts';
import type { GatewayContext, Reply } from '../operation.ts';
import { askPlayer, type VouchedPlayer } from './player.ts';
import { repeatedBefore } from './repeated-before.ts';
import type { ContributionRequest } from './request.ts';

export interface Unvouched {
  readonly request: ContributionRequest;
  readonly operator: string;
  /** Brand path. */
  readonly brand: string;
  readonly lane: number;
  /** Why the request would be refused even if the player were known; null: nothing that the gateway can see. */
  readonly fault: () => PublicError | null;
  readonly publish: (player: VouchedPlayer) => Promise<Reply>;
}

/**
 * A contribution whose player the wallet has not vouched for of late: nothing is published before it does. A key that the
 * lane knows is answered without asking the wallet.
 */
export async function contributeVouched(unvouched: Unvouched, context: GatewayContext): Promise<Reply> {
  const repeated = await repeatedBefore(unvouched, context);
  if (repeated !== null) return repeated;
  const player = await askPlayer(unvouched.request, unvouched.brand, context);
  if (player === null) throw unvouched.fault() ?? new PublicError('wallet_unavailable');
  return unvouched.publish(player);
}
