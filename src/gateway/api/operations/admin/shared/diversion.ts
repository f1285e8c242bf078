import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { diversionOf, divertsElsewhere } from '../../../../../directory/four-eyes/configuration-change.ts';
import type { TemplateEntry } from '../../../../../directory/owners.ts';
import type { InstanceConfigurationDocument } from '../../../../../messages/instance-commands.ts';
import { parseEndpoint } from '../../../../../network/endpoint.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { requireAllowed } from './owner-access.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * An address that money is diverted to has an origin that the operator has registered for its webhooks, and who names
 * another one than before has the right to secure the owner. `before` null: there was none (docs/rules/callbacks.md "Addresses").
 * @throws PublicError forbidden, endpoint_not_allowed
 */
export function requireDiversion(
  { directory, development }: Pick<GatewayContext, 'directory' | 'development'>,
  principal: AdministratorPrincipal,
  owner: string,
  before: Members | null,
  configuration: InstanceConfigurationDocument,
): void {
  const target = diversionOf(configuration);
  if (target === null) return;
  if (divertsElsewhere(before, configuration)) requireAllowed(principal, 'secure', owner, 'forbidden');
  const endpoint = parseEndpoint(target.External.endpoint, development);
  if (endpoint === null || !directory.allowsWebhook(operatorOf(owner), endpoint.origin))
    throw new PublicError('endpoint_not_allowed');
}

/** What a template of the same operator says, whose address was judged when it was made; null: it is another operator's. */
export function ownConfiguration(template: TemplateEntry, owner: string): Members | null {
  return operatorOf(template.owner) === operatorOf(owner) ? template.configuration : null;
}
