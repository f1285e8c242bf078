import * as z from 'zod';
import { authorize } from '../../../../access/rights/authorize.ts';
import type { Principal } from '../../../../access/rights/principal.ts';
import { brandField, ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { rulesShape } from '../../../../contracts/jackpots/fairness-shapes.ts';
import { rulesView } from '../../../../contracts/jackpots/fairness-view.ts';
import type { KnownInstance } from '../../../../directory/lane-view.ts';
import { toHex } from '../../../../lib/bytes.ts';
import { PublicError } from '../../../base/errors.ts';
import { defineOperation, type GatewayContext } from '../../operation/operation.ts';
import { type Frontend, frontendOf, publicBrand, tokenPlayer } from '../../players/players.ts';
import { requireServed } from '../../players/target-instance.ts';

/** The brand that a player's token is of. */
export const playersBrandQuery = { brand_id: brandField.optional() };

/** An instance's rules as configured, from memory; amounts in its currency. docs/rules/http.md "Fairness" */
export const readRulesOperation = defineOperation({
  id: 'fairness.rules',
  name: 'Rules of an instance',
  route: 'GET /v1/fairness/instances/{instance_id}',
  surface: 'public',
  authentication: { kind: 'none' },
  input: { params: z.strictObject({ instance_id: ownIdField }) },
  output: rulesShape,
  refusals: [404],
  async handle({ params }, { directory }) {
    const known = directory.known(params.instance_id);
    if (known === undefined) throw new PublicError(directory.unknownOr('instance_not_found'));
    requireServed(directory, known);
    return { status: 200, body: { ...rulesView(known.description), status: known.status } };
  },
});

/**
 * Every account of an instance and their sum, which is always 0: what players and the operator put in equals
 * what pots, house and winners hold.
 */
export const readConservationOperation = defineOperation({
  id: 'fairness.conservation',
  name: 'Accounts of an instance and their sum',
  route: 'GET /v1/fairness/instances/{instance_id}/conservation',
  surface: 'public',
  authentication: { kind: 'anyone' },
  input: { params: z.strictObject({ instance_id: ownIdField }), query: z.strictObject(playersBrandQuery) },
  output: z.strictObject({
    instance_id: z.string(),
    currency: z.string(),
    accounts: z.record(z.string(), z.bigint()),
    sum: z.bigint(),
    sequence: z.int(),
    head: z.string(),
  }),
  refusals: [401, 403, 404],
  headers: ['X-Player-Token'],
  async handle(request, context) {
    const { params } = request;
    const known = await shownInstance(context, request, frontendOf(request));
    const answer = await context.lanes.query(known.lane, { kind: 'accounts', instance: params.instance_id });
    if (answer.kind !== 'accounts') throw new PublicError('instance_not_found');
    return {
      status: 200,
      body: {
        instance_id: params.instance_id,
        currency: answer.currency,
        accounts: Object.fromEntries(answer.accounts),
        sum: answer.accounts.reduce((sum, [, atoms]) => sum + atoms, 0n),
        sequence: answer.sequence,
        head: toHex(answer.head),
      },
    };
  },
});

interface Asked {
  readonly principal: Principal;
  readonly params: { readonly instance_id: string };
  readonly query: z.output<z.ZodObject<typeof playersBrandQuery>>;
}

/**
 * The instance whose accounts or draws are asked for: public, unless its operator keeps them for its own
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
