import * as z from 'zod';
import { tickerShape } from '../../../contracts/feeds/feed-events.ts';
import { isCountry } from '../../../contracts/fields/countries.ts';
import { brandField, foreignIdField, ownIdField } from '../../../contracts/fields/identifier-fields.ts';
import { isBrandPath, isForeignId } from '../../../contracts/fields/identifiers.ts';
import { operatorJackpot } from '../../../contracts/jackpots/instance-view.ts';
import { frontendJackpotShape, operatorJackpotShape } from '../../../contracts/jackpots/jackpot-shapes.ts';
import { optInStatusView } from '../../../contracts/jackpots/opt-in.ts';
import type { KnownInstance } from '../../../directory/lane-view.ts';
import type { ReadModel } from '../../../directory/read-model.ts';
import { PublicError } from '../../base/errors.ts';
import { scopedBrand } from '../contribution/brand-scope.ts';
import { defineOperation, defineRead } from '../operation/operation.ts';
import { frontendJackpotText, instanceTickerText, operatorJackpotText } from '../players/jackpot-texts.ts';
import { callersBrand, frontendOf, requireSamePlayer, tokenPlayer } from '../players/players.ts';
import { requireJackpot, requireServed } from '../players/target-instance.ts';
import { describeInstance } from './admin/shared/lane-answers.ts';
import { requireOwner } from './admin/shared/owner-access.ts';

const maxSegments = 256;
const segmentsText = z.string().max(16_384);
const countryText = z.string().max(64);
const params = z.strictObject({ source_id: foreignIdField, brand_id: brandField });

/**
 * O12: the jackpot that a source leads to for a player and country, with the player's opt-in status, for
 * which alone the lane is asked. A game code leaves out jackpots of other games.
 */
export const findJackpotForOperatorOperation = defineOperation({
  id: 'O12',
  name: 'Jackpot for a source (operator surface)',
  route: 'GET /v1/operator/jackpot/instances/source/{source_id}/brand/{brand_id}',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: {
    params,
    query: z.strictObject({
      player_id: foreignIdField,
      country_code: countryText,
      segments: segmentsText.optional(),
      game_code: foreignIdField.optional(),
    }),
  },
  output: operatorJackpotShape,
  refusals: [403, 404, 422],
  limits: { lookup: true },
  async handle({ principal, params: { source_id: source, brand_id }, query }, context) {
    const segments = segmentsOf(query.segments);
    const { directory } = context;
    const brand = scopedBrand(directory, principal, brand_id).path;
    const country = requireCriteria(directory, brand, source, query.country_code);
    const known = requireJackpot(context, { brand, source, segments, country, gameCode: query.game_code });
    const status = await context.optIns.of(known, brand, query.player_id);
    return { status: 200, text: operatorJackpotText(known, status) };
  },
});

/**
 * O13: the jackpot that a source leads to, as a player sees it. It adds `optin_status` for a player whose
 * token is shown, or whom a service or an administrator of the brand names. The wallet's country and segments
 * replace the query's.
 */
export const findJackpotOperation = defineOperation({
  id: 'O13',
  name: 'Jackpot for a source (frontend)',
  route: 'GET /v1/jackpot/instances/source/{source_id}/brand/{brand_id}',
  surface: 'frontend',
  authentication: { kind: 'anyone' },
  input: {
    params,
    query: z.strictObject({
      player_id: foreignIdField.optional(),
      country_code: countryText.optional(),
      segments: segmentsText.optional(),
      game_code: foreignIdField.optional(),
    }),
  },
  output: frontendJackpotShape,
  refusals: [401, 403, 404, 422],
  headers: ['X-Player-Token'],
  limits: { lookup: true },
  async handle(request, context) {
    const { principal, query } = request;
    const { source_id: source, brand_id } = request.params;
    const { directory } = context;
    const segments = segmentsOf(query.segments);
    const brand = callersBrand(directory, principal, brand_id);
    const frontend = frontendOf(request);
    const player = frontend.token === null ? null : await tokenPlayer(context, frontend, brand, { source });
    if (player !== null) requireSamePlayer(player, query.player_id);
    const named = principal.kind === 'anonymous' ? undefined : query.player_id;
    const identified = player?.player ?? named;
    const country = requireCriteria(directory, brand, source, player?.country ?? query.country_code);
    const lookup = { brand, source, segments: player?.segments ?? segments, country };
    const known = requireJackpot(context, { ...lookup, gameCode: query.game_code });
    const status = identified === undefined ? null : await context.optIns.of(known, brand, identified);
    return { status: 200, text: frontendJackpotText(known, status) };
  },
});

/** A27: as O12, with optional player and country, repeatable segments and values from the lane. */
export const findJackpotForAdministratorOperation = defineRead('read', {
  id: 'A27',
  name: 'Jackpot for a source',
  route: 'GET /config/jackpot/source/{source_id}/brand/{brand_id}',
  input: {
    params,
    query: z.strictObject({
      player_id: foreignIdField.optional(),
      country_code: countryText.optional(),
      segments: z.union([segmentsText, z.array(segmentsText).max(maxSegments)]).optional(),
    }),
  },
  output: operatorJackpotShape,
  refusals: [404, 422],
  async handle({ principal, params: { source_id: source, brand_id: brand }, query }, context) {
    const segments = segmentsOf(query.segments);
    if (!isBrandPath(brand)) throw new PublicError('brand_not_found');
    requireOwner(context, principal, 'read', brand);
    const country = requireCriteria(context.directory, brand, source, query.country_code);
    const { lane, description } = requireJackpot(context, { brand, source, segments, country });
    const { instance } = description;
    const current = await describeInstance(context, lane, instance);
    const player = query.player_id;
    if (player === undefined) return { status: 200, body: operatorJackpot(current, undefined) };
    const answer = await context.lanes.query(lane, { kind: 'opt_in_status', instance, brand, player });
    if (answer.kind !== 'opt_in_status') throw new PublicError('overloaded');
    return { status: 200, body: operatorJackpot(current, optInStatusView(answer.status)) };
  },
});

/** O20: live pot values of an instance, from memory, as exact decimals. Ended instances still answer. */
export const readTickerOperation = defineOperation({
  id: 'O20',
  name: 'Instance ticker',
  route: 'GET /v1/jackpot/instances/{instance_id}/ticker',
  surface: 'frontend',
  authentication: { kind: 'none' },
  input: { params: z.strictObject({ instance_id: ownIdField }) },
  output: tickerShape,
  refusals: [403, 404],
  limits: { lookup: true },
  async handle({ params: { instance_id } }, { directory }) {
    const known = directory.known(instance_id);
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

/** @throws PublicError invalid_parameter, invalid_identifier */
function segmentsOf(text: string | readonly string[] = ''): readonly string[] {
  const segments = [text].flat().flatMap((each) => each.split(',').filter((segment) => segment !== ''));
  if (segments.length > maxSegments) throw new PublicError('invalid_parameter');
  if (!segments.every(isForeignId)) throw new PublicError('invalid_identifier');
  return segments;
}

/** The country of a lookup; null: none is given. @throws PublicError source_not_found, country_invalid */
function requireCriteria(
  directory: ReadModel,
  brand: string,
  source: string,
  country: string | null | undefined,
): string | null {
  if (!directory.hasSource(brand, source)) throw new PublicError('source_not_found');
  if (country !== null && country !== undefined && !isCountry(country))
    throw new PublicError('country_invalid');
  return country ?? null;
}
