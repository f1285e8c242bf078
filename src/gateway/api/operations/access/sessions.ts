import * as z from 'zod';
import { system } from '../../../../access/rights/authorize.ts';
import { tokenLifetimeSeconds } from '../../../../access/rights/claims.ts';
import type { Login, LoginRefusal, Renewal } from '../../../../access/sessions/logins.ts';
import {
  administratorToken,
  credentials,
  ownToken,
  passwordChange,
  serviceToken,
} from '../../../../contracts/accounts/users.ts';
import { PublicError } from '../../../base/errors.ts';
import type { Reply } from '../../../base/reply.ts';
import { sessionCookie } from '../../../base/session-cookie.ts';
import { stored } from '../../../base/stored.ts';
import { recordedLogin } from '../../audit/logins.ts';
import {
  defineChange,
  defineOperation,
  type GatewayContext,
  type OperationRequest,
} from '../../operation/operation.ts';
import { requireAllowed } from '../admin/shared/owner-access.ts';
import { hashed, requirePassword } from './accounts.ts';

/**
 * O25: a service user's password for a token of 15 minutes. `owner_disabled` where the operator is;
 * `too_many_attempts` after 10 failures a minute of one name and address.
 */
export const authenticateServiceOperation = defineOperation({
  id: 'O25',
  name: 'Authenticate an external service',
  route: 'POST /v1/auth/service',
  isRepeatable: true,
  surface: 'operator',
  authentication: { kind: 'none' },
  input: { body: credentials },
  output: serviceToken,
  refusals: [401, 403, 429],
  async handle({ body, address }, context) {
    const token = await tokenOf(context.access.loginService({ ...body, address }), address);
    // A caller without the password learns nothing of the operator.
    requireEnabledOperator(context, body.username);
    return { status: 200, body: { token } };
  },
});

/** A valid service token for a new one, for at most 24 hours after the log-in. The old one stays valid. */
export const renewServiceTokenOperation = defineOperation({
  id: 'service-tokens.renew',
  name: 'Renew the token of a service',
  route: 'POST /v1/auth/service/renew',
  isRepeatable: true,
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

/**
 * Changes the calling service user's password. The current one is checked as in O25. Its tokens end, its
 * signing keys stay; the answer has a new token.
 */
export const changeOwnServicePasswordOperation = defineOperation({
  id: 'service-users.password',
  name: 'Change the password of a service',
  route: 'PUT /v1/auth/service/password',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { body: passwordChange },
  output: serviceToken,
  refusals: [403, 429],
  async handle({ principal, body, address }, context) {
    const { access } = context;
    requireEnabledOperator(context, principal.subject);
    requirePassword(body.new_password);
    const current = { username: principal.subject, password: body.current_password, address };
    const change = stored(() => access.changeServicePassword(current, body.new_password));
    return { status: 200, body: { token: await tokenOf(change, address) } };
  },
});

/** An administrator's password for a token; `expires_in` in seconds. Refuses as O25 does. */
export const authenticateAdministratorOperation = defineOperation({
  id: 'login',
  name: 'Authenticate an administrator',
  route: 'POST /auth/admin',
  isRepeatable: true,
  surface: 'admin',
  authentication: { kind: 'none' },
  input: { body: credentials },
  output: administratorToken,
  refusals: [401, 429],
  async handle({ body, address }, context) {
    const login = tokenOf(context.access.loginAdministrator({ ...body, address }), address);
    const token = await recordedLogin(
      login,
      { username: body.username, address },
      context,
      authenticateAdministratorOperation,
    );
    return { status: 200, body: { token, expires_in: tokenLifetimeSeconds } };
  },
});

/** As `renewServiceTokenOperation`, of an administrator. */
export const renewAdministratorTokenOperation = defineChange('read', {
  id: 'administrator-tokens.renew',
  name: 'Renew the token of an administrator',
  route: 'POST /auth/admin/renew',
  isRepeatable: true,
  input: {},
  output: administratorToken,
  refusals: [403],
  audited: false,
  async handle({ headers, address, byCookie }, { access }) {
    // No script of a page learns the token of its session.
    if (byCookie === true) throw new PublicError('forbidden', 'PUT /auth/admin/session renews a session.');
    const token = await renewedToken(headers, (shown) => access.renewAdministrator(shown, address));
    return { status: 200, body: { token, expires_in: tokenLifetimeSeconds } };
  },
});

/** As `changeOwnServicePasswordOperation`, of an administrator. */
export const changeOwnPasswordOperation = defineChange('read', {
  id: 'administrators.password',
  name: 'Change your password',
  route: 'PUT /auth/admin/password',
  input: { body: passwordChange },
  output: ownToken,
  refusals: [403],
  answerHeaders: ['Set-Cookie'],
  async handle({ principal, body, address, byCookie }, { access }) {
    requirePassword(body.new_password);
    const current = { username: principal.subject, password: body.current_password, address };
    const change = stored(() => access.changeAdministratorPassword(current, body.new_password));
    return newTokenReply(await tokenOf(change, address), byCookie === true);
  },
});

/** The public keys that verify our tokens (RFC 7517). */
export const readKeySetOperation = defineOperation({
  id: 'jwks',
  name: 'JSON Web Key Set',
  route: 'GET /.well-known/jwks.json',
  surface: 'public',
  authentication: { kind: 'none' },
  input: {},
  output: z.strictObject({ keys: z.array(z.record(z.string(), z.string())) }),
  async handle(_request, { access }) {
    return { status: 200, body: access.jwks() };
  },
});

/** Ends the token with this `jti`, whether or not it exists. For administrators of the whole system. */
export const revokeTokenOperation = defineChange('secure', {
  id: 'tokens.revoke',
  name: 'Revoke a token',
  route: 'DELETE /config/tokens/{token_id}',
  input: {
    params: z.strictObject({ token_id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'invalid_identifier') }),
  },
  async handle({ principal, params }, { access }) {
    requireAllowed(principal, 'secure', system, 'forbidden');
    await stored(() => access.revocations.revoke(params.token_id));
    return { status: 204 };
  },
});

/** A new token, for a page in its cookie. */
function newTokenReply(token: string, byCookie: boolean): Reply {
  const expires_in = tokenLifetimeSeconds;
  if (!byCookie) return { status: 200, body: { token, expires_in } };
  return { status: 200, headers: sessionCookie(token, expires_in), body: { expires_in } };
}

/** The token of a login from an address. @throws PublicError where it failed. */
export async function tokenOf(login: Promise<Login>, address: string): Promise<string> {
  const result = await hashed(login);
  if (result.kind === 'token') return result.token;
  throw refusalOf(result, address);
}

/** What a wrong password, or one too many, is answered with. */
export function refusalOf(refusal: LoginRefusal, address: string): PublicError {
  if (refusal.kind === 'invalid') return new PublicError('invalid_credentials');
  const limit = { retryAfterSeconds: refusal.seconds, limitedCaller: address };
  return new PublicError('too_many_attempts', '', limit);
}

/** Exchanges the token of the request for a new one. Signed requests need no token. @throws PublicError */
export async function renewedToken(
  headers: OperationRequest['headers'],
  renew: (shown: string) => Promise<Renewal>,
): Promise<string> {
  const { authorization } = headers;
  const [, shown] = /^bearer +([^ ]+)$/i.exec(typeof authorization === 'string' ? authorization : '') ?? [];
  if (shown === undefined) throw new PublicError('unauthenticated');
  const renewal = await renew(shown);
  if (renewal.kind === 'refused') throw new PublicError(renewal.fault);
  return renewal.token;
}

/** A disabled operator's service users get no token. @throws PublicError owner_disabled */
function requireEnabledOperator({ access, directory }: GatewayContext, username: string): void {
  const account = access.accounts.find('service', username);
  if (account !== undefined && directory.entries.enabled(account.operator_id) === false)
    throw new PublicError('owner_disabled');
}
