import { newServiceUser, serviceUser } from '../../../../contracts/accounts/users.ts';
import { PublicError } from '../../../base/errors.ts';
import { authorOrProposed } from '../../approvals/accounts.ts';
import { defineOperation } from '../../operation/operation.ts';
import { requireOwner } from '../admin/shared/owner-access.ts';
import { hashedAccount, requirePassword } from './new-password.ts';
import { requireNewName, requireUntaken } from './new-user.ts';
import { serviceBrands } from './service-brands.ts';
import { serviceUserView } from './service-user-view.ts';

/**
 * A user who acts for an operator, for all of its brands or those named, with `rights` beside what every service may. An administrator of
 * operators names it `name@operator_id`. Refuses unknown or foreign operators and brands, weak passwords, and a name that is taken
 * (`already_exists`). Waits for a second administrator under the four-eyes rule (docs/rules/approvals.md "Accounts").
 */
export const createServiceUserOperation = defineOperation({
  id: 'service-users.create',
  name: 'Create a service user',
  method: 'POST',
  path: '/config/service-users',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { body: newServiceUser },
  output: serviceUser,
  refusals: [404, 409],
  status: 201,
  fourEyes: true,
  async handle(request, context) {
    const { principal, body } = request;
    const { access } = context;
    const { password, operator_id: operator } = body;
    requireOwner(context, principal, 'secure', operator);
    const brands = body.brands ? serviceBrands(context, operator, body.brands) : null;
    const rights = [...new Set(body.rights ?? [])];
    const username = requireNewName(principal, body.username, [operator]);
    requireUntaken(access.accounts.find('service', username), request.approved);
    requirePassword(password);
    const author = await authorOrProposed(context, request, { owners: [operator] });
    if ('status' in author) return author;
    const account = await hashedAccount(() =>
      access.createServiceUser({ username, password, operator, brands, rights }, author),
    );
    if (account === null) throw new PublicError('already_exists');
    return { status: 201, body: serviceUserView(access, account) };
  },
});
