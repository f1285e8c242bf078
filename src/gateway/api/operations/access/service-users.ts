import * as z from 'zod';
import type { ServiceAccount } from '../../../../access/accounts/account-entries.ts';
import { widensServiceUser } from '../../../../access/accounts/users.ts';
import { isAcceptableSecret } from '../../../../access/keys/webhook-secrets.ts';
import type { AdministratorPrincipal } from '../../../../access/rights/principal.ts';
import {
  fitsClaims,
  newRequestKey,
  newServiceUser,
  requestKey,
  serviceUser,
  serviceUserChange,
  usernameField,
} from '../../../../contracts/accounts/users.ts';
import { brandPath, operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { cursorQuery, operatorFilter } from '../../../../contracts/fields/lists.ts';
import { PublicError } from '../../../base/errors.ts';
import { stored } from '../../../base/stored.ts';
import { authorOrProposed, isRuled } from '../../approvals/accounts.ts';
import { defineChange, defineRead, type GatewayContext } from '../../operation/operation.ts';
import { onlyDisables } from '../../operation/second-factor.ts';
import { requireAllowed, requireOwner } from '../admin/shared/owner-access.ts';
import { listHeaders, operatorIn, ownedPage } from '../lists.ts';
import { addAccount, alterAccount, requirePassword } from './accounts.ts';

const params = z.strictObject({ username: usernameField });

/** Service users of the operators that the caller may see, in pages, without secrets. */
export const listServiceUsersOperation = defineRead('secure', {
  id: 'service-users.list',
  name: 'List service users',
  route: 'GET /config/service-users',
  input: {
    query: cursorQuery(
      ['username', 'operator_id', 'created_timestamp', 'last_login_timestamp'],
      operatorFilter,
    ),
  },
  output: z.array(serviceUser),
  refusals: [404],
  answerHeaders: listHeaders,
  async handle({ principal, query }, context) {
    const users = context.access.sortedUsers.service;
    const { page, headers } = await ownedPage(context, principal, users, 'username', query, {
      owner: operatorIn(query),
      ownerOf: ({ operator_id }) => operator_id,
      action: 'secure',
    });
    return { status: 200, headers, body: page.map(viewIn(context)) };
  },
});

/** One service user, without secrets. A foreign one is `user_not_found`. */
export const readServiceUserOperation = defineRead('secure', {
  id: 'service-users.read',
  name: 'Read a service user',
  route: 'GET /config/service-users/{username}',
  input: { params },
  output: serviceUser,
  refusals: [404],
  async handle({ principal, params: { username } }, context) {
    return { status: 200, body: viewIn(context)(requireServiceUser(context, principal, username)) };
  },
});

/**
 * Adds a user who acts for an operator's brands, all or those named, with `rights` beside those of every
 * service. An administrator of operators names it `name@operator_id`. docs/rules/approvals.md "Accounts"
 */
export const createServiceUserOperation = defineChange('secure', {
  id: 'service-users.create',
  name: 'Create a service user',
  route: 'POST /config/service-users',
  input: { body: newServiceUser },
  output: serviceUser,
  refusals: [404, 409],
  status: 201,
  fourEyes: true,
  async handle(request, context) {
    const { principal, body } = request;
    const { username, password, operator_id: operator } = body;
    requireOwner(context, principal, 'secure', operator);
    const brands = body.brands ? serviceBrands(context, operator, body.brands) : null;
    const rights = [...new Set(body.rights ?? [])];
    return addAccount(context, request, {
      kind: 'service',
      owners: [operator],
      username,
      password,
      create: (name, author) =>
        context.access.createServiceUser({ username: name, password, operator, brands, rights }, author),
      view: viewIn(context),
    });
  },
});

/** Changes a service user's password, brands, rights or state. Its tokens end; its signing keys stay. */
export const changeServiceUserOperation = defineChange('secure', {
  id: 'service-users.change',
  name: 'Change a service user',
  route: 'PATCH /config/service-users/{username}',
  input: { params, body: serviceUserChange },
  output: serviceUser,
  refusals: [404],
  fourEyes: true,
  isHarmless: onlyDisables,
  async handle(request, context) {
    const { principal, params, body } = request;
    const present = requireServiceUser(context, principal, params.username);
    const brands = body.brands ? serviceBrands(context, present.operator_id, body.brands) : undefined;
    requirePassword(body.password);
    const change = {
      ...(body.password ? { password: body.password } : {}),
      ...(brands === undefined ? {} : { brands }),
      ...(body.rights ? { rights: [...new Set(body.rights)] } : {}),
      ...(typeof body.enabled === 'boolean' ? { enabled: body.enabled } : {}),
    };
    return alterAccount(context, request, {
      present,
      owners: [present.operator_id],
      change,
      widens: widensServiceUser,
      apply: (author) => context.access.changeServiceUser(present.username, change, author),
      view: viewIn(context),
    });
  },
});

/** Removes a service user with its keys; its tokens end at once. A foreign one is `user_not_found`. */
export const removeServiceUserOperation = defineChange('secure', {
  id: 'service-users.remove',
  name: 'Remove a service user',
  route: 'DELETE /config/service-users/{username}',
  input: { params },
  refusals: [404],
  async handle({ principal, params }, context) {
    const { access } = context;
    const { username } = requireServiceUser(context, principal, params.username);
    if (!(await stored(() => access.accounts.remove('service', username))))
      throw new PublicError('user_not_found');
    await stored(() => access.requestKeys.removeAll(username));
    await stored(() => access.lastLogins.forget('service', username));
    return { status: 204 };
  },
});

/**
 * A key for signed requests. Its secret is shown this once, or brought by the caller, as the four-eyes rule
 * demands. A user's third key ends the oldest. docs/rules/approvals.md "Accounts"
 */
export const createRequestKeyOperation = defineChange('secure', {
  id: 'service-users.keys',
  name: 'Create a signing key of a service user',
  route: 'POST /config/service-users/{username}/keys',
  input: { params, body: newRequestKey },
  output: requestKey,
  refusals: [404],
  status: 201,
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, approved } = request;
    const account = requireServiceUser(context, principal, params.username);
    const given = body?.secret ?? null;
    if (given !== null && !isAcceptableSecret(given)) throw new PublicError('secret_too_weak');
    const owners = [account.operator_id];
    if (given === null && approved === null && (await isRuled(context, owners)))
      throw new PublicError(
        'invalid_request',
        'Under the four-eyes rule the request brings the secret of the key.',
      );
    const author = await authorOrProposed(context, request, { owners });
    if ('status' in author) return author;
    const key = { secret: given, approval: approved?.id ?? null };
    const { keyId, secret } = await stored(() => context.access.requestKeys.create(account, key));
    return { status: 201, body: { key_id: keyId, ...(given === null ? { secret } : {}) } };
  },
});

/** A service user whose operator the caller manages users of. @throws PublicError user_not_found */
function requireServiceUser(
  { access }: GatewayContext,
  principal: AdministratorPrincipal,
  username: string,
): ServiceAccount {
  const account = access.accounts.find('service', username);
  if (account === undefined) throw new PublicError('user_not_found');
  requireAllowed(principal, 'secure', account.operator_id, 'user_not_found');
  return account;
}

/** The paths of the operator's brands that a service user is for. @throws PublicError brand_not_found */
function serviceBrands(
  { directory }: GatewayContext,
  operator: string,
  brands: readonly string[],
): readonly string[] {
  const paths = brands.map((brand) => (brand.includes(':') ? brand : brandPath(operator, brand)));
  const named = [...new Set(paths)];
  for (const brand of named) {
    if (operatorOf(brand) !== operator || directory.brand(brand) === undefined)
      throw new PublicError('brand_not_found');
  }
  if (!fitsClaims(named))
    throw new PublicError(
      'invalid_request',
      'The brands do not fit in a token. Leave them out for all brands.',
    );
  return named;
}

/** A service user as it is shown: without its password and the secrets of its keys. */
function viewIn({ access: { lastLogins, requestKeys } }: GatewayContext) {
  return (account: ServiceAccount) => ({
    username: account.username,
    operator_id: account.operator_id,
    brands: account.brands,
    rights: account.rights ?? [],
    key_ids: requestKeys.idsOf(account.username),
    enabled: account.enabled,
    created_timestamp: account.created,
    last_login_timestamp: lastLogins.of('service', account),
  });
}
