import * as z from 'zod';
import { type AdministratorChange, judgeChange } from '../../../access/administrator-rights.ts';
import { administrator, administratorChange, usernameField } from '../../../contracts/access.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { administratorView } from './administrator-view.ts';
import { hashedAccount, requirePassword } from './new-password.ts';
import { grantedOwners, requireAdministrator } from './require-administrator.ts';

/**
 * Changes another administrator's password, roles or owners, or disables or enables the account; its tokens end. Nobody
 * changes their own account, and nobody grants, revives or takes over rights that they do not have (`forbidden`).
 */
export const changeAdministrator = defineOperation({
  id: 'users.change',
  name: 'Change an administrator',
  method: 'PATCH',
  path: '/config/users/{username}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { params: z.strictObject({ username: usernameField }), body: administratorChange },
  output: administrator,
  refusals: [404],
  async handle({ principal, params, body }, context) {
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
    const own = access.accounts.find('administrator', principal.subject) ?? null;
    const refusal = judgeChange(own, present, change);
    if (refusal !== null) throw new PublicError(refusal);
    requirePassword(body.password);
    if (Object.keys(change).length === 0) return { status: 200, body: administratorView(access, present) };
    const account = await hashedAccount(() => access.changeAdministrator(username, change, principal));
    if (typeof account === 'string') throw new PublicError(account);
    return { status: 200, body: administratorView(access, account) };
  },
});
