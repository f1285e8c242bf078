import * as z from 'zod';
import { providerContribution } from '../../../../contracts/contribution.ts';
import { foreignIdField } from '../../../../contracts/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/identifiers.ts';
import { firstVersionRequest } from '../../../contribution/request.ts';
import { keyOfHeader } from '../../../idempotency-key.ts';
import { defineOperation } from '../../../operation.ts';
import { requireInstance, requireSameId } from '../shared/owner-access.ts';
import { playersBrand } from '../shared/players-brand.ts';
import { contributeByHand, contributionByHandResult } from './contribute-by-hand.ts';

/**
 * A37: as A35, for a game of a provider: the wallet's transactions name this provider, and the game code as their source. Takes
 * `Idempotency-Key`.
 */
export const contributeForProvider = defineOperation({
  id: 'A37',
  name: 'Contribute for a game provider',
  method: 'POST',
  path: '/config/providers/{provider_id}/contributions',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  input: { params: z.strictObject({ provider_id: foreignIdField }), body: providerContribution },
  output: contributionByHandResult,
  refusals: [404, 409],
  headers: ['Idempotency-Key'],
  limits: { contributionByHand: true },
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, headers } = request;
    const instance = body.instance_id;
    requireSameId(body.provider_id, params.provider_id);
    const key = keyOfHeader(headers);
    const known = requireInstance(context, principal, 'move_money', instance);
    const brand = playersBrand(context, principal, body.brand_id, operatorOf(known.description.owner));
    const contribution = {
      ...firstVersionRequest(body, { type: 'instance', id: instance }, [], key),
      provider: params.provider_id,
      origin: { gameCode: body.game_code, gameCategory: '', sourceType: '' },
    };
    return contributeByHand({ request, contribution, brand, known }, context);
  },
});
