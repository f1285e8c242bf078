import type { ErrorCode } from '../../../contracts/errors/codes.ts';
import { readAmount } from '../../../contracts/fields/amount.ts';
import { isCountry } from '../../../contracts/fields/countries.ts';
import type { OptInBody } from '../../../contracts/jackpots/opt-in.ts';
import type { KnownInstance } from '../../../directory/lane-view.ts';
import type { ReadModel } from '../../../directory/read-model.ts';
import { minorUnitExponent } from '../../../lib/currencies.ts';
import { firstRefusal } from '../../../messages/admission.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { PublicError } from '../../base/errors.ts';
import { admission } from '../contribution/admission.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { type Frontend, publicBrand, requireSamePlayer, tokenPlayer } from './players.ts';
import { type TargetOf, targetInstance } from './target-instance.ts';

/** Common to O14, O18, A24 and A34 once their shapes are read and the brand is the caller's to act for. */
interface OptInRequest extends TargetOf {
  readonly player: string;
  readonly optIn: boolean;
  /** The preferred contribution; it is not looked at when the player opts out. */
  readonly value: number | string | null;
  readonly currency: string | null;
  readonly linked: boolean;
}

/** A body of O14, A24, A34 as a request. */
export function optInRequest(body: OptInBody, instance: string, brand: string): OptInRequest {
  return {
    target: { type: 'instance', id: instance },
    brand,
    player: body.player_id,
    country: body.player_country,
    segments: [],
    optIn: body.opt_in,
    value: body.contribution_value ?? null,
    currency: body.contribution_currency ?? null,
    linked: false,
  };
}

type OptedIn = Extract<CommandOutcome, { kind: 'OptedIn' }>;

/** Opts a player in or out; the rules of the instance are the engine's to judge. */
export async function optInPlayer(
  request: OptInRequest,
  user: string,
  context: GatewayContext,
): Promise<OptedIn> {
  const { directory, lanes } = context;
  const { brand } = request;
  const known = targetInstance(context, request);
  const value = request.value === null || !request.optIn ? null : readAmount(request.value);
  // A currency keeps no player in (docs/rules/opt-ins.md "Currencies").
  const stated = request.optIn ? request.currency : null;
  const wrong = value?.ok === false ? value.code : null;
  const money = wrong ?? (stated === null ? null : currencyRefusal(directory, known, brand, stated));
  const isFine = money === null && isCountry(request.country);
  const refusal = isFine ? null : (stateRefusal(known, brand, request.country) ?? money);
  if (refusal !== null) throw new PublicError(refusal);
  const { outcome } = await lanes.send(known.lane, {
    kind: 'OptIn',
    instance: known.description.instance,
    brand,
    player: request.player,
    country: request.country,
    optIn: request.optIn,
    valueAtoms: value?.ok === true ? value.atoms : null,
    currency: request.currency ?? '',
    linked: request.linked,
    user,
    ...(request.currency === null ? {} : { statesCurrency: true }),
  });
  context.optIns.forget(brand, request.player);
  if (outcome.kind === 'Refused') throw new PublicError(outcome.code);
  if (outcome.kind !== 'OptedIn') throw new Error(`An opt-in was answered with ${outcome.kind}.`);
  return outcome;
}

const openStatuses: ReadonlySet<string> = new Set(['Pending', 'Active', 'Paused']);

/**
 * Why the instance takes no opt-ins of this brand and country, which comes before anything about money;
 * `country` null: none is given.
 */
export function stateRefusal(known: KnownInstance, brand: string, country: string | null): ErrorCode | null {
  return firstRefusal<ErrorCode>({
    status: () => (openStatuses.has(known.status) ? null : 'instance_not_active'),
    countryCode: () => (country === null || isCountry(country) ? null : 'country_invalid'),
    ...admission(known, brand, country),
  });
}

/** Why a brand's players cannot opt in to the instance with this currency. */
export function currencyRefusal(
  directory: ReadModel,
  known: KnownInstance,
  brand: string,
  currency: string,
): ErrorCode | null {
  if (currency === known.configuration.currency) return null;
  const table = directory.rates(brand);
  if (table !== undefined && (currency === table.base_currency || Object.hasOwn(table.multipliers, currency)))
    return null;
  return minorUnitExponent(currency) === null ? 'currency_unknown' : 'currency_not_supported';
}

/** A player's own opt-in: the country that the wallet knows outranks the one that the frontend says. */
export async function ownOptIn(
  body: OptInBody,
  instance: string,
  frontend: Frontend,
  context: GatewayContext,
): Promise<OptInRequest> {
  const brand = publicBrand(context.directory, body.brand_id);
  const identity = await tokenPlayer(context, frontend, brand, { currency: body.contribution_currency });
  requireSamePlayer(identity, body.player_id);
  const request = optInRequest(body, instance, brand);
  return { ...request, country: identity.country ?? request.country };
}
