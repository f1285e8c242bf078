import * as z from 'zod';
import { isCountry } from '../../../../../contracts/fields/countries.ts';
import { brandField, foreignIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { isBrandPath, isForeignId } from '../../../../../contracts/fields/identifiers.ts';
import { operatorJackpot } from '../../../../../contracts/jackpots/instance-view.ts';
import { operatorJackpotShape } from '../../../../../contracts/jackpots/jackpot-shapes.ts';
import { optInStatusView } from '../../../../../contracts/jackpots/opt-in.ts';
import { PublicError } from '../../../../base/errors.ts';
import { requireJackpot } from '../../../lookups/require-jackpot.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { describeInstance } from '../shared/lane-answers.ts';
import { requireOwner } from '../shared/owner-access.ts';

const maxSegments = 256;
const segmentsText = z.string().max(16_384);

/**
 * A27: as O12, where player and country are optional and values come from the lane. Segments: separated by commas, or an array as
 * the input repeated.
 */
export const findJackpotForAdministratorOperation = defineOperation({
  id: 'A27',
  name: 'Jackpot for a source',
  method: 'GET',
  path: '/config/jackpot/source/{source_id}/brand/{brand_id}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: {
    params: z.strictObject({ source_id: foreignIdField, brand_id: brandField }),
    query: z.strictObject({
      player_id: foreignIdField.optional(),
      country_code: z.string().max(64).optional(),
      segments: z.union([segmentsText, z.array(segmentsText).max(maxSegments)]).optional(),
    }),
  },
  output: operatorJackpotShape,
  refusals: [404, 422],
  async handle({ principal, params, query }, context) {
    const segments = [query.segments ?? []]
      .flat()
      .flatMap((text) => text.split(','))
      .filter((segment) => segment !== '');
    if (segments.length > maxSegments) throw new PublicError('invalid_parameter');
    if (!segments.every(isForeignId)) throw new PublicError('invalid_identifier');
    const { directory, lanes } = context;
    const brand = params.brand_id;
    if (!isBrandPath(brand)) throw new PublicError('brand_not_found');
    requireOwner(context, principal, 'read', brand);
    if (!directory.hasSource(brand, params.source_id)) throw new PublicError('source_not_found');
    const country = query.country_code ?? null;
    if (country !== null && !isCountry(country)) throw new PublicError('country_invalid');
    const lookup = { brand, source: params.source_id, segments, country };
    const known = requireJackpot(context, lookup);
    const { instance } = known.description;
    const description = await describeInstance(context, known.lane, instance);
    const player = query.player_id;
    if (player === undefined) return { status: 200, body: operatorJackpot(description, undefined) };
    const answer = await lanes.query(known.lane, { kind: 'opt_in_status', instance, brand, player });
    if (answer.kind !== 'opt_in_status') throw new PublicError('overloaded');
    return { status: 200, body: operatorJackpot(description, optInStatusView(answer.status)) };
  },
});
