import * as z from 'zod';
import { identityProvider, newIdentityProvider } from '../../../../contracts/accounts/identity-providers.ts';
import { ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { parseEndpoint } from '../../../../network/endpoint.ts';
import { PublicError } from '../../../base/errors.ts';
import { stored } from '../../../base/stored.ts';
import { proposedChange } from '../../approvals/propose.ts';
import { defineChange, defineRead, type GatewayContext } from '../../operation/operation.ts';
import { requireOwner } from '../admin/shared/owner-access.ts';

const params = z.strictObject({ operator_id: ownIdField });
const idBytes = 9;

/** Where an operator's administrators may log in, without its secret. */
export const readIdentityProviderOperation = defineRead('secure', {
  id: 'identity-providers.read',
  name: 'Get the identity provider of an operator',
  route: 'GET /config/operators/{operator_id}/identity-provider',
  input: { params },
  output: identityProvider,
  refusals: [404],
  async handle({ principal, params: { operator_id: operator } }, context) {
    requireOwner(context, principal, 'secure', operator);
    return { status: 200, body: viewOf(context, operator) };
  },
});

/**
 * Sets the identity provider of an operator (OpenID Connect) as a whole, and ends the sessions that began at
 * it. It decides who gets in, so it waits for a second administrator under the four-eyes rule.
 * docs/rules/identity-providers.md "The provider of an operator"
 */
export const setIdentityProviderOperation = defineChange('secure', {
  id: 'identity-providers.set',
  name: 'Set the identity provider of an operator',
  route: 'PUT /config/operators/{operator_id}/identity-provider',
  input: { params, body: newIdentityProvider },
  output: identityProvider,
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, approved } = request;
    const { access, clock, random, providers, development } = context;
    const { operator_id: operator } = params;
    requireOwner(context, principal, 'secure', operator);
    const { issuer, client_id: clientId, client_secret: clientSecret } = body;
    if (parseEndpoint(issuer, development) === null || issuer.includes('?'))
      throw new PublicError('endpoint_not_allowed');
    const id = approved?.id ?? Buffer.from(random.bytes(idBytes)).toString('base64url');
    const provider = { operator, id, issuer, clientId, clientSecret };
    // When it was proposed, it answered.
    const fault = approved === null ? await providers.fault(provider) : null;
    if (fault !== null) throw new PublicError('endpoint_not_allowed', fault);
    const proposed = await proposedChange(context, request, operator);
    if (proposed !== null) return proposed;
    const may = async (revision: number): Promise<void> => {
      if (approved !== null && (await approved.fence('provider', revision)) !== revision)
        throw new PublicError('version_conflict');
    };
    if (!(await stored(() => access.identityProviders.set(provider, clock.nowMs(), may))))
      throw new PublicError('overloaded');
    return { status: 200, body: viewOf(context, operator) };
  },
});

/** Removes the identity provider of an operator; the sessions that began at it end. */
export const removeIdentityProviderOperation = defineChange('secure', {
  id: 'identity-providers.remove',
  name: 'Remove the identity provider of an operator',
  route: 'DELETE /config/operators/{operator_id}/identity-provider',
  input: { params },
  refusals: [404],
  async handle({ principal, params: { operator_id: operator } }, context) {
    requireOwner(context, principal, 'secure', operator);
    if (!(await stored(() => context.access.identityProviders.remove(operator))))
      throw new PublicError('identity_provider_not_found');
    return { status: 204 };
  },
});

/** Another one for each operator, so that no provider gets what another one has sent. */
export function redirectUri({ publicUrl }: GatewayContext, operator: string): string | null {
  return publicUrl === null ? null : `${publicUrl}/auth/admin/oidc/${operator}/callback`;
}

function viewOf(context: GatewayContext, operator: string) {
  const provider = context.access.identityProviders.shown(operator);
  if (provider === undefined) throw new PublicError('identity_provider_not_found');
  const { issuer, clientId: client_id } = provider;
  return { operator_id: operator, issuer, client_id, redirect_uri: redirectUri(context, operator) };
}
