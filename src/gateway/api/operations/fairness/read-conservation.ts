import * as z from 'zod';
import { ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { toHex } from '../../../../lib/bytes.ts';
import { PublicError } from '../../../base/errors.ts';
import { defineOperation } from '../../operation/operation.ts';
import { frontendOf } from '../../players/token-player.ts';
import { playersBrandQuery, shownInstance } from './shown-instance.ts';

/**
 * Every account of an instance and their sum, which is always 0: what players and the operator put in equals what
 * pots, house and winners hold. Amounts in the instance's currency, all of one moment.
 */
export const readConservationOperation = defineOperation({
  id: 'fairness.conservation',
  name: 'Accounts of an instance and their sum',
  method: 'GET',
  path: '/v1/fairness/instances/{instance_id}/conservation',
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
