import { holdsRoles } from '../../../../access/accounts/administrator-rights.ts';
import { administrator, newAdministrator } from '../../../../contracts/accounts/users.ts';
import { PublicError } from '../../../base/errors.ts';
import { authorOrProposed } from '../../approvals/accounts.ts';
import { defineOperation } from '../../operation/operation.ts';
import { administratorView } from './administrator-view.ts';
import { hashedAccount, requirePassword } from './new-password.ts';
import { requireNewName, requireUntaken } from './new-user.ts';
import { grantedOwners } from './require-administrator.ts';

/**
 * An administrator with roles for owners (`*`: the whole system). The caller must have every role and every owner that
 * it grants. An administrator of operators names it `name@operator_id`. `already_exists` where the name is taken. Waits for a second
 * administrator under the four-eyes rule (docs/rules/approvals.md "Accounts").
 */
export const createAdministratorOperation = defineOperation({
  id: 'users.create',
  name: 'Add an administrator',
  method: 'POST',
  path: '/config/users',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { body: newAdministrator },
  output: administrator,
  refusals: [404, 409],
  status: 201,
  fourEyes: true,
  async handle(request, context) {
    const { principal, body } = request;
    const { access } = context;
    const { password } = body;
    const roles = [...new Set(body.roles)];
    const { approver = principal } = principal;
    if (!holdsRoles(principal, roles) || !holdsRoles(approver, roles)) throw new PublicError('forbidden');
    const owners = grantedOwners(context, principal, body.owners);
    const username = requireNewName(principal, body.username, owners);
    requireUntaken(access.accounts.find('administrator', username), request.approved);
    requirePassword(password);
    const author = await authorOrProposed(context, request, { owners });
    if ('status' in author) return author;
    const account = await hashedAccount(() =>
      access.createAdministrator({ username, password, roles, owners }, author),
    );
    if (account === null) throw new PublicError('already_exists');
    return { status: 201, body: administratorView(access, account) };
  },
});
