import * as z from 'zod';
import type { AdministratorAccount } from '../../../../access/accounts/account-entries.ts';
import {
  type AdministratorChange,
  everyOwner,
  holdsRoles,
  judgeChange,
  managesOwners,
  widensAdministrator,
} from '../../../../access/accounts/administrator-rights.ts';
import { system } from '../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../access/rights/principal.ts';
import {
  administrator,
  administratorChange,
  fitsClaims,
  newAdministrator,
  usernameField,
} from '../../../../contracts/accounts/users.ts';
import { ownerField } from '../../../../contracts/fields/identifier-fields.ts';
import { isWithin } from '../../../../contracts/fields/identifiers.ts';
import { cursorQuery } from '../../../../contracts/fields/lists.ts';
import { PublicError } from '../../../base/errors.ts';
import { defineChange, defineRead, type GatewayContext } from '../../operation/operation.ts';
import { onlyDisables } from '../../operation/second-factor.ts';
import { requireAllowed, requireOwner } from '../admin/shared/owner-access.ts';
import { listed, listHeaders } from '../lists.ts';
import { addAccount, alterAccount, requirePassword } from './accounts.ts';

const params = z.strictObject({ username: usernameField });

/** Administrators whose owners are all the caller's, in pages. Operators' filters cover brands. */
export const listAdministratorsOperation = defineRead('secure', {
  id: 'users.list',
  name: 'List administrators',
  route: 'GET /config/users',
  input: {
    query: cursorQuery(['username', 'created_timestamp', 'last_login_timestamp'], {
      owner_id: ownerField.optional(),
    }),
  },
  output: z.array(administrator),
  refusals: [404],
  answerHeaders: listHeaders,
  async handle({ principal, query }, context) {
    const { owner_id } = query;
    if (owner_id !== undefined) requireOwner(context, principal, 'secure', owner_id);
    const isShown = ({ owners }: AdministratorAccount) =>
      managesOwners(principal, owners) &&
      (owner_id === undefined || owners.some((owner) => isWithin(owner, owner_id)));
    const isWhole = owner_id === undefined && managesOwners(principal, [everyOwner]);
    const scope = { group: null, matches: isWhole ? null : isShown };
    const users = context.access.sortedUsers.administrator;
    const { page, headers } = await listed(users, 'username', query, scope);
    return { status: 200, headers, body: page.map(administratorViewIn(context)) };
  },
});

/** One administrator. One with an owner that is foreign to the caller is `user_not_found`. */
export const readAdministratorOperation = defineRead('secure', {
  id: 'users.read',
  name: 'Get an administrator',
  route: 'GET /config/users/{username}',
  input: { params },
  output: administrator,
  refusals: [404],
  async handle({ principal, params: { username } }, context) {
    return {
      status: 200,
      body: administratorViewIn(context)(requireAdministrator(context, principal, username)),
    };
  },
});

/**
 * Adds an administrator with roles and owners (`*`: the whole system) that the caller has, too. An
 * administrator of operators names it `name@operator_id`. docs/rules/approvals.md "Accounts"
 */
export const createAdministratorOperation = defineChange('secure', {
  id: 'users.create',
  name: 'Add an administrator',
  route: 'POST /config/users',
  input: { body: newAdministrator },
  output: administrator,
  refusals: [404, 409],
  status: 201,
  fourEyes: true,
  async handle(request, context) {
    const { principal, body } = request;
    const { username, password } = body;
    const roles = [...new Set(body.roles)];
    const { approver = principal } = principal;
    if (!holdsRoles(principal, roles) || !holdsRoles(approver, roles)) throw new PublicError('forbidden');
    const owners = grantedOwners(context, principal, body.owners);
    return addAccount(context, request, {
      kind: 'administrator',
      owners,
      username,
      password,
      create: (name, author) =>
        context.access.createAdministrator({ username: name, password, roles, owners }, author),
      view: administratorViewIn(context),
    });
  },
});

/**
 * Changes another administrator's password, roles, owners or state; its tokens end. No caller changes the own
 * account, or grants, revives or takes over rights beyond the own ones (`forbidden`).
 */
export const changeAdministratorOperation = defineChange('secure', {
  id: 'users.change',
  name: 'Change an administrator',
  route: 'PATCH /config/users/{username}',
  input: { params, body: administratorChange },
  output: administrator,
  refusals: [404],
  fourEyes: true,
  isHarmless: onlyDisables,
  async handle(request, context) {
    const { principal, params, body } = request;
    const { access } = context;
    const present = requireAdministrator(context, principal, params.username);
    const owners = body.owners ? grantedOwners(context, principal, body.owners) : undefined;
    const change: AdministratorChange = {
      ...(body.password ? { password: body.password } : {}),
      ...(body.roles ? { roles: [...new Set(body.roles)] } : {}),
      ...(owners === undefined ? {} : { owners }),
      ...(typeof body.enabled === 'boolean' ? { enabled: body.enabled } : {}),
    };
    requireMayChange(context, principal, present, change);
    requirePassword(body.password);
    return alterAccount(context, request, {
      present,
      owners: [...present.owners, ...(owners ?? [])],
      change,
      widens: widensAdministrator,
      apply: (author) => access.changeAdministrator(present.username, change, author),
      view: administratorViewIn(context),
    });
  },
});

/** @throws PublicError where the caller, or who approved the change, may not make it */
export function requireMayChange(
  { access }: GatewayContext,
  principal: AdministratorPrincipal,
  present: AdministratorAccount,
  change: AdministratorChange,
): void {
  for (const { subject } of [principal, principal.approver ?? principal]) {
    const own = access.accounts.find('administrator', subject) ?? null;
    const refusal = judgeChange(own, present, change);
    if (refusal !== null) throw new PublicError(refusal);
  }
}

/** An administrator all of whose owners the caller manages users of. @throws PublicError user_not_found */
export function requireAdministrator(
  { access }: GatewayContext,
  principal: AdministratorPrincipal,
  username: string,
): AdministratorAccount {
  const account = access.accounts.find('administrator', username);
  if (account === undefined || !managesOwners(principal, account.owners))
    throw new PublicError('user_not_found');
  return account;
}

/** The owners to grant, each once. A foreign one is answered as a missing one, `*` with `forbidden`. */
function grantedOwners(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  owners: readonly string[],
): readonly string[] {
  const named = [...new Set(owners)];
  for (const owner of named) {
    if (owner === everyOwner) requireAllowed(principal, 'secure', system, 'forbidden');
    else requireOwner(context, principal, 'secure', owner);
  }
  if (!fitsClaims(named)) throw new PublicError('invalid_request', 'The owners do not fit in a token.');
  return named;
}

/** An administrator as it is shown: without its password. */
export function administratorViewIn({ access: { lastLogins, secondFactors } }: GatewayContext) {
  return (account: AdministratorAccount) => ({
    username: account.username,
    roles: account.roles,
    owners: account.owners,
    enabled: account.enabled,
    has_second_factor: secondFactors.has(account.username),
    identity: account.identity ?? null,
    created_timestamp: account.created,
    last_login_timestamp: lastLogins.of('administrator', account),
  });
}
