import * as z from 'zod';
import {
  type AdministratorChange,
  judgeChange,
  widensAdministrator,
} from '../../../../access/accounts/administrator-rights.ts';
import { isOfApproval } from '../../../../access/accounts/users.ts';
import { administrator, administratorChange, usernameField } from '../../../../contracts/accounts/users.ts';
import { PublicError } from '../../../base/errors.ts';
import { authorOrProposed } from '../../approvals/accounts.ts';
import { defineOperation } from '../../operation/operation.ts';
import { administratorView } from './administrator-view.ts';
import { hashedAccount, requirePassword } from './new-password.ts';
import { grantedOwners, requireAdministrator } from './require-administrator.ts';

/**
 * Changes another administrator's password, roles or owners, or disables or enables the account; its tokens end. Nobody
 * changes their own account, and nobody grants, revives or takes over rights that they do not have (`forbidden`). What lets the account do
 * more waits for a second administrator under the four-eyes rule (docs/rules/approvals.md "Accounts").
 */
export const changeAdministratorOperation = defineOperation({
  id: 'users.change',
  name: 'Change an administrator',
  method: 'PATCH',
  path: '/config/users/{username}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { params: z.strictObject({ username: usernameField }), body: administratorChange },
  output: administrator,
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body } = request;
    const { access } = context;
    const { username } = params;
    const present = requireAdministrator(context, principal, username);
    const owners = body.owners ? grantedOwners(context, principal, body.owners) : undefined;
    const change: AdministratorChange = {
      ...(body.password ? { password: body.password } : {}),
      ...(body.roles ? { roles: [...new Set(body.roles)] } : {}),
      ...(owners === undefined ? {} : { owners }),
      ...(typeof body.enabled === 'boolean' ? { enabled: body.enabled } : {}),
    };
    for (const { subject } of [principal, principal.approver ?? principal]) {
      const own = access.accounts.find('administrator', subject) ?? null;
      const refusal = judgeChange(own, present, change);
      if (refusal !== null) throw new PublicError(refusal);
    }
    requirePassword(body.password);
    if (Object.keys(change).length === 0) return { status: 200, body: administratorView(access, present) };
    const author = await authorOrProposed(context, request, {
      owners: [...present.owners, ...(owners ?? [])],
      present,
      widens: (account) => widensAdministrator(account, change),
    });
    if ('status' in author) return author;
    if (isOfApproval(present, author)) return { status: 200, body: administratorView(access, present) };
    const account = await hashedAccount(() => access.changeAdministrator(username, change, author));
    if (typeof account === 'string') throw new PublicError(account);
    return { status: 200, body: administratorView(access, account) };
  },
});
