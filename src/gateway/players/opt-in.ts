import type { ServicePrincipal } from '../../access/principal.ts';
import { readAmount } from '../../contracts/amount.ts';
import { isCountry } from '../../contracts/contribution.ts';
import type { ErrorCode } from '../../contracts/errors.ts';
import type { CommandOutcome } from '../../contracts/log/outcomes.ts';
import type { KnownInstance } from '../../directory/lane-view.ts';
import type { Replica } from '../../directory/replica.ts';
import { minorUnitExponent } from '../../lib/currencies.ts';
import { scopedBrand } from '../contribution/brand-scope.ts';
import { PublicError } from '../errors.ts';
import type { GatewayContext } from '../operation.ts';
import { type TargetOf, targetInstance } from './target-instance.ts';

/** What O14 and O18 have in common once their shapes are read. */
export interface OptInRequest extends TargetOf {
  readonly player: string;
  readonly optIn: boolean;
  /** The preferred contribution; it is not looked at when the player opts out. */
  readonly value: number | string | null;
  readonly currency: string | null;
  readonly linked: boolean;
}

type OptedIn = Extract<CommandOutcome, { kind: 'OptedIn' }>;

/** Opts a player of one of the caller's brands in or out; the rules of the instance are the engine's to judge. */
export async function optInPlayer(
  request: OptInRequest,
  principal: ServicePrincipal,
  context: GatewayContext,
): Promise<OptedIn> {
  const { directory, lanes } = context;
  const brand = scopedBrand(directory, principal, request.brand).path;
  const known = targetInstance(context, { ...request, brand });
  const value = request.value === null || !request.optIn ? null : readAmount(request.value);
  const refusal = countryRefusal(request.country) ?? moneyRefusal(value, directory, known, brand, request);
  if (refusal !== null) {
    // The engine would say so first, had it been asked.
    if (!openStatuses.has(known.headline.status)) throw new PublicError('instance_not_active');
    throw new PublicError(refusal);
  }
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
    user: principal.subject,
  });
  if (outcome.kind === 'Refused') throw new PublicError(outcome.code, outcome.message);
  if (outcome.kind !== 'OptedIn') throw new Error(`An opt-in was answered with ${outcome.kind}.`);
  return outcome;
}

const openStatuses: ReadonlySet<string> = new Set(['Pending', 'Active', 'Paused']);

function countryRefusal(country: string): ErrorCode | null {
  return isCountry(country) ? null : 'country_invalid';
}

function moneyRefusal(
  value: ReturnType<typeof readAmount> | null,
  directory: Replica,
  known: KnownInstance,
  brand: string,
  { currency }: OptInRequest,
): ErrorCode | null {
  if (value !== null && !value.ok) return value.code;
  if (currency === null || currency === known.configuration.currency) return null;
  const table = directory.rates(brand);
  if (table !== undefined && (currency === table.base_currency || Object.hasOwn(table.multipliers, currency)))
    return null;
  return minorUnitExponent(currency) === null ? 'currency_unknown' : 'currency_not_supported';
}
