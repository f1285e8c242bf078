import * as z from 'zod';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { optInBody, optInStatusShape, optInStatusView } from '../../../../../contracts/jackpots/opt-in.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { Reply } from '../../../../base/reply.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { type ChangeRequest, defineChange, type GatewayContext } from '../../../operation/operation.ts';
import { optInPlayer, optInRequest, stateRefusal } from '../../../players/opt-in.ts';
import { requireAllowed, requireInstance, requireSameId } from '../shared/owner-access.ts';

const input = { params: z.strictObject({ instance_id: ownIdField }), body: optInBody };

/** A24: opts a player in or out, as O14. An opt-in needs approval: the player pays from then on. */
export const optPlayerInOperation = defineChange('opt_in', {
  id: 'A24',
  name: 'Opt a player in or out',
  route: 'POST /config/instances/{instance_id}/opt-in',
  input,
  refusals: [404],
  fourEyes: true,
  isHarmless: ({ body }) => !body.opt_in,
  async handle(request, context) {
    const opted = await optIn(context, request);
    return 'status' in opted ? opted : { status: 204 };
  },
});

/** A34: as A24; answers with the player's record afterwards, in the currency of the request. */
export const optPlayerInForRecordsOperation = defineChange('opt_in', {
  id: 'A34',
  name: 'Opt a player in or out, returning records',
  route: 'POST /config/instances/{instance_id}/opt-in/records',
  input,
  output: z.array(optInStatusShape),
  refusals: [404],
  fourEyes: true,
  isHarmless: ({ body }) => !body.opt_in,
  async handle(request, context) {
    const { params, body } = request;
    const instance = params.instance_id;
    const opted = await optIn(context, request);
    if ('status' in opted) return opted;
    const { lane, brand } = opted;
    const query = { kind: 'opt_in_status', instance, brand, player: body.player_id } as const;
    const answer = await context.lanes.query(lane, query);
    if (answer.kind !== 'opt_in_status') throw new PublicError('outcome_unknown');
    const record = optInStatusView(answer.status, body.contribution_currency);
    // Kept by currency, the player may still be in with another one: the answer is about this request's.
    return { status: 200, body: [{ ...record, opted_in: body.opt_in, opted_out: !body.opt_in }] };
  },
});

/** The proposal, or where the player's record is. */
async function optIn(
  context: GatewayContext,
  request: ChangeRequest<typeof input.params, typeof input.body>,
): Promise<Reply | { readonly lane: number; readonly brand: string }> {
  const { principal, params, body } = request;
  const instance = params.instance_id;
  requireSameId(body.instance_id, instance);
  const known = requireInstance(context, principal, 'opt_in', instance);
  const { owner } = known.description;
  const brand = context.directory.entries.brandPath(body.brand_id, operatorOf(owner));
  if (brand === null) throw new PublicError('brand_not_found');
  requireAllowed(principal, 'opt_in', brand, 'brand_not_found');
  // Both are there for the caller: it is the instance that does not take the other operator's brand.
  if (!context.directory.visibleTo({ kind: 'operator', operator: operatorOf(brand) }, known))
    throw new PublicError(stateRefusal(known, brand, body.player_country) ?? 'brand_not_allowed');
  const isNeeded = () => body.opt_in;
  const proposed = await proposedChange(context, request, [owner, brand], { isNeeded });
  if (proposed !== null) return proposed;
  await optInPlayer(optInRequest(body, instance, brand), principal.subject, context);
  return { lane: known.lane, brand };
}
