import { serviceToken } from '../../../contracts/access.ts';
import { defineOperation } from '../../operation.ts';
import { renewedToken } from './token-of.ts';

/**
 * Another token for a service whose token still lives, so that nobody has to have a password hashed every 15 minutes; for
 * at most a day after the password was checked. The shown token stays good until it expires.
 */
export const renewServiceToken = defineOperation({
  id: 'service-tokens.renew',
  name: 'Renew the token of a service',
  method: 'POST',
  path: '/v1/auth/service/renew',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: {},
  output: serviceToken,
  async handle({ headers, address }, { access }) {
    const token = await renewedToken(headers, (shown) => access.renewService(shown, address));
    return { status: 200, body: { token } };
  },
});
