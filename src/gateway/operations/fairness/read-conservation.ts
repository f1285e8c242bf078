import * as z from 'zod';
import { ownIdField } from '../../../contracts/identifier-fields.ts';
import { toHex } from '../../../lib/bytes.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';

/**
 * Every account of an instance and their sum, which is always 0: what players and the operator put in equals what
 * pots, house and winners hold. Amounts in the instance's currency, all of one moment.
 */
export const readConservation = defineOperation({
  id: 'fairness.conservation',
  name: 'Accounts of an instance and their sum',
  method: 'GET',
  path: '/v1/fairness/instances/{instance_id}/conservation',
  surface: 'public',
  authentication: { kind: 'none' },
  input: { params: z.strictObject({ instance_id: ownIdField }) },
  output: z.strictObject({
    instance_id: z.string(),
    currency: z.string(),
    accounts: z.record(z.string(), z.bigint()),
    sum: z.bigint(),
    sequence: z.int(),
    head: z.string(),
  }),
  refusals: [404],
  async handle({ params }, { directory, lanes }) {
    const known = directory.known(params.instance_id);
    if (known === undefined) throw new PublicError(directory.unknownOr('instance_not_found'));
    const answer = await lanes.query(known.lane, { kind: 'accounts', instance: params.instance_id });
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
