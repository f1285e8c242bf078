import * as z from 'zod';
import { providerContribution } from '../../../../../contracts/contributions/contribution.ts';
import { foreignIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { keyOfHeader } from '../../../../base/idempotency-key.ts';
import { firstVersionRequest } from '../../../contribution/request.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireInstance, requireSameId } from '../shared/owner-access.ts';
import { requirePlayersBrand } from '../shared/players-brand.ts';
import { contributeOnBehalf, contributionOnBehalfResult } from './contribute-by-hand.ts';

/**
 * A37: as A35, for a game of a provider: the wallet's transactions name this provider, and the game code as their source. Takes
 * `Idempotency-Key`.
 */
export const contributeForProviderOperation = defineOperation({
  id: 'A37',
  name: 'Contribute for a game provider',
  method: 'POST',
  path: '/config/providers/{provider_id}/contributions',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  input: { params: z.strictObject({ provider_id: foreignIdField }), body: providerContribution },
  output: contributionOnBehalfResult,
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
    const brand = requirePlayersBrand(context, principal, body.brand_id, operatorOf(known.description.owner));
    const contribution = {
      ...firstVersionRequest(body, { type: 'instance', id: instance }, [], key),
      provider: params.provider_id,
      origin: { gameCode: body.game_code, gameCategory: '', sourceType: '' },
    };
    return contributeOnBehalf({ request, contribution, brand, known }, context);
  },
});
