import * as z from 'zod';
import type { AdministratorPrincipal } from '../../../../access/principal.ts';
import { ownIdField } from '../../../../contracts/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/identifiers.ts';
import {
  type OptInBody,
  optInBody,
  optInStatusShape,
  optInStatusView,
} from '../../../../contracts/opt-in.ts';
import { PublicError } from '../../../errors.ts';
import { defineOperation, type GatewayContext } from '../../../operation.ts';
import { optInPlayer, optInRequest, stateRefusal } from '../../../players/opt-in.ts';
import { requireAllowed, requireInstance, requireSameId } from '../shared/owner-access.ts';

const input = { params: z.strictObject({ instance_id: ownIdField }), body: optInBody };
const authentication = { kind: 'administrator', action: 'opt_in' } as const;

/** A24: opts a player in or out, as O14. */
export const optPlayerIn = defineOperation({
  id: 'A24',
  name: 'Opt a player in or out',
  method: 'POST',
  path: '/config/instances/{instance_id}/opt-in',
  surface: 'admin',
  authentication,
  input,
  output: 'empty',
  refusals: [404],
  async handle({ principal, params, body }, context) {
    await optIn(context, principal, params.instance_id, body);
    return { status: 204 };
  },
});

/** A34: as A24; answers with the player's record afterwards, in the currency of the request. */
export const optPlayerInForRecords = defineOperation({
  id: 'A34',
  name: 'Opt a player in or out, returning records',
  method: 'POST',
  path: '/config/instances/{instance_id}/opt-in/records',
  surface: 'admin',
  authentication,
  input,
  output: z.array(optInStatusShape),
  refusals: [404],
  async handle({ principal, params, body }, context) {
    const instance = params.instance_id;
    const { lane, brand } = await optIn(context, principal, instance, body);
    const query = { kind: 'opt_in_status', instance, brand, player: body.player_id } as const;
    const answer = await context.lanes.query(lane, query);
    if (answer.kind !== 'opt_in_status') throw new PublicError('outcome_unknown');
    const record = optInStatusView(answer.status, body.contribution_currency);
    // Kept by currency, the player may still be in with another one: the answer is about this request's.
    return { status: 200, body: [{ ...record, opted_in: body.opt_in, opted_out: !body.opt_in }] };
  },
});

async function optIn(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  instance: string,
  body: OptInBody,
): Promise<{ readonly lane: number; readonly brand: string }> {
  requireSameId(body.instance_id, instance);
  const known = requireInstance(context, principal, 'opt_in', instance);
  const operator = operatorOf(known.description.owner);
  const brand = context.directory.entries.brandPath(body.brand_id, operator);
  if (brand === null) throw new PublicError('brand_not_found');
  requireAllowed(principal, 'opt_in', brand, 'brand_not_found');
  // Both are there for the caller: it is the instance that does not take the other operator's brand.
  if (!context.directory.visibleTo({ kind: 'operator', operator: operatorOf(brand) }, known))
    throw new PublicError(stateRefusal(known, brand, body.player_country) ?? 'brand_not_allowed');
  await optInPlayer(optInRequest(body, instance, brand), principal.subject, context);
  return { lane: known.lane, brand };
}
