import { authorize } from '../../../access/rights/authorize.ts';
import type { AdministratorPrincipal, ServicePrincipal } from '../../../access/rights/principal.ts';
import { shownPlayers } from '../../../access/rights/read-scope.ts';
import { brandPath, isBrandPath, operatorOf } from '../../../contracts/fields/identifiers.ts';
import type { BooksCondition } from '../../../contracts/reports/conditions.ts';
import { PublicError } from '../../base/errors.ts';
import type { GatewayContext } from '../operation/operation.ts';

/** Who asks the books: an administrator of owners, or a service with the right to. */
export type BooksReader = AdministratorPrincipal | ServicePrincipal;

interface Asked {
  readonly owner_id?: string | undefined;
  readonly brand_id?: string | undefined;
  readonly instance_id?: string | undefined;
}

/**
 * The rows that a caller sees of those that it asks for: of players of its operators and brands.
 * @throws PublicError for what is foreign, missing or not allowed
 */
export function booksScope(
  context: GatewayContext,
  principal: BooksReader,
  asked: Asked,
): readonly BooksCondition[] {
  const { owner_id: owner, brand_id: brand, instance_id: instance } = asked;
  return [
    ...ownScope(principal),
    ...(owner === undefined ? [] : ownerConditions(context, principal, owner)),
    ...(brand === undefined ? [] : brandConditions(readableBrand(context, principal, brand))),
    ...(instance === undefined ? [] : [instanceCondition(context, principal, instance)]),
  ];
}

/** The operators that a question is about; none: it may be about any. */
export function operatorsAsked(
  principal: BooksReader,
  { owner_id: owner, brand_id: brand }: Asked,
): readonly string[] {
  const named = owner ?? (brand?.includes(':') === true ? brand : undefined);
  if (named !== undefined) return [operatorOf(named)];
  const { operators, brands } = shownPlayers(principal) ?? { operators: [], brands: [] };
  return [...new Set([...operators, ...brands.map(operatorOf)])];
}

/** A brand whose players the caller may read, as a path. @throws PublicError */
export function readableBrand(context: GatewayContext, principal: BooksReader, brand: string): string {
  const isBare = principal.kind === 'service' && !isBrandPath(brand);
  const path = isBare ? brandPath(principal.operator, brand) : brand;
  if (!isBrandPath(path)) throw new PublicError('brand_not_found');
  requireReadable(context, principal, path);
  return path;
}

export function equal(column: string, value: string | number): BooksCondition {
  return { column, is: '=', value };
}

export function among(column: string, values: readonly string[]) {
  return { column, is: 'in' as const, value: [...values] };
}

/** Whether the caller may see the instance: it is its own, or there for its players. */
export function seesInstance(
  { directory }: GatewayContext,
  principal: BooksReader,
  instance: string,
): boolean {
  const known = directory.known(instance);
  if (known === undefined) return false;
  if (decision(principal, known.description.owner) === 'allowed') return true;
  if (principal.kind === 'administrator') return false;
  return directory.visibleTo({ kind: 'operator', operator: principal.operator }, known);
}

/** With the operators of brands, too: indexes begin with one or the other. */
function ownScope(principal: BooksReader): readonly BooksCondition[] {
  if (principal.kind === 'service' && decision(principal, principal.operator) === 'forbidden')
    throw new PublicError('forbidden');
  const scope = shownPlayers(principal);
  if (scope === null) return [];
  const { operators, brands } = scope;
  if (brands.length === 0) return [among('operator', operators)];
  const all = [...new Set([...operators, ...brands.map(operatorOf)])];
  if (operators.length === 0) return [among('operator', all), among('brand', brands)];
  return [among('operator', all), { any: [among('operator', operators), among('brand', brands)] }];
}

function ownerConditions(
  context: GatewayContext,
  principal: BooksReader,
  owner: string,
): readonly BooksCondition[] {
  if (isBrandPath(owner)) return brandConditions(readableBrand(context, principal, owner));
  requireReadable(context, principal, owner);
  return [equal('operator', owner)];
}

function brandConditions(path: string): readonly BooksCondition[] {
  return [equal('operator', operatorOf(path)), equal('brand', path)];
}

function instanceCondition(
  context: GatewayContext,
  principal: BooksReader,
  instance: string,
): BooksCondition {
  if (!seesInstance(context, principal, instance))
    throw new PublicError(context.directory.unknownOr('instance_not_found'));
  return equal('instance', instance);
}

function requireReadable({ directory }: GatewayContext, principal: BooksReader, owner: string): void {
  const isBrand = isBrandPath(owner);
  const missing = isBrand ? 'brand_not_found' : 'operator_not_found';
  const found = decision(principal, owner);
  if (found === 'foreign' || directory.entries.enabled(owner) === null) throw new PublicError(missing);
  if (found === 'forbidden') throw new PublicError(isBrand ? 'brand_forbidden' : 'forbidden');
}

function decision(principal: BooksReader, owner: string): ReturnType<typeof authorize> {
  return authorize(principal, principal.kind === 'service' ? 'report' : 'read', owner);
}
