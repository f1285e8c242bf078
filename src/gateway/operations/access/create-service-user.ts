import { newServiceUser, serviceUser } from '../../../contracts/access.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { requireOwner } from '../admin/shared/owner-access.ts';
import { hashedAccount, requirePassword } from './new-password.ts';
import { serviceBrands } from './service-brands.ts';
import { serviceUserView } from './service-user-view.ts';

/**
 * A user who acts for an operator, for all of its brands or those named, with `rights` beside what every service may. Refuses unknown or foreign operators and
 * brands, weak passwords, and a name that is taken (`already_exists`).
 */
export const createServiceUser = defineOperation({
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
  async handle({ principal, body }, context) {
    const { access } = context;
    const { username, password, operator_id: operator } = body;
    requireOwner(context, principal, 'secure', operator);
    const brands = body.brands ? serviceBrands(context, operator, body.brands) : null;
    const rights = [...new Set(body.rights ?? [])];
    if (access.accounts.find('service', username) !== undefined) throw new PublicError('already_exists');
    requirePassword(password);
    const account = await hashedAccount(() =>
      access.createServiceUser({ username, password, operator, brands, rights }, principal.subject),
    );
    if (account === null) throw new PublicError('already_exists');
    return { status: 201, body: serviceUserView(access, account) };
  },
});
