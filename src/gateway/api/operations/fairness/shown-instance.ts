import type * as z from 'zod';
import { authorize } from '../../../../access/rights/authorize.ts';
import type { Principal } from '../../../../access/rights/principal.ts';
import { brandField } from '../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../../../directory/lane-view.ts';
import { PublicError } from '../../../base/errors.ts';
import type { GatewayContext } from '../../operation/operation.ts';
import { publicBrand } from '../../players/public-brand.ts';
import { type Frontend, tokenPlayer } from '../../players/token-player.ts';

/** The brand that a player's token is of. */
export const playersBrandQuery = { brand_id: brandField.optional() };

interface Asked {
  readonly principal: Principal;
  readonly params: { readonly instance_id: string };
  readonly query: z.output<z.ZodObject<typeof playersBrandQuery>>;
}

/**
 * The instance whose accounts or draws are asked for. Everybody may, unless its operator has decided that they are for its own
 * players, services and administrators. @throws PublicError
 */
export async function shownInstance(
  context: GatewayContext,
  request: Asked,
  frontend: Frontend,
): Promise<KnownInstance> {
  const { directory } = context;
  const known = directory.known(request.params.instance_id);
  const missing = directory.unknownOr('instance_not_found');
  if (known === undefined) throw new PublicError(missing);
  const { owner } = known.description;
  const isPublic = directory.entries.operators.get(operatorOf(owner))?.fairness !== 'signed_in';
  if (!isPublic && !(await isOwn(context, request, frontend, owner))) throw new PublicError(missing);
  return known;
}

async function isOwn(
  context: GatewayContext,
  { principal, query }: Asked,
  frontend: Frontend,
  owner: string,
): Promise<boolean> {
  const operator = operatorOf(owner);
  if (principal.kind === 'service') return authorize(principal, 'read', operator) === 'allowed';
  if (principal.kind === 'administrator') return authorize(principal, 'read', owner) === 'allowed';
  if (frontend.token === null) throw new PublicError('player_token_required');
  const { brand_id: brand } = query;
  if (brand === undefined)
    throw new PublicError('invalid_parameter', 'The field brand_id is missing or not valid.');
  const path = publicBrand(context.directory, brand);
  await tokenPlayer(context, frontend, path);
  return operatorOf(path) === operator;
}
