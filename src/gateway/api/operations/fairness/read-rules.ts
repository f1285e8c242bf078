import * as z from 'zod';
import { ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { rulesShape } from '../../../../contracts/jackpots/fairness-shapes.ts';
import { rulesView } from '../../../../contracts/jackpots/fairness-view.ts';
import { PublicError } from '../../../base/errors.ts';
import { requireServed } from '../../lookups/require-jackpot.ts';
import { defineOperation } from '../../operation/operation.ts';

/** An instance's rules as configured, from memory; amounts in its currency. docs/rules/http.md "Fairness" */
export const readRulesOperation = defineOperation({
  id: 'fairness.rules',
  name: 'Rules of an instance',
  method: 'GET',
  path: '/v1/fairness/instances/{instance_id}',
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
