import { isCountry } from '../../../contracts/fields/countries.ts';
import { isOwnId, operatorOf } from '../../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../../directory/lane-view.ts';
import { PublicError } from '../../base/errors.ts';
import { requireJackpot } from '../lookups/require-jackpot.ts';
import type { GatewayContext } from '../operation/operation.ts';

/** Who asks for a target: the source that it may be is resolved for this player. */
export interface TargetOf {
  readonly target: { readonly type: 'instance' | 'source'; readonly id: string };
  /** Brand path. */
  readonly brand: string;
  readonly country: string;
  readonly segments: readonly string[];
}

/** The instance that a target means, where the brand's operator may see it; a source is resolved as lookups do. */
export function targetInstance(
  context: Pick<GatewayContext, 'directory' | 'lanes' | 'clock'>,
  { target, brand, country, segments }: TargetOf,
): KnownInstance {
  const { directory } = context;
  if (target.type === 'instance') {
    if (!isOwnId(target.id)) throw new PublicError('invalid_identifier');
    return visibleInstance({ directory }, target.id, operatorOf(brand));
  }
  if (!directory.hasSource(brand, target.id)) throw new PublicError('source_not_found');
  if (!isCountry(country)) throw new PublicError('country_invalid');
  const lookup = { brand, source: target.id, segments, country };
  return requireJackpot(context, lookup);
}

/** An instance of the operator, or one that names a brand of it. */
export function visibleInstance(
  { directory }: Pick<GatewayContext, 'directory'>,
  instance: string,
  operator: string,
): KnownInstance {
  const known = directory.known(instance);
  if (known === undefined || !directory.visibleTo({ kind: 'operator', operator }, known))
    throw new PublicError(directory.unknownOr('instance_not_found'));
  return known;
}
