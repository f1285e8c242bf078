import * as z from 'zod';
import { isCountry } from '../../../../contracts/fields/countries.ts';
import { brandField, foreignIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { isForeignId } from '../../../../contracts/fields/identifiers.ts';
import { operatorJackpotShape } from '../../../../contracts/jackpots/jackpot-shapes.ts';
import { PublicError } from '../../../base/errors.ts';
import { scopedBrand } from '../../contribution/brand-scope.ts';
import { requireJackpot } from '../../lookups/require-jackpot.ts';
import { operatorJackpotText } from '../../lookups/texts.ts';
import { defineOperation } from '../../operation/operation.ts';

const maxSegments = 256;

/**
 * O12: the jackpot that a source leads to for a player and country, with the player's opt-in status. Answered from
 * memory; only the status is asked of the lane. Segments: at most 256, separated by commas. A game code leaves out jackpots of
 * other games.
 */
export const findJackpotForOperatorOperation = defineOperation({
  id: 'O12',
  name: 'Jackpot for a source (operator surface)',
  method: 'GET',
  path: '/v1/operator/jackpot/instances/source/{source_id}/brand/{brand_id}',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: {
    params: z.strictObject({ source_id: foreignIdField, brand_id: brandField }),
    query: z.strictObject({
      player_id: foreignIdField,
      country_code: z.string().max(64),
      segments: z.string().max(16_384).optional(),
      game_code: foreignIdField.optional(),
    }),
  },
  output: operatorJackpotShape,
  refusals: [403, 404, 422],
  limits: { lookup: true },
  async handle({ principal, params, query }, context) {
    const segments = (query.segments ?? '').split(',').filter((segment) => segment !== '');
    if (segments.length > maxSegments) throw new PublicError('invalid_parameter');
    if (!segments.every(isForeignId)) throw new PublicError('invalid_identifier');
    const { directory, optIns } = context;
    const brand = scopedBrand(directory, principal, params.brand_id).path;
    if (!directory.hasSource(brand, params.source_id)) throw new PublicError('source_not_found');
    const country = query.country_code;
    if (!isCountry(country)) throw new PublicError('country_invalid');
    const lookup = { brand, source: params.source_id, segments, country, gameCode: query.game_code };
    const known = requireJackpot(context, lookup);
    const status = await optIns.of(known, brand, query.player_id);
    return { status: 200, text: operatorJackpotText(known, status) };
  },
});
