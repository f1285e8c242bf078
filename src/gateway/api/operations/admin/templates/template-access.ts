import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { ownedKey, type TemplateEntry } from '../../../../../directory/owners.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { mayRead } from '../shared/owner-access.ts';

/** A template that exists and that the caller may read. */
export function requireTemplate(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  owner: string,
  id: string,
): TemplateEntry {
  const template = context.directory.entries.templates.get(ownedKey(owner, id));
  if (template === undefined || !mayRead(principal, owner)) throw new PublicError('template_not_found');
  return template;
}
