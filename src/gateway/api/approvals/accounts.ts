import type { AdministratorAccount, ServiceAccount } from '../../../access/accounts/account-entries.ts';
import { everyOwner, judgeChange } from '../../../access/accounts/administrator-rights.ts';
import {
  type Author,
  areIndependent,
  hasIndependentPair,
  isIndependentOfAny,
} from '../../../access/accounts/authors.ts';
import { system } from '../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../access/rights/principal.ts';
import type { AdministratorRole } from '../../../contracts/accounts/users.ts';
import { operatorOf } from '../../../contracts/fields/identifiers.ts';
import { PublicError } from '../../base/errors.ts';
import type { Reply } from '../../base/reply.ts';
import { stored } from '../../base/stored.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { fourEyesRule } from './four-eyes.ts';
import { propose } from './propose.ts';

/** Roles whose operations wait for a second administrator. */
const approvingRoles: readonly AdministratorRole[] = ['config', 'finance', 'security'];

/** A change of an account, or its creation. */
interface AccountChange<A> {
  /** Its owners before and after; `*`: the whole system. */
  readonly owners: readonly string[];
  /** Whether it lets the account, as it is, do more. Absent: it always does. */
  readonly widens?: (present: A) => boolean;
  /** Absent: it is new. */
  readonly present?: A;
}

type AdministratorsRequest = Parameters<typeof propose>[1] & { readonly principal: AdministratorPrincipal };

/**
 * The author of the account's change, or the answer that it waits for a second administrator, because it lets
 * the account do more for an operator with the four-eyes rule (docs/rules/approvals.md "Accounts"). The last
 * check before a change.
 */
export async function authorOrProposed<A extends AdministratorAccount | ServiceAccount>(
  context: GatewayContext,
  request: AdministratorsRequest,
  { owners, widens = () => true, present }: AccountChange<A>,
): Promise<Author | Reply> {
  const { approved, principal } = request;
  const by = principal.subject;
  if (approved !== null) {
    const approval = { id: approved.id, approvedBy: approved.approvedBy };
    const check: Author['check'] = async (_present, revision) => {
      if ((await approved.fence('account', revision)) !== revision) throw new PublicError('version_conflict');
    };
    return { by, approval, check };
  }
  if ((present === undefined || widens(present)) && (await isRuled(context, owners)))
    return propose(context, request, ownerOf(owners));
  const check: Author['check'] = async (stored) => {
    // The account or the rule has changed meanwhile: a repeat of the request shows how.
    const now = stored as A;
    if (widens(now) && (await isRuled(context, [...accountOwners(now), ...owners])))
      throw new PublicError('overloaded');
  };
  return { by, check };
}

/** @throws PublicError approvers_missing where no two independent administrators could approve */
export async function requireApprovers(context: GatewayContext, operator: string): Promise<void> {
  const { access, clock } = context;
  for (const role of approvingRoles)
    if (await hasIndependentPair(access.accounts, operator, role, clock.nowMs())) return;
  throw new PublicError('approvers_missing');
}

/**
 * Whether another administrator could approve a second factor of the account: one who is enabled, independent
 * of it, and might give it a password. `who`: whether only such with a factor of their own count
 * (docs/decisions/0499).
 */
export function hasFactorApprover(
  { access: { accounts, secondFactors }, clock }: GatewayContext,
  account: AdministratorAccount,
  who: 'anybody' | 'with a factor',
): Promise<boolean> {
  const others = accounts
    .list('administrator')
    .filter((other) => judgeChange(other, account, { secondFactor: true }) === null)
    .filter(({ username }) => who === 'anybody' || secondFactors.has(username));
  return isIndependentOfAny(accounts, account.username, others, clock.nowMs());
}

/** Refuses an approver who may be the proposer. @throws PublicError approver_not_independent */
export async function requireIndependent(
  { access, clock }: GatewayContext,
  proposer: string,
  approver: string,
): Promise<void> {
  const check = () => areIndependent(access.accounts, proposer, approver, clock.nowMs());
  if (!(await stored(check))) throw new PublicError('approver_not_independent');
}

/** The owners of an administrator; the operator of a service user. */
function accountOwners(account: AdministratorAccount | ServiceAccount): readonly string[] {
  return 'owners' in account ? account.owners : [account.operator_id];
}

/** Whether one of the operators has the rule; of an account of the whole system any operator. */
export async function isRuled(context: GatewayContext, owners: readonly string[]): Promise<boolean> {
  if (owners.includes(everyOwner)) {
    for (const { four_eyes } of context.directory.entries.operators.values())
      if (four_eyes?.enabled === true) return true;
    return false;
  }
  for (const operator of new Set(owners.map(operatorOf)))
    if ((await fourEyesRule(context, operator)).enabled) return true;
  return false;
}

/** The approval's owner: those of several operators belong to the whole system. */
function ownerOf(owners: readonly string[]): string {
  const [owner = system, ...otherOwners] = new Set(owners);
  const [operator = system, ...otherOperators] = new Set(owners.map(operatorOf));
  if (otherOperators.length > 0 || operator === everyOwner) return system;
  return otherOwners.length > 0 ? operator : owner;
}
