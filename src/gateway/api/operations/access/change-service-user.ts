import * as z from 'zod';
import { isOfApproval, widensServiceUser } from '../../../../access/accounts/users.ts';
import { serviceUser, serviceUserChange, usernameField } from '../../../../contracts/accounts/users.ts';
import { PublicError } from '../../../base/errors.ts';
import { authorOrProposed } from '../../approvals/accounts.ts';
import { defineOperation } from '../../operation/operation.ts';
import { hashedAccount, requirePassword } from './new-password.ts';
import { requireServiceUser } from './require-service-user.ts';
import { serviceBrands } from './service-brands.ts';
import { serviceUserView } from './service-user-view.ts';

/**
 * Changes a service user's password, brands or rights, or disables or enables it. Its tokens end; its signing keys stay, but
 * those of a disabled user do not count. Without a field nothing changes. What lets the user do more waits for a second administrator under
 * the four-eyes rule (docs/rules/approvals.md "Accounts").
 */
export const changeServiceUserOperation = defineOperation({
  id: 'service-users.change',
  name: 'Change a service user',
  method: 'PATCH',
  path: '/config/service-users/{username}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { params: z.strictObject({ username: usernameField }), body: serviceUserChange },
  output: serviceUser,
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body } = request;
    const { access } = context;
    const { username } = params;
    const present = requireServiceUser(context, principal, username);
    const brands = body.brands ? serviceBrands(context, present.operator_id, body.brands) : undefined;
    requirePassword(body.password);
    const change = {
      ...(body.password ? { password: body.password } : {}),
      ...(brands === undefined ? {} : { brands }),
      ...(body.rights ? { rights: [...new Set(body.rights)] } : {}),
      ...(typeof body.enabled === 'boolean' ? { enabled: body.enabled } : {}),
    };
    if (Object.keys(change).length === 0) return { status: 200, body: serviceUserView(access, present) };
    const author = await authorOrProposed(context, request, {
      owners: [present.operator_id],
      present,
      widens: (account) => widensServiceUser(account, change),
    });
    if ('status' in author) return author;
    if (isOfApproval(present, author)) return { status: 200, body: serviceUserView(access, present) };
    const account = await hashedAccount(() => access.changeServiceUser(username, change, author));
    if (account === null) throw new PublicError('user_not_found');
    return { status: 200, body: serviceUserView(access, account) };
  },
});
