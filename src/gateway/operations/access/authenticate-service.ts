import { credentials, serviceToken } from '../../../contracts/access.ts';
import { defineOperation } from '../../operation.ts';
import { tokenOf } from './token-of.ts';

/** Document 1, O25. */
export const authenticateService = defineOperation({
  id: 'O25',
  name: 'Authenticate an external service',
  method: 'POST',
  path: '/v1/auth/service',
  surface: 'operator',
  authentication: { kind: 'none' },
  input: { body: credentials },
  output: serviceToken,
  async handle({ body, address }, { access }) {
    return {
      status: 200,
      body: { token: await tokenOf(access.loginService({ ...body, address }), address) },
    };
  },
});
