import {
  isOfBrand,
  type PlayerIdentity,
  type TokenCaller,
} from '../../../contracts/payments/player-authentication.ts';
import { PublicError } from '../../base/errors.ts';
import type { GatewayContext } from '../operation/operation.ts';
import type { ContributionRequest } from './request.ts';

/** The facts about a player that the brand's wallet authenticates; they outrank the request. */
export type AuthenticatedIdentity = Pick<PlayerIdentity, 'country' | 'segments' | 'maxBetAtoms'>;

/** The player, if the wallet has authenticated the token lately. @throws PublicError player_mismatch */
export function knownPlayer(
  request: ContributionRequest,
  brand: string,
  { players }: GatewayContext,
): AuthenticatedIdentity | undefined {
  const identity = players.known(questionOf(request, brand));
  return identity === undefined ? undefined : matching(identity, request, brand);
}

/**
 * Asks the wallet (W1), `anew` also where its answer is cached; null: no answer.
 * @throws PublicError player_token_invalid, player_mismatch
 */
export async function askPlayer(
  request: ContributionRequest,
  brand: string,
  { players }: GatewayContext,
  anew?: true,
): Promise<AuthenticatedIdentity | null> {
  const answer = await players.authenticate({ ...questionOf(request, brand), anew });
  if (answer.kind === 'refused') throw new PublicError('player_token_invalid');
  if (answer.kind !== 'authenticated') return null;
  return matching(answer.identity, request, brand);
}

const caller: TokenCaller = { kind: 'service' };

function questionOf(request: ContributionRequest, brand: string) {
  const { token, currency, target, origin } = request;
  const game = origin === null || origin.gameCode === '' ? null : origin.gameCode;
  return { brand, token, currency, caller, source: target.type === 'source' ? target.id : game };
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
