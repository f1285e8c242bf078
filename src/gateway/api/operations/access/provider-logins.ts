import * as z from 'zod';
import { logsInBy } from '../../../../access/accounts/identities.ts';
import { tokenLifetimeSeconds } from '../../../../access/rights/claims.ts';
import { attemptSeconds } from '../../../../access/sessions/provider-attempts.ts';
import { type LoginEnd, providerReturn } from '../../../../contracts/accounts/identity-providers.ts';
import { ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { PublicError } from '../../../base/errors.ts';
import type { Reply } from '../../../base/reply.ts';
import {
  attemptCookie,
  attemptIn,
  clearedAttemptCookie,
  sessionCookie,
} from '../../../base/session-cookie.ts';
import { stored } from '../../../base/stored.ts';
import { ProviderUnavailable } from '../../../providers/provider-client.ts';
import { recordedLogin } from '../../audit/logins.ts';
import { defineOperation, type GatewayContext } from '../../operation/operation.ts';
import { redirectUri } from './identity-providers.ts';
import { tokenOf } from './sessions.ts';

const params = z.strictObject({ operator_id: ownIdField });
const ofBrowsers = {
  surface: 'admin',
  authentication: { kind: 'none' },
  status: 303,
  refusals: [403],
  forPages: 'navigation',
  answerHeaders: ['Location', 'Set-Cookie'],
} as const;

/**
 * Sends a browser to the identity provider of an operator (OpenID Connect: authorization code with PKCE),
 * from our own page or from an address that was typed. docs/rules/identity-providers.md "Logging in"
 */
export const beginProviderLoginOperation = defineOperation({
  id: 'provider-logins.begin',
  name: 'Log in at an identity provider',
  route: 'GET /auth/admin/oidc/{operator_id}',
  ...ofBrowsers,
  input: { params },
  async handle({ params: { operator_id: operator }, headers }, context) {
    const site = headers['sec-fetch-site'];
    if (site !== 'same-origin' && site !== 'none')
      throw new PublicError('forbidden', 'Pages of other origins log nobody in.');
    const parts = partsOf(context, operator);
    if (parts === null) return toConsole('not_set_up', operator);
    const { provider, attempts, uri } = parts;
    const { attempt, sealed } = attempts.begin(operator, provider.id);
    const address = await context.providers.loginAddress(provider, uri, attempt);
    if (address === null) return toConsole('unavailable', operator);
    return { status: 303, headers: ['Location', address, ...attemptCookie(sealed, attemptSeconds)] };
  },
});

/**
 * Takes a browser back from the identity provider, and gives its page a session as `POST /auth/admin/session`
 * does, of the account that has the subject. The console says how it ended (`log_in`). A refusal counts as a
 * failed log-in.
 */
export const endProviderLoginOperation = defineOperation({
  id: 'provider-logins.end',
  name: 'Come back from an identity provider',
  route: 'GET /auth/admin/oidc/{operator_id}/callback',
  ...ofBrowsers,
  input: { params, query: providerReturn },
  async handle({ params: { operator_id: operator }, query, headers, address }, context) {
    const { access } = context;
    const parts = partsOf(context, operator);
    if (parts === null) return toConsole('not_set_up', operator);
    const { provider, attempts, uri } = parts;
    const caller = { username: '', operator, address };
    let refusal: LoginEnd = 'expired';
    const authenticated = async () => {
      const cookie = typeof headers.cookie === 'string' ? attemptIn(headers.cookie) : null;
      const attempt = cookie === null ? null : attempts.open(cookie, operator, query.state ?? '');
      if (attempt === null || attempt.provider !== provider.id) return null;
      if (!(await stored(() => attempts.end(attempt)))) return null;
      refusal = 'refused';
      const cameBackTo = new URL(uri);
      for (const [name, value] of Object.entries(query)) cameBackTo.searchParams.append(name, String(value));
      const subject = await context.providers.subject(provider, cameBackTo, attempt);
      const { issuer } = provider;
      const account = subject === null ? null : access.identities.find(operator, { issuer, subject });
      caller.username = account?.username ?? '';
      return account !== null && logsInBy(account, operator) ? { account, providerId: provider.id } : null;
    };
    try {
      const login = tokenOf(access.loginByProvider(caller, authenticated), address);
      const token = await recordedLogin(login, caller, context, endProviderLoginOperation);
      return toConsole('done', operator, sessionCookie(token, tokenLifetimeSeconds));
    } catch (error) {
      if (!(error instanceof PublicError || error instanceof ProviderUnavailable)) throw error;
      return toConsole(endOf(error.code, refusal), operator);
    }
  },
});

function endOf(code: string, refusal: LoginEnd): LoginEnd {
  if (code === 'invalid_credentials') return refusal;
  return code === 'too_many_attempts' ? 'too_many' : 'unavailable';
}

/** What a log-in at the operator's provider needs; null: it is not set up. */
function partsOf(context: GatewayContext, operator: string) {
  const { identityProviders, providerAttempts: attempts } = context.access;
  const provider = identityProviders.find(operator);
  const uri = redirectUri(context, operator);
  return provider === undefined || attempts === null || uri === null ? null : { provider, attempts, uri };
}

/** Always to the same page: no request says where a log-in leads. */
function toConsole(end: LoginEnd, operator: string, cookie: readonly string[] = []): Reply {
  const address = `/console/?${new URLSearchParams({ log_in: end, operator })}`;
  return { status: 303, headers: ['Location', address, ...clearedAttemptCookie, ...cookie] };
}
