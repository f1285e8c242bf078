import type { Approval } from '../../../access/approvals.ts';
import { authorize } from '../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../access/rights/principal.ts';
import { PublicError } from '../../base/errors.ts';
import { stored } from '../../base/stored.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { operationOf } from './operation-of.ts';
import { requireApprovals } from './propose.ts';
import { stateOf } from './view.ts';

/**
 * An approval that the caller may decide on: of an owner that it sees, with the right that the operation needs. A
 * decided one counts as missing. @throws PublicError
 */
export async function requireOpen(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  id: string,
): Promise<Approval> {
  const found = await stored(() => requireApprovals(context).read(id));
  if (found === null || authorize(principal, 'read', found.owner) !== 'allowed')
    throw new PublicError('approval_not_found');
  const authentication = operationOf(context, found)?.authentication;
  if (authentication?.kind !== 'administrator') throw new PublicError('approval_not_found');
  if (authorize(principal, authentication.action, found.owner) !== 'allowed')
    throw new PublicError('forbidden');
  return found;
}

/**
 * Takes an open approval to its next state with compare-and-set: of two administrators one wins, and the other finds
 * nothing to decide. @throws PublicError
 */
export async function decideApproval(
  context: GatewayContext,
  id: string,
  decision: Pick<Approval, 'state' | 'decided_by'> & Partial<Approval>,
): Promise<Approval> {
  const nowMs = context.clock.nowMs();
  const decided = await stored(() =>
    requireApprovals(context).change(id, (current) => {
      requireUndecided(current, nowMs);
      return { ...decision, decided: nowMs };
    }),
  );
  if (decided === null) throw new PublicError('approval_not_found');
  return decided;
}

/** @throws PublicError approval_expired, approval_not_found */
export function requireUndecided(approval: Approval, nowMs: number): void {
  const state = stateOf(approval, nowMs);
  if (state === 'expired') throw new PublicError('approval_expired');
  if (state !== 'open') throw new PublicError('approval_not_found');
}
