import { credentials, serviceToken } from '../../../contracts/access.ts';
import { defineOperation } from '../../operation.ts';
import { tokenOf } from './token-of.ts';

/**
 * O25: a service user's password for a token of 15 minutes. `invalid_credentials`; `too_many_attempts` after 10
 * failures a minute of one pair of name and address.
 */
export const authenticateService = defineOperation({
  id: 'O25',
  name: 'Authenticate an external service',
  method: 'POST',
  isRepeatable: true,
  path: '/v1/auth/service',
  surface: 'operator',
  authentication: { kind: 'none' },
  input: { body: credentials },
  output: serviceToken,
  refusals: [401, 429],
  async handle({ body, address }, { access }) {
    return {
      status: 200,
      body: { token: await tokenOf(access.loginService({ ...body, address }), address) },
    };
  },
});
