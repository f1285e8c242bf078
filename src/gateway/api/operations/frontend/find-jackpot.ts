import * as z from 'zod';
import { isCountry } from '../../../../contracts/fields/countries.ts';
import { brandField, foreignIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { isForeignId } from '../../../../contracts/fields/identifiers.ts';
import { frontendJackpotShape } from '../../../../contracts/jackpots/jackpot-shapes.ts';
import { PublicError } from '../../../base/errors.ts';
import { requireJackpot } from '../../lookups/require-jackpot.ts';
import { frontendJackpotText } from '../../lookups/texts.ts';
import { defineOperation } from '../../operation/operation.ts';
import { callersBrand } from '../../players/callers-brand.ts';
import { frontendOf, requireSamePlayer, tokenPlayer } from '../../players/token-player.ts';

const maxSegments = 256;

/**
 * O13: the jackpot that a source leads to, as a player sees it. Without a country it does not filter by country. It adds
 * `optin_status` for a player whose token is shown, and for one whom a service or an administrator of the brand names. With a
 * token, the wallet's country and segments replace the query's.
 */
export const findJackpotOperation = defineOperation({
  id: 'O13',
  name: 'Jackpot for a source (frontend)',
  method: 'GET',
  path: '/v1/jackpot/instances/source/{source_id}/brand/{brand_id}',
  surface: 'frontend',
  authentication: { kind: 'anyone' },
  input: {
    params: z.strictObject({ source_id: foreignIdField, brand_id: brandField }),
    query: z.strictObject({
      player_id: foreignIdField.optional(),
      country_code: z.string().max(64).optional(),
      segments: z.string().max(16_384).optional(),
      game_code: foreignIdField.optional(),
    }),
  },
  output: frontendJackpotShape,
  refusals: [401, 403, 404, 422],
  headers: ['X-Player-Token'],
  limits: { lookup: true },
  async handle(request, context) {
    const { principal, params, query } = request;
    const { directory } = context;
    const segments = (query.segments ?? '').split(',').filter((segment) => segment !== '');
    if (segments.length > maxSegments) throw new PublicError('invalid_parameter');
    if (!segments.every(isForeignId)) throw new PublicError('invalid_identifier');
    const brand = callersBrand(directory, principal, params.brand_id);
    const frontend = frontendOf(request);
    const player =
      frontend.token === null
        ? null
        : await tokenPlayer(context, frontend, brand, { source: params.source_id });
    if (player !== null) requireSamePlayer(player, query.player_id);
    const named = principal.kind === 'anonymous' ? undefined : query.player_id;
    const identified = player?.player ?? named;
    if (!directory.hasSource(brand, params.source_id)) throw new PublicError('source_not_found');
    const country = player?.country ?? query.country_code ?? null;
    if (country !== null && !isCountry(country)) throw new PublicError('country_invalid');
    const lookup = {
      brand,
      source: params.source_id,
      segments: player?.segments ?? segments,
      country,
      gameCode: query.game_code,
    };
    const known = requireJackpot(context, lookup);
    const status = identified === undefined ? null : await context.optIns.of(known, brand, identified);
    return { status: 200, text: frontendJackpotText(known, status) };
  },
});
