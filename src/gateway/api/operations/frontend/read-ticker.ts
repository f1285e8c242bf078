import * as z from 'zod';
import { tickerShape } from '../../../../contracts/feeds/feed-events.ts';
import { ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import type { KnownInstance } from '../../../../directory/lane-view.ts';
import type { ReadModel } from '../../../../directory/read-model.ts';
import { PublicError } from '../../../base/errors.ts';
import { requireServed } from '../../lookups/require-jackpot.ts';
import { instanceTickerText } from '../../lookups/texts.ts';
import { defineOperation } from '../../operation/operation.ts';

/** O20: live pot values of an instance, from memory, as exact decimals. Instances that have ended still answer. */
export const readTickerOperation = defineOperation({
  id: 'O20',
  name: 'Instance ticker',
  method: 'GET',
  path: '/v1/jackpot/instances/{instance_id}/ticker',
  surface: 'frontend',
  authentication: { kind: 'none' },
  input: { params: z.strictObject({ instance_id: ownIdField }) },
  output: tickerShape,
  refusals: [403, 404],
  limits: { lookup: true },
  async handle({ params }, { directory }) {
    const known = directory.known(params.instance_id);
    if (known === undefined) throw new PublicError(directory.unknownOr('instance_not_found'));
    if (isClosed(directory, known)) throw new PublicError('owner_disabled');
    requireServed(directory, known);
    return { status: 200, text: instanceTickerText(known, directory) };
  },
});

/** A disabled owner's jackpot goes on for the enabled brands that it names (docs/rules/http.md "Lookups"). */
function isClosed(directory: ReadModel, known: KnownInstance): boolean {
  const { entries } = directory;
  if (entries.enabled(known.description.owner) !== false) return false;
  return !directory.allowedBrands(known).some((brand) => entries.enabled(brand) === true);
}
