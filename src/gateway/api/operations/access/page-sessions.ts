import { withNewGeneration } from '../../../../access/accounts/account-entries.ts';
import { operatorAlone } from '../../../../access/rights/authorize.ts';
import { tokenLifetimeSeconds } from '../../../../access/rights/claims.ts';
import type { AdministratorPrincipal } from '../../../../access/rights/principal.ts';
import { credentials, ownAccount } from '../../../../contracts/accounts/users.ts';
import { brandOf } from '../../../../contracts/fields/identifiers.ts';
import { PublicError } from '../../../base/errors.ts';
import type { Reply } from '../../../base/reply.ts';
import { clearedSessionCookie, sessionCookie } from '../../../base/session-cookie.ts';
import { stored } from '../../../base/stored.ts';
import { recordedLogin } from '../../audit/logins.ts';
import { defineChange, defineOperation, defineRead, type GatewayContext } from '../../operation/operation.ts';
import { beganAtProviderUnderRule, needsSecondFactor } from '../../operation/second-factor.ts';
import { ownAccountOwners } from './accounts.ts';
import { renewedToken, tokenOf } from './sessions.ts';

const setsCookie = { forPages: true, answerHeaders: ['Set-Cookie'] } as const;

/** As `POST /auth/admin`; the token goes to a cookie that no script of the page reads. */
export const beginSessionOperation = defineOperation({
  id: 'sessions.begin',
  name: 'Begin a session',
  route: 'POST /auth/admin/session',
  isRepeatable: true,
  surface: 'admin',
  authentication: { kind: 'none' },
  input: { body: credentials },
  output: ownAccount,
  refusals: [401, 403, 429],
  ...setsCookie,
  async handle({ body, address }, context) {
    const login = tokenOf(context.access.loginAdministrator({ ...body, address }), address);
    const caller = { username: body.username, address };
    const token = await recordedLogin(login, caller, context, beginSessionOperation);
    return sessionOf(token, context);
  },
});

/** As `POST /auth/admin/renew`; the cookie is set anew. */
export const renewSessionOperation = defineChange('read', {
  id: 'sessions.renew',
  name: 'Renew a session',
  route: 'PUT /auth/admin/session',
  isRepeatable: true,
  input: {},
  output: ownAccount,
  refusals: [403],
  audited: false,
  ...setsCookie,
  async handle({ headers, address }, context) {
    const renew = (shown: string) => context.access.renewAdministrator(shown, address);
    return sessionOf(await renewedToken(headers, renew), context);
  },
});

/** Ends the session of the caller's token, with all tokens that it was renewed to. */
export const endSessionOperation = defineChange('read', {
  id: 'sessions.end',
  name: 'End a session',
  route: 'DELETE /auth/admin/session',
  input: {},
  refusals: [403],
  answerHeaders: ['Set-Cookie'],
  auditOwners: ownAccountOwners,
  async handle({ principal }, { access }) {
    await stored(() => access.revocations.revoke(principal.session?.id ?? principal.tokenId));
    return { status: 204, headers: clearedSessionCookie };
  },
});

/** Ends every token of the caller's account, wherever it is. */
export const endSessionsOperation = defineChange('read', {
  id: 'sessions.end-all',
  name: 'End all your sessions',
  route: 'DELETE /auth/admin/sessions',
  input: {},
  refusals: [403],
  answerHeaders: ['Set-Cookie'],
  auditOwners: ownAccountOwners,
  async handle({ principal: { subject } }, { access, random }) {
    const ended = (): Promise<unknown> =>
      access.accounts.update('administrator', subject, (account) => withNewGeneration(account, random));
    await stored(ended);
    return { status: 204, headers: clearedSessionCookie };
  },
});

/** Who the caller is, and what for how long. */
export const readOwnAccountOperation = defineRead('read', {
  id: 'administrators.me',
  name: 'Read your account',
  route: 'GET /auth/admin/me',
  input: {},
  output: ownAccount,
  async handle({ principal }, context) {
    return { status: 200, body: viewOf(principal, context) };
  },
});

/** The answer that gives the token to the page as a cookie. @throws PublicError */
async function sessionOf(token: string, context: GatewayContext): Promise<Reply> {
  const principal = await context.access.tokens.verifyAdministrator(token);
  // The account has changed meanwhile.
  if (typeof principal === 'string') throw new PublicError(principal);
  return {
    status: 200,
    headers: sessionCookie(token, tokenLifetimeSeconds),
    body: viewOf(principal, context),
  };
}

function viewOf(principal: AdministratorPrincipal, context: GatewayContext) {
  const { access, clock } = context;
  const { secondFactors } = access;
  const isEnrolled = secondFactors.has(principal.subject);
  const validUntil = secondFactors.validUntilMs(principal) ?? 0;
  const { subject, roles, owners, expiresAtMs, session } = principal;
  const brands = [...owners].filter((owner) => brandOf(owner) !== null);
  return {
    subject,
    username: subject,
    roles: [...roles],
    owners: [...owners],
    owner_id: operatorAlone(principal) ?? null,
    brands: brands.length === owners.size ? brands : null,
    expires: expiresAtMs,
    session_expires: session?.endsMs ?? expiresAtMs,
    second_factor: {
      is_enrolled: isEnrolled,
      is_required:
        isEnrolled || needsSecondFactor(context, principal) || beganAtProviderUnderRule(principal, context),
      valid_until: validUntil > clock.nowMs() ? validUntil : null,
    },
  };
}
