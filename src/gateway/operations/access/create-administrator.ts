import { holdsRoles } from '../../../access/administrator-rights.ts';
import { administrator, newAdministrator } from '../../../contracts/access.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { administratorView } from './administrator-view.ts';
import { hashedAccount, requirePassword } from './new-password.ts';
import { grantedOwners } from './require-administrator.ts';

/**
 * An administrator with roles for owners (`*`: the whole system). The caller must have every role and every owner that
 * it grants. `already_exists` where the name is taken.
 */
export const createAdministrator = defineOperation({
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
  async handle({ principal, body }, context) {
    const { access } = context;
    const { username, password } = body;
    const roles = [...new Set(body.roles)];
    if (!holdsRoles(principal, roles)) throw new PublicError('forbidden');
    const owners = grantedOwners(context, principal, body.owners);
    if (access.accounts.find('administrator', username) !== undefined)
      throw new PublicError('already_exists');
    requirePassword(password);
    const account = await hashedAccount(() =>
      access.createAdministrator({ username, password, roles, owners }, principal.subject),
    );
    if (account === null) throw new PublicError('already_exists');
    return { status: 201, body: administratorView(access, account) };
  },
});
