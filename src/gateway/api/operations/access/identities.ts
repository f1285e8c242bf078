import * as z from 'zod';
import { widensAdministrator } from '../../../../access/accounts/administrator-rights.ts';
import { hasIdentity } from '../../../../access/accounts/identities.ts';
import { onlyOperatorOf } from '../../../../access/rights/authorize.ts';
import { newIdentity } from '../../../../contracts/accounts/identity-providers.ts';
import { administrator, usernameField } from '../../../../contracts/accounts/users.ts';
import { PublicError } from '../../../base/errors.ts';
import { stored } from '../../../base/stored.ts';
import { isRuled } from '../../approvals/accounts.ts';
import { defineChange, type GatewayContext } from '../../operation/operation.ts';
import { alterAccount } from './accounts.ts';
import { administratorViewIn, requireAdministrator, requireMayChange } from './administrators.ts';

const params = z.strictObject({ username: usernameField });

/**
 * Lets another administrator log in as this subject of the operator's identity provider, and as no other. It
 * counts as giving a password: the caller has every role of the account, its tokens end, and under the
 * four-eyes rule it waits. docs/rules/identity-providers.md "Accounts"
 */
export const bindIdentityOperation = defineChange('secure', {
  id: 'identities.bind',
  name: 'Bind an identity to an administrator',
  route: 'PUT /config/users/{username}/identity',
  input: { params, body: newIdentity },
  output: administrator,
  refusals: [404, 409],
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, approved } = request;
    const { access } = context;
    const present = requireAdministrator(context, principal, params.username);
    const { username, owners } = present;
    const { operator, issuer } = providerOf(context, owners);
    const identity = { issuer, subject: body.subject };
    const change = { identity };
    requireMayChange(context, principal, present, change);
    const isNamed = (body.issuer ?? null) !== null;
    if (isNamed && body.issuer !== issuer)
      throw new PublicError('invalid_request', 'The issuer is not that of the operator’s identity provider.');
    // The operator may have another provider by the time it is approved.
    if (!isNamed && approved === null && (await isRuled(context, owners)))
      throw new PublicError('invalid_request', 'Under the four-eyes rule the request names the issuer.');
    const isPresent = hasIdentity(present, identity);
    if (isPresent && approved === null) return { status: 200, body: administratorViewIn(context)(present) };
    const holder = access.identities.find(operator, identity);
    if (holder !== null && holder.username !== username) throw new PublicError('already_exists', isTaken);
    return alterAccount(context, request, {
      ...{ present, owners, change },
      widens: widensAdministrator,
      async apply(author) {
        if (!(await access.identities.reserve(operator, identity, username))) return 'already_exists';
        const changed = await access.changeAdministrator(username, change, author);
        if (typeof changed !== 'string' && present.identity !== undefined && !isPresent)
          await access.identities.release(operator, present.identity, username);
        return changed;
      },
      view: administratorViewIn(context),
    });
  },
});

/** The administrator logs in with its password alone; its tokens end. Without an identity nothing changes. */
export const unbindIdentityOperation = defineChange('secure', {
  id: 'identities.unbind',
  name: 'Remove the identity of an administrator',
  route: 'DELETE /config/users/{username}/identity',
  input: { params },
  refusals: [404],
  async handle({ principal, params }, context) {
    const { access } = context;
    const present = requireAdministrator(context, principal, params.username);
    const change = { identity: null };
    requireMayChange(context, principal, present, change);
    const { username, identity, owners } = present;
    if (identity === undefined) return { status: 204 };
    const changed = await stored(() =>
      access.changeAdministrator(username, change, { by: principal.subject }),
    );
    if (typeof changed === 'string') throw new PublicError(changed);
    const operator = onlyOperatorOf(owners);
    if (operator !== undefined) await stored(() => access.identities.release(operator, identity, username));
    return { status: 204 };
  },
});

const isTaken = 'Another administrator has this identity.';

/** The identity provider of the account's operator. @throws PublicError identity_provider_not_found */
function providerOf({ access }: GatewayContext, owners: readonly string[]) {
  const operator = onlyOperatorOf(owners);
  if (operator === undefined)
    throw new PublicError(
      'identity_provider_not_found',
      'No identity provider may name an account of several operators, or of the whole system.',
    );
  const provider = access.identityProviders.shown(operator);
  if (provider === undefined) throw new PublicError('identity_provider_not_found');
  return { operator, issuer: provider.issuer };
}
