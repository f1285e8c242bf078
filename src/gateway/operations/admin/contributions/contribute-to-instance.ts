import * as z from 'zod';
import { instanceContribution } from '../../../../contracts/contribution.ts';
import { ownIdField } from '../../../../contracts/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/identifiers.ts';
import { firstVersionRequest } from '../../../contribution/request.ts';
import { defineOperation } from '../../../operation.ts';
import { administratorsKey } from '../pots/idempotency.ts';
import { requireInstance, requireSameId } from '../shared/owner-access.ts';
import { playersBrand } from '../shared/players-brand.ts';
import { contributeByHand, contributionByHandResult, keyByHand } from './contribute-by-hand.ts';

/** A35: as O8, on a player's behalf. Takes `Idempotency-Key`, or a key in the body. */
export const contributeToInstanceByHand = defineOperation({
  id: 'A35',
  name: 'Contribute to an instance',
  method: 'POST',
  path: '/config/instances/{instance_id}/contributions',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  input: { params: z.strictObject({ instance_id: ownIdField }), body: instanceContribution },
  output: contributionByHandResult,
  refusals: [404, 409],
  headers: ['Idempotency-Key'],
  limits: { contributionByHand: true },
  async handle({ principal, params, body, headers }, context) {
    const instance = params.instance_id;
    requireSameId(body.instance_id, instance);
    const key = keyByHand(administratorsKey(headers), body.idempotency_key);
    const known = requireInstance(context, principal, 'move_money', instance);
    const brand = playersBrand(context, principal, body.brand_id, operatorOf(known.description.owner));
    const target = { type: 'instance', id: instance } as const;
    const request = firstVersionRequest(body, target, []);
    return contributeByHand({ ...request, idempotencyKey: key }, brand, known, context);
  },
});
