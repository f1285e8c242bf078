import { operatorOf } from '../../contracts/fields/identifiers.ts';
import type { AdministratorPrincipal } from '../rights/principal.ts';
import { everyOwner } from './administrator-rights.ts';

/** Characters of a name before its `@`. */
const maxOwnCharacters = 64;

/**
 * The whole name of a user that an administrator creates for these owners (docs/rules/http.md "Users"):
 * `name@operator_id`, given whole or without the end, so that no operator meets the names of another; as it
 * is given by an administrator of the whole system.
 */
export function newUsername(
  by: Pick<AdministratorPrincipal, 'owners'>,
  username: string,
  owners: readonly string[],
): string | 'forbidden' | 'invalid_identifier' {
  const operators = new Set(owners.map(operatorOf));
  const [operator] = operators;
  const isOfSystem = by.owners.has(everyOwner);
  if (!isOfSystem && operators.size !== 1) return 'forbidden';
  const end = isOfSystem ? '' : `@${operator}`;
  const own = !isOfSystem && username.endsWith(end) ? username.slice(0, -end.length) : username;
  if (own === '' || own.includes('@') || own.length > maxOwnCharacters) return 'invalid_identifier';
  return own + end;
}
