import type { Approval } from '../../../access/approvals.ts';
import { authorize } from '../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../access/rights/principal.ts';
import { errorStatus } from '../../../contracts/errors/codes.ts';
import { withoutSecrets } from '../../../contracts/fields/secrets.ts';
import { writeJson } from '../../../lib/json.ts';
import { readCsv } from '../../base/csv.ts';
import { isErrorCode, PublicError } from '../../base/errors.ts';
import { parseBody } from '../../base/json-body.ts';
import type { Reply } from '../../base/reply.ts';
import { stored } from '../../base/stored.ts';
import { validateInput } from '../../base/validate.ts';
import { handleAudited } from '../audit/audited.ts';
import type { ApprovedRequest, AuditedRequest, GatewayContext, Operation } from '../operation/operation.ts';
import { operationBody } from '../operation/operation-body.ts';
import { fencedTable } from './fenced-table.ts';
import { operationOf, requireApprovals, stateOf } from './propose.ts';

/** Longer than a request may take: after it, another gateway takes the execution up. */
export const claimMs = 15_000;
/** An execution that has not ended by then is given up: its outcome stays unknown. */
const giveUpAfterMs = 24 * 3_600_000;
/** Larger answers are not kept. */
const maxResultBytes = 64 * 1024;

/**
 * Executes an approved change that this gateway has claimed, with the rights of both administrators. Without
 * a certain result it stays approved, and a gateway tries again (docs/decisions/0220).
 * @throws PublicError outcome_unknown
 */
export async function executeApproved(
  context: GatewayContext,
  claimed: Approval,
  requestId: string,
): Promise<Approval> {
  const result = await resultOf(context, claimed, requestId);
  if (result === null) throw new PublicError('outcome_unknown');
  const end = { state: result.code === null ? 'executed' : 'refused', result } as const;
  const approvals = requireApprovals(context);
  const ended = await stored(() =>
    approvals.change(claimed.id, ({ state }) => (state === 'approved' ? end : null)),
  ).catch((error: unknown) => {
    // The change is executed: a later attempt finds that and stores it.
    throw error instanceof PublicError ? new PublicError('outcome_unknown') : error;
  });
  return ended ?? { ...claimed, ...end };
}

/** null: nothing is certain. */
async function resultOf(
  context: GatewayContext,
  claimed: Approval,
  requestId: string,
): Promise<NonNullable<Approval['result']> | null> {
  try {
    return resultOfReply(claimed, await run(context, claimed, requestId), context);
  } catch (error) {
    const code = error instanceof PublicError ? error.code : 'internal_error';
    const isCertain = errorStatus[code] < 500;
    const isOver = context.clock.nowMs() > (claimed.decided ?? 0) + giveUpAfterMs;
    if (!(error instanceof PublicError)) throw error;
    if (!isCertain && !isOver) return null;
    const given = isCertain ? code : 'outcome_unknown';
    return { status: errorStatus[given], code: given, body: writeJson({ message: error.message }) };
  }
}

/** The answer as everybody reads it who reads the approval: without secrets. */
function resultOfReply(
  claimed: Approval,
  { status, body, text }: Reply,
  context: GatewayContext,
): NonNullable<Approval['result']> {
  const output = operationOf(context, claimed)?.output;
  const answer = output === 'empty' ? body : withoutSecrets(output, body);
  const shown = text ?? (answer === undefined ? null : writeJson(answer));
  return { status, code: null, body: shown !== null && shown.length <= maxResultBytes ? shown : null };
}

/** The error that the operation ended with, for the caller who approved it. */
export function errorOf({ result }: Approval): PublicError | null {
  if (result === null || result.code === null || !isErrorCode(result.code)) return null;
  const { message = '' } = JSON.parse(result.body ?? '{}') as { readonly message?: string };
  return new PublicError(result.code, message);
}

async function run(context: GatewayContext, claimed: Approval, requestId: string): Promise<Reply> {
  const operation = operationOf(context, claimed);
  if (operation === undefined) throw new PublicError('route_not_found');
  const approved = approvedRequest(context, claimed);
  const bytes = Buffer.from(requireApprovals(context).bytesOf(claimed));
  const request = {
    principal: principalOf(context, claimed),
    ...(await inputOf(operation, claimed, bytes)),
    address: claimed.address,
    requestId,
    bytes,
    operation,
    approved,
  } as unknown as AuditedRequest;
  const { tables } = context;
  const fenced = { ...context, tables: { ...tables, directory: fencedTable(tables.directory, approved) } };
  return handleAudited(operation, request, fenced);
}

/** The inputs as the first request had them: the rules of every route hold for them again. */
async function inputOf(operation: Operation, claimed: Approval, bytes: Buffer) {
  const { params, csv } = operation.input;
  const isCsv = claimed.media_type === 'text/csv' && csv !== undefined;
  const json = isCsv || bytes.length === 0 ? undefined : parseBody(bytes);
  const header = (name: string, value: string | null) => (value === null ? {} : { [name]: value });
  return {
    params: params === undefined ? {} : validateInput(params, 'params', claimed.params),
    query: {},
    body: isCsv ? undefined : operationBody(operation, json, claimed.params),
    table: isCsv ? await readCsv(bytes, csv) : null,
    headers: {
      ...header('idempotency-key', claimed.idempotency_key),
      ...header('if-match', claimed.if_match),
    },
  };
}

/** The proposer with the rights of now, bound to the approver's. @throws PublicError forbidden */
function principalOf(context: GatewayContext, { proposed_by, decided_by }: Approval): AdministratorPrincipal {
  const proposer = administrator(context, proposed_by);
  return { ...proposer, approver: administrator(context, decided_by ?? '') };
}

function administrator({ access }: GatewayContext, username: string): AdministratorPrincipal {
  const account = access.accounts.find('administrator', username);
  if (account === undefined || !account.enabled)
    throw new PublicError('forbidden', 'An administrator of this change is gone.');
  const { roles, owners } = account;
  return {
    kind: 'administrator',
    subject: username,
    roles: new Set(roles),
    owners: new Set(owners),
    tokenId: '',
    expiresAtMs: 0,
  };
}

function approvedRequest(context: GatewayContext, claimed: Approval): ApprovedRequest {
  const approvals = requireApprovals(context);
  const fences = { ...claimed.fences };
  const store = async (name: string, found: number): Promise<void> => {
    const members = { fences: { ...fences, [name]: found } };
    const changed = await stored(() =>
      approvals.change(claimed.id, (current) => (current.state === 'approved' ? members : null)),
    );
    // Another gateway has ended it meanwhile.
    if (changed === null) throw new PublicError('outcome_unknown');
    fences[name] = found;
  };
  return {
    id: claimed.id,
    approvedBy: claimed.decided_by ?? '',
    sinceMs: claimed.decided ?? 0,
    attempt: claimed.attempts,
    async fence(name, found) {
      const known = fences[name];
      if (known !== undefined) return known;
      await store(name, found);
      return found;
    },
    moveFence: store,
  };
}

/** An approval that the caller may decide on; a decided one counts as missing. @throws PublicError */
export async function requireOpen(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  id: string,
): Promise<Approval> {
  const found = await stored(() => requireApprovals(context).read(id));
  if (found === null || authorize(principal, 'read', found.owner) !== 'allowed')
    throw new PublicError('approval_not_found');
  const { authentication, approverAction } = operationOf(context, found) ?? {};
  if (authentication?.kind !== 'administrator') throw new PublicError('approval_not_found');
  const isOwn = found.proposed_by === principal.subject;
  const action = isOwn ? authentication.action : (approverAction ?? authentication.action);
  if (authorize(principal, action, found.owner) !== 'allowed') throw new PublicError('forbidden');
  return found;
}

/** Decides an open approval with compare-and-set: of two administrators one wins. @throws PublicError */
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
