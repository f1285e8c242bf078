import * as z from 'zod';
import {
  instanceContribution,
  providerContribution,
  sourceContribution,
} from '../../../../../contracts/contributions/contribution.ts';
import { foreignIdField, ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { keyOfHeader } from '../../../../base/idempotency-key.ts';
import { firstVersionRequest } from '../../../contribution/request.ts';
import { defineChange } from '../../../operation/operation.ts';
import { requireInstance, requirePlayersBrand, requireSameId } from '../shared/owner-access.ts';
import { contributeOnBehalf, contributionOnBehalfResult } from './contribute-on-behalf.ts';

/** A35: as O8, on a player's behalf. Takes `Idempotency-Key`, or a key in the body. */
export const contributeToInstanceOnBehalfOperation = defineChange('move_money', {
  id: 'A35',
  name: 'Contribute to an instance',
  route: 'POST /config/instances/{instance_id}/contributions',
  input: { params: z.strictObject({ instance_id: ownIdField }), body: instanceContribution },
  output: contributionOnBehalfResult,
  refusals: [404, 409],
  headers: ['Idempotency-Key'],
  limits: { contributionOnBehalf: true },
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, headers } = request;
    const instance = params.instance_id;
    requireSameId(body.instance_id, instance);
    const contribution = firstVersionRequest(
      body,
      { type: 'instance', id: instance },
      [],
      keyOfHeader(headers),
    );
    const known = requireInstance(context, principal, 'move_money', instance);
    const brand = requirePlayersBrand(context, principal, body.brand_id, operatorOf(known.description.owner));
    return contributeOnBehalf({ request, contribution, brand, known }, context);
  },
});

/** A36: as O9, on a player's behalf; `brand_id` is the brand's path. */
export const contributeBySourceOnBehalfOperation = defineChange('move_money', {
  id: 'A36',
  name: 'Contribute by source',
  route: 'POST /config/sources/{source_id}/contributions',
  input: { params: z.strictObject({ source_id: foreignIdField }), body: sourceContribution },
  output: contributionOnBehalfResult,
  refusals: [404, 409],
  headers: ['Idempotency-Key'],
  limits: { contributionOnBehalf: true },
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, headers } = request;
    requireSameId(body.source_id, params.source_id);
    const target = { type: 'source', id: params.source_id } as const;
    const contribution = firstVersionRequest(body, target, body.segments ?? [], keyOfHeader(headers));
    const brand = requirePlayersBrand(context, principal, body.brand_id, null);
    return contributeOnBehalf({ request, contribution, brand, known: null }, context);
  },
});

/** A37: as A35, for a game of a provider, which the wallet's transactions name with the game code. */
export const contributeForProviderOperation = defineChange('move_money', {
  id: 'A37',
  name: 'Contribute for a game provider',
  route: 'POST /config/providers/{provider_id}/contributions',
  input: { params: z.strictObject({ provider_id: foreignIdField }), body: providerContribution },
  output: contributionOnBehalfResult,
  refusals: [404, 409],
  headers: ['Idempotency-Key'],
  limits: { contributionOnBehalf: true },
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
