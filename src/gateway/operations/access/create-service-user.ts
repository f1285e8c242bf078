import { authorize } from '../../../access/authorize.ts';
import { QueueFull } from '../../../access/fair-queue.ts';
import { isAcceptablePassword } from '../../../access/password.ts';
import { newServiceUser, serviceUser } from '../../../contracts/access.ts';
import { brandPath, operatorOf } from '../../../contracts/identifiers.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { serviceUserView } from './service-user-view.ts';
import { storedAccount } from './stored-account.ts';

/**
 * A user who acts for an operator, for all of its brands or those named. Refuses unknown or foreign operators and
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
  status: 201,
  async handle({ principal, body }, { access, directory }) {
    const operator = body.operator_id;
    if (
      authorize(principal, 'secure', operator) !== 'allowed' ||
      directory.operator(operator) === undefined
    ) {
      throw new PublicError('operator_not_found');
    }
    const paths = body.brands?.map((brand) => (brand.includes(':') ? brand : brandPath(operator, brand)));
    const brands = paths === undefined || paths === null ? null : [...new Set(paths)];
    for (const brand of brands ?? []) {
      if (operatorOf(brand) !== operator || directory.brand(brand) === undefined) {
        throw new PublicError('brand_not_found');
      }
    }
    if (!isAcceptablePassword(body.password)) throw new PublicError('secret_too_weak');
    const { username, password } = body;
    const account = await storedAccount(() =>
      access.createServiceUser({ username, password, operator, brands }, principal.subject),
    ).catch((error: unknown) => {
      throw error instanceof QueueFull ? new PublicError('overloaded') : error;
    });
    if (account === null) throw new PublicError('already_exists');
    return { status: 201, body: serviceUserView(account) };
  },
});
