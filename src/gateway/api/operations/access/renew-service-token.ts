import { serviceToken } from '../../../../contracts/accounts/users.ts';
import { defineOperation } from '../../operation/operation.ts';
import { renewedToken, requireEnabledOperator } from './token-of.ts';

/**
 * Exchanges a valid service token for a new one, for at most 24 hours after the log-in: no password needs hashing every
 * 15 minutes. The old one stays valid until it expires.
 */
export const renewServiceTokenOperation = defineOperation({
  id: 'service-tokens.renew',
  name: 'Renew the token of a service',
  method: 'POST',
  isRepeatable: true,
  path: '/v1/auth/service/renew',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: {},
  output: serviceToken,
  refusals: [403],
  async handle({ principal, headers, address }, context) {
    requireEnabledOperator(context, principal.subject);
    const token = await renewedToken(headers, (shown) => context.access.renewService(shown, address));
    return { status: 200, body: { token } };
  },
});
