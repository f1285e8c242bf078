import {
  isOfBrand,
  type PlayerIdentity,
  type TokenAsker,
} from '../../../contracts/payments/player-authentication.ts';
import { PublicError } from '../../base/errors.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { repeatedBefore, type WantedAnswer } from './repeated.ts';
import type { ContributionRequest } from './request.ts';

/** The facts about a player that the brand's wallet authenticates; they outrank the request. */
export type AuthenticatedIdentity = Pick<PlayerIdentity, 'country' | 'segments' | 'maxBetAtoms'>;

type Asking = Pick<GatewayContext, 'players'>;

/**
 * The player of a contribution, where the wallet has authenticated the token lately; undefined: it has to be asked.
 * @throws PublicError player_mismatch
 */
export function knownPlayer(
  request: ContributionRequest,
  brand: string,
  { players }: Asking,
): AuthenticatedIdentity | undefined {
  const identity = players.known(questionOf(request, brand));
  return identity === undefined ? undefined : matching(identity, request, brand);
}

/**
 * Asks the wallet (W1). `anew`: whatever is remembered of the token.
 * @returns null: nobody knows.
 * @throws PublicError player_token_invalid, player_mismatch
 */
export async function askPlayer(
  request: ContributionRequest,
  brand: string,
  { players }: Asking,
  anew?: true,
): Promise<AuthenticatedIdentity | null> {
  const answer = await players.authenticate({ ...questionOf(request, brand), anew });
  if (answer.kind === 'refused') throw new PublicError('player_token_invalid');
  if (answer.kind !== 'authenticated') return null;
  return matching(answer.identity, request, brand);
}

const asker: TokenAsker = { kind: 'service' };

function questionOf(request: ContributionRequest, brand: string) {
  const { token, currency, target, origin } = request;
  const game = origin === null || origin.gameCode === '' ? null : origin.gameCode;
  return { brand, token, currency, asker, source: target.type === 'source' ? target.id : game };
}

function matching(
  identity: PlayerIdentity,
  request: ContributionRequest,
  brand: string,
): AuthenticatedIdentity {
  const same =
    identity.player === request.player &&
    isOfBrand(identity, brand) &&
    identity.currency === request.currency;
  if (!same) throw new PublicError('player_mismatch');
  return identity;
}

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
