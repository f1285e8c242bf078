import { authorize } from '../../../access/rights/authorize.ts';
import type { Anonymous, ServicePrincipal } from '../../../access/rights/principal.ts';
import { isCountry } from '../../../contracts/fields/countries.ts';
import { brandPath, operatorOf } from '../../../contracts/fields/identifiers.ts';
import {
  maskedWinnerView,
  publicWinnerView,
  type ShownWinnerShape,
  type WinnerShape,
  type WinnersV2Body,
  winnerView,
} from '../../../contracts/jackpots/winner.ts';
import type { KnownInstance } from '../../../directory/lane-view.ts';
import { agreesTo, hasSetting } from '../../../directory/public-view.ts';
import type { WinnerRecord } from '../../../messages/records.ts';
import { PublicError } from '../../base/errors.ts';
import { requireOperator, scopedBrand } from '../contribution/brand-scope.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { type Frontend, publicBrand, requireSamePlayer, tokenPlayer } from './players.ts';
import { targetInstance, visibleInstance } from './target-instance.ts';

/** The winners that an actor keeps of a pot and brand, and the most that one query returns. */
const maxReturned = 500;
const questionsAtOnce = 32;

/**
 * The newest winners of an instance's pot ('': of all its pots) among the given brands, newest first.
 * Operators share instances, and a caller sees only the wins of these brands.
 */
export async function newestWinners(
  context: GatewayContext,
  known: KnownInstance,
  pot: string,
  brands: ReadonlySet<string>,
  limit: number,
): Promise<readonly WinnerRecord[]> {
  if (limit === 0 || brands.size === 0) return [];
  const [only] = brands;
  if (brands.size === 1 && only !== undefined) return ask(context, known, pot, only, limit);
  const newest = await ask(context, known, pot, '', maxReturned);
  const seen = newest.filter((winner) => brands.has(winner.brand));
  // Only where others' wins crowd these out has each brand to be asked for by its name.
  if (newest.length < maxReturned || seen.length >= limit) return seen.slice(0, limit);
  const found: WinnerRecord[] = [];
  for (const some of chunks([...brands], questionsAtOnce)) {
    const lists = await Promise.all(some.map((brand) => ask(context, known, pot, brand, limit)));
    found.push(...lists.flat());
  }
  return found.sort((a, b) => b.sequence - a.sequence || a.place - b.place).slice(0, limit);
}

/** The newest winners of each pot of the instance, in their order, perhaps none. */
export async function newestPotWinners(
  context: GatewayContext,
  known: KnownInstance,
  brands: ReadonlySet<string>,
  limit: number,
): Promise<readonly (readonly [pot: string, winners: readonly WinnerRecord[]])[]> {
  return Promise.all(
    known.configuration.pots.map(
      async ({ id }) => [id, await newestWinners(context, known, id, brands, limit)] as const,
    ),
  );
}

async function ask(
  { lanes }: GatewayContext,
  known: KnownInstance,
  pot: string,
  brand: string,
  limit: number,
): Promise<readonly WinnerRecord[]> {
  const { instance } = known.description;
  const answer = await lanes.query(known.lane, { kind: 'winners', instance, pot, brand, limit });
  if (answer.kind !== 'winners') throw new PublicError('overloaded');
  return answer.winners;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Whose winners a caller sees, and how. */
interface WinnerScope<View = WinnerShape> {
  readonly operator: string;
  readonly brands: ReadonlySet<string>;
  readonly view: (winner: WinnerRecord) => View;
}

/**
 * The instance of O10 or O11 and whose winners the caller sees. A frontend sees those of its token's brand
 * masked; without a token too, where the brand shows them to everybody.
 */
export async function winnersOfInstance(
  context: GatewayContext,
  principal: ServicePrincipal | Anonymous,
  { instance, brand }: { readonly instance: string; readonly brand: string | undefined },
  frontend: Frontend,
): Promise<{ readonly known: KnownInstance; readonly scope: WinnerScope<ShownWinnerShape> }> {
  if (principal.kind === 'anonymous' && frontend.token === null)
    return publicWinners(context, instance, brand);
  const scope =
    principal.kind === 'anonymous'
      ? await playersWinnerScope(context, brand, frontend)
      : serviceWinnerScope(context, principal, brand);
  return { known: visibleInstance(context, instance, scope.operator), scope };
}

/** A service sees the players of its brands, or of the one it names. */
export function serviceWinnerScope(
  { directory }: GatewayContext,
  principal: ServicePrincipal,
  brand: string | undefined,
): WinnerScope {
  const { operator } = principal;
  if (brand !== undefined) {
    return {
      operator,
      brands: new Set([scopedBrand(directory, principal, brand).path]),
      view: winnerView,
    };
  }
  if (directory.entries.enabled(operator) !== true) throw new PublicError('owner_disabled');
  const paths = directory.entries.brandsOf(operator).map(({ path }) => path);
  const brands = new Set(paths.filter((path) => authorize(principal, 'read', path) === 'allowed'));
  return { operator, brands, view: winnerView };
}

/** A player sees the winners of its own brand, masked. */
function brandsWinnerScope(path: string): WinnerScope {
  return { operator: operatorOf(path), brands: new Set([path]), view: maskedWinnerView };
}

async function playersWinnerScope(
  context: GatewayContext,
  brand: string | undefined,
  frontend: Frontend,
): Promise<WinnerScope> {
  if (brand === undefined)
    throw new PublicError('invalid_parameter', 'The field brand_id is missing or not valid.');
  const path = publicBrand(context.directory, brand);
  await tokenPlayer(context, frontend, path);
  return brandsWinnerScope(path);
}

/** A brand that is missing is one that shows no winners. */
function publicWinners(context: GatewayContext, instance: string, brand = '') {
  const { directory } = context;
  const operator = operatorOf(brand);
  if (directory.entries.enabled(brand) !== true || !hasSetting(directory, brand, 'public_winners'))
    throw new PublicError('player_token_required');
  const known = visibleInstance(context, instance, operator);
  if (!agreesTo(directory, brand, known, 'public_winners')) throw new PublicError('player_token_required');
  const view = (winner: WinnerRecord) => publicWinnerView(winner, instance);
  return { known, scope: { operator, brands: new Set([brand]), view } };
}

interface WinnersTarget {
  readonly known: KnownInstance;
  readonly scope: WinnerScope;
}

/** The instance that O17 and O19 ask for, and whose winners the caller sees of it. */
export function winnersTarget(
  context: GatewayContext,
  principal: ServicePrincipal | Anonymous,
  body: WinnersV2Body,
  frontend: Frontend,
): Promise<WinnersTarget> {
  return principal.kind === 'service'
    ? servicesTarget(context, principal, body)
    : playersTarget(context, body, frontend);
}

async function servicesTarget(
  context: GatewayContext,
  principal: ServicePrincipal,
  body: WinnersV2Body,
): Promise<WinnersTarget> {
  requireOperator(principal, body.operator_id);
  const brand = scopedBrand(context.directory, principal, body.player.brand_id).path;
  const known = instanceFor(context, body, brand);
  const scope = serviceWinnerScope(
    context,
    principal,
    body.winners_for_player_brand === true ? brand : undefined,
  );
  return { known, scope };
}

/** What the wallet knows of the player outranks what the frontend says. */
async function playersTarget(
  context: GatewayContext,
  body: WinnersV2Body,
  frontend: Frontend,
): Promise<WinnersTarget> {
  const { operator_id: operator, player } = body;
  const named = player.brand_id.includes(':') ? player.brand_id : brandPath(operator, player.brand_id);
  if (operatorOf(named) !== operator) throw new PublicError('operator_not_found');
  const brand = publicBrand(context.directory, named);
  const identity = await tokenPlayer(context, frontend, brand);
  requireSamePlayer(identity, player.id);
  const criteria = {
    country: identity.country ?? player.country,
    segments: identity.segments ?? player.segments,
  };
  const known = instanceFor(context, { target: body.target, player: criteria }, brand);
  return { known, scope: brandsWinnerScope(brand) };
}

function instanceFor(
  context: GatewayContext,
  { target, player: { country, segments } }: Pick<WinnersV2Body, 'target'> & { readonly player: Criteria },
  brand: string,
): KnownInstance {
  const known = targetInstance(context, { target, brand, country, segments: segments ?? [] });
  if (!isCountry(country)) throw new PublicError('country_invalid');
  return known;
}

interface Criteria {
  readonly country: string;
  readonly segments?: readonly string[] | null | undefined;
}
