import type { AdministratorPrincipal } from '../../../../access/principal.ts';
import { ownedKey, type Template } from '../../../../directory/owners.ts';
import { PublicError } from '../../../errors.ts';
import type { GatewayContext } from '../../../operation.ts';
import { mayRead } from '../shared/owner-access.ts';

/** A template that exists and that the caller may read. */
export function requireTemplate(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  owner: string,
  id: string,
): Template {
  const template = context.directory.entries.templates.get(ownedKey(owner, id));
  if (template === undefined || !mayRead(principal, owner)) throw new PublicError('template_not_found');
  return template;
}
