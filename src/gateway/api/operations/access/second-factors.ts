import * as z from 'zod';
import type { AdministratorAccount } from '../../../../access/accounts/account-entries.ts';
import { judgeChange } from '../../../../access/accounts/administrator-rights.ts';
import { isOfApproval } from '../../../../access/accounts/users.ts';
import { tokenLifetimeSeconds } from '../../../../access/rights/claims.ts';
import type { FactorProof } from '../../../../access/rights/principal.ts';
import { factorLifetimeMs } from '../../../../access/sessions/second-factors.ts';
import {
  enrolledFactor,
  factorEnrolment,
  factorProof,
  newFactor,
  steppedUp,
  usernameField,
} from '../../../../contracts/accounts/users.ts';
import { PublicError } from '../../../base/errors.ts';
import { sessionCookie } from '../../../base/session-cookie.ts';
import { stored } from '../../../base/stored.ts';
import { authorOrProposed, hasFactorApprover } from '../../approvals/accounts.ts';
import { defineChange, type GatewayContext } from '../../operation/operation.ts';
import { needsSecondFactor } from '../../operation/second-factor.ts';
import { hashed, ownAccountOwners } from './accounts.ts';
import { requireAdministrator, requireMayChange } from './administrators.ts';
import { refusalOf, renewedToken } from './sessions.ts';

/**
 * A code for a token that counts as shown for ten minutes. A code counts once, and ten wrong ones of an
 * account in an hour are `too_many_attempts`. docs/rules/second-factor.md "Showing it"
 */
export const stepUpOperation = defineChange('read', {
  id: 'second-factors.step-up',
  name: 'Show your second factor',
  route: 'POST /auth/admin/step-up',
  input: { body: factorProof },
  output: steppedUp,
  refusals: [403],
  answerHeaders: ['Set-Cookie'],
  auditOwners: ownAccountOwners,
  async handle({ principal, body, headers, address, byCookie }, context) {
    const proof = await takenCode(context, principal.subject, body.code);
    const renew = (shown: string) => context.access.renewAdministrator(shown, address, proof);
    const token = await renewedToken(headers, renew);
    const expires_in = tokenLifetimeSeconds;
    const answer = { expires_in, valid_until: proof.atMs + factorLifetimeMs };
    if (byCookie === true) return { status: 200, headers: sessionCookie(token, expires_in), body: answer };
    return { status: 200, body: { token, ...answer } };
  },
});

/**
 * Begins to enrol a second factor of the caller's account: the password, and a code of the present factor
 * where there is one, for a secret that is shown this once. Nothing is stored yet.
 */
export const beginFactorOperation = defineChange('read', {
  id: 'second-factors.begin',
  name: 'Begin to enrol a second factor',
  route: 'POST /auth/admin/second-factor',
  input: { body: newFactor },
  output: factorEnrolment,
  refusals: [403],
  auditOwners: ownAccountOwners,
  async handle({ principal: { subject }, body, address }, context) {
    const { access } = context;
    const credentials = { username: subject, password: body.current_password, address };
    const refusal = await hashed(access.checkAdministrator(credentials));
    if (refusal !== null) throw refusalOf(refusal, address);
    if (access.secondFactors.has(subject)) {
      if ((body.code ?? null) === null) throw new PublicError('second_factor_required');
      await takenCode(context, subject, body.code!);
    }
    const { enrolmentId, secret, uri } = access.secondFactors.begin(requireOwn(context, subject));
    return { status: 200, body: { enrolment_id: enrolmentId, secret, uri } };
  },
});

/**
 * Enrols the second factor with its first code. As a password that is given, it waits for a second
 * administrator under the four-eyes rule, unless it is required and no other one could approve it.
 * docs/rules/approvals.md "Accounts"
 */
export const enrolFactorOperation = defineChange('read', {
  id: 'second-factors.enrol',
  name: 'Enrol a second factor',
  route: 'PUT /auth/admin/second-factor',
  input: { body: enrolledFactor },
  refusals: [403],
  auditOwners: ownAccountOwners,
  fourEyes: true,
  // An account without one could enrol none.
  secondFactor: false,
  approverAction: 'secure',
  async handle(request, context) {
    const { principal, body, approved } = request;
    const { accounts, secondFactors } = context.access;
    const account = requireOwn(context, principal.subject);
    const enrolment = secondFactors.open(account, body.enrolment_id);
    if (enrolment === null) throw new PublicError('second_factor_invalid', isOver);
    const step = secondFactors.confirm(enrolment, body.code);
    // The code was right when it was proposed.
    if (approved === null && step === null) throw new PublicError('second_factor_invalid');
    if (approved !== null) requireGiver(context, approved.approvedBy, account);
    const { owners } = account;
    const isStuck =
      needsSecondFactor(context, account) && !(await hasFactorApprover(context, account, 'anybody'));
    const change = { owners, present: account, widens: () => !isStuck };
    const author = await authorOrProposed(context, request, change);
    if ('status' in author) return author;
    const isEnrolled = await stored(async () => {
      const present = await accounts.read('administrator', account.username);
      // The account was reset, or has another password, and this gateway has not heard of it yet.
      if (present?.value.generation !== account.generation) return false;
      await author.check?.(present.value, present.revision);
      return secondFactors.enrol(account.username, enrolment, step ?? 0);
    });
    if (!isEnrolled) throw new PublicError('second_factor_invalid', isOver);
    return { status: 204 };
  },
});

/**
 * Removes another administrator's second factor, so that they can enrol another. It counts as giving a
 * password: the caller has every role of the account, and its tokens end. One that has none stays as it is.
 */
export const resetFactorOperation = defineChange('secure', {
  id: 'second-factors.reset',
  name: "Reset an administrator's second factor",
  route: 'DELETE /config/users/{username}/second-factor',
  input: { params: z.strictObject({ username: usernameField }) },
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, approved } = request;
    const { access, clock } = context;
    const present = requireAdministrator(context, principal, params.username);
    const change = { secondFactor: true } as const;
    requireMayChange(context, principal, present, change);
    const { owners, username } = present;
    if (approved === null && !access.secondFactors.has(username)) return { status: 204 };
    const author = await authorOrProposed(context, request, { owners, present });
    if ('status' in author) return author;
    // Its tokens end first, and whose the account may be stands before anybody can use it.
    if (!isOfApproval(present, author)) {
      const changed = await stored(() => access.changeAdministrator(username, change, author));
      if (typeof changed === 'string') throw new PublicError(changed);
    }
    // One that was enrolled after the approval stays.
    await stored(() => access.secondFactors.remove(username, approved?.sinceMs ?? clock.nowMs()));
    return { status: 204 };
  },
});

const isOver = 'The enrolment is over. Begin it again.';

/** Takes a code of the account's factor. @throws PublicError second_factor_invalid, too_many_attempts */
async function takenCode({ access }: GatewayContext, username: string, code: string): Promise<FactorProof> {
  const answer = await stored(() => access.secondFactors.take(username, code));
  if (answer.kind === 'right') return answer.proof;
  if (answer.kind === 'wrong') throw new PublicError('second_factor_invalid');
  throw new PublicError('too_many_attempts', '', { retryAfterSeconds: answer.seconds });
}

/** The caller's account. @throws PublicError token_revoked */
function requireOwn({ access }: GatewayContext, username: string): AdministratorAccount {
  const account = access.accounts.find('administrator', username);
  if (account === undefined) throw new PublicError('token_revoked');
  return account;
}

/** Whether an approver might give the account a password. @throws PublicError */
function requireGiver({ access }: GatewayContext, approver: string, account: AdministratorAccount): void {
  const own = access.accounts.find('administrator', approver) ?? null;
  const refusal = judgeChange(own, account, { secondFactor: true });
  if (refusal !== null) throw new PublicError(refusal);
}
