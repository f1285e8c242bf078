import * as z from 'zod';
import { isCountry } from '../../../contracts/contribution.ts';
import { brandField, foreignIdField } from '../../../contracts/identifier-fields.ts';
import { isForeignId } from '../../../contracts/identifiers.ts';
import { operatorJackpot } from '../../../contracts/instance-view.ts';
import { optInStatusView } from '../../../contracts/opt-in.ts';
import { scopedBrand } from '../../contribution/brand-scope.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { describeInstance } from '../admin/lane-answers.ts';

const mostSegments = 256;

/** Document 1, O12. Found in memory; what only the actor knows (full pots, the player's status) it is asked for. */
export const findJackpotForOperator = defineOperation({
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
  output: z.looseObject({ id: z.string(), currency: z.string(), status: z.string() }),
  async handle({ principal, params, query }, context) {
    const segments = (query.segments ?? '').split(',').filter((segment) => segment !== '');
    if (segments.length > mostSegments) throw new PublicError('invalid_parameter');
    if (!segments.every(isForeignId)) throw new PublicError('invalid_identifier');
    const { directory, lanes, clock } = context;
    const brand = scopedBrand(directory, principal, params.brand_id).path;
    if (!directory.hasSource(brand, params.source_id)) throw new PublicError('source_not_found');
    const country = query.country_code;
    if (!isCountry(country)) throw new PublicError('country_invalid');
    const lookup = { brand, source: params.source_id, segments, country };
    const known = directory.jackpotForSource(lookup, clock.nowMs());
    if (known === null) throw new PublicError('jackpot_not_found');
    const { instance } = known.description;
    const [description, answer] = await Promise.all([
      describeInstance(context, known.lane, instance),
      lanes.query(known.lane, { kind: 'opt_in_status', instance, brand, player: query.player_id }),
    ]);
    if (answer.kind !== 'opt_in_status') throw new PublicError('overloaded');
    return { status: 200, body: operatorJackpot(description, optInStatusView(answer.status)) };
  },
});
