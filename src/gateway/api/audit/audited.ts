import { authorize, mayEver, system } from '../../../access/rights/authorize.ts';
import type {
  AdministratorPrincipal,
  Principal,
  ServicePrincipal,
} from '../../../access/rights/principal.ts';
import { type AuditChange, type AuditOutcome, summaryOf } from '../../../audit/entry.ts';
import type { AuditResult, AuditTrail } from '../../../audit/trail.ts';
import { AuditUnavailable } from '../../../audit/writer.ts';
import { withoutSecrets } from '../../../contracts/fields/secrets.ts';
import { PublicError } from '../../base/errors.ts';
import type { Reply } from '../../base/reply.ts';
import type { AuditedRequest, GatewayContext, Operation } from '../operation/operation.ts';
import { requireSecondFactor } from '../operation/second-factor.ts';
import { accountState, changedAccounts } from './account-changes.ts';
import { recordingContext } from './recording-context.ts';
import { changeSubject } from './subject.ts';

const maxShownBodyBytes = 24 * 1024;

/**
 * Whether the trail has entries of the operation: of administrators' changes, and of those that a service
 * makes by a right of its own.
 */
export function isAudited(
  { authentication, method, audited }: Operation,
  principal: Principal | null = null,
): boolean {
  if (!('action' in authentication) || method === 'GET' || audited === false) return false;
  if (principal?.kind !== 'service') return principal?.kind !== 'anonymous';
  return authorize(principal, authentication.action, principal.operator) === 'allowed';
}

/**
 * Runs a change between two entries of the audit trail: the intent before it, the outcome before the answer
 * (docs/decisions/0222). @throws PublicError audit_unavailable, outcome_unknown
 */
export async function handleAudited(
  operation: Operation,
  request: AuditedRequest,
  context: GatewayContext,
): Promise<Reply> {
  const { params, body, bytes } = request;
  const subject = await changeSubject(operation, request, context);
  // The body of a bulk operation is too large to be searched for secrets in the gateway's loop.
  const isLarge = bytes !== null && bytes.length > maxShownBodyBytes;
  const shownBody = isLarge ? summaryOf(bytes) : withoutSecrets(operation.input.body, body);
  const open = await available(() => context.audit.begin(subject, { params, body: shownBody }));
  const changes: AuditChange[] = [];
  const before = accountState(request, context);
  const result = (outcome: AuditOutcome, status: number, code: string | null): AuditResult => ({
    outcome,
    status,
    code,
    changes: [...changes, ...changedAccounts(before, accountState(request, context))],
  });
  let reply: Reply;
  try {
    await requireSecondFactor(operation, request, context);
    reply = await operation.handle(request as never, recordingContext(context, changes));
  } catch (error) {
    const { code, status } = error instanceof PublicError ? error : new PublicError('internal_error');
    const outcome = code === 'outcome_unknown' || code === 'internal_error' ? 'unknown' : 'refused';
    // The intent is in the trail, and nothing more is known for certain than what the caller learns.
    await open.finish(result(outcome, status, code)).catch(unlessUnavailable);
    throw error;
  }
  const outcome = reply.headers?.includes('x-approval-id') === true ? 'proposed' : 'applied';
  await open.finish(result(outcome, reply.status, null)).catch((error: unknown) => {
    unlessUnavailable(error);
    throw new PublicError('outcome_unknown');
  });
  return reply;
}

/** Whether an error is the refusal of a caller none of whose roles allows the operation. */
export function isRoleRefusal(
  { authentication }: Operation,
  principal: AdministratorPrincipal | ServicePrincipal,
  error: unknown,
): boolean {
  return (
    principal.kind === 'administrator' &&
    error instanceof PublicError &&
    error.code === 'forbidden' &&
    'action' in authentication &&
    !mayEver(principal, authentication.action)
  );
}

/** What a caller without the role tried, in one entry. @throws PublicError audit_unavailable */
export function recordForbidden(
  { id, method, path }: Operation,
  caller: {
    readonly principal: Pick<AdministratorPrincipal, 'subject'>;
    readonly address: string;
    readonly requestId: string;
  },
  audit: AuditTrail,
): Promise<void> {
  const subject = {
    request_id: caller.requestId,
    operation: id,
    method,
    path,
    user: caller.principal.subject,
    address: caller.address,
    owners: [system],
    reason: null,
    approval: null,
  };
  return available(() => audit.record(subject, { outcome: 'refused', status: 403, code: 'forbidden' }));
}

/** @throws PublicError audit_unavailable where the trail is not available */
export async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    unlessUnavailable(error);
    throw new PublicError('audit_unavailable');
  }
}

function unlessUnavailable(error: unknown): void {
  if (!(error instanceof AuditUnavailable)) throw error;
}
