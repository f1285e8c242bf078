import { type Approval, type Approvals, bodyHash } from '../../../access/approvals.ts';
import { system } from '../../../access/rights/authorize.ts';
import { operatorOf } from '../../../contracts/fields/identifiers.ts';
import { withoutSecrets } from '../../../contracts/fields/secrets.ts';
import type { FourEyesRule } from '../../../directory/four-eyes/rule.ts';
import { assert } from '../../../lib/assert.ts';
import { PublicError } from '../../base/errors.ts';
import { keyOfHeader } from '../../base/idempotency-key.ts';
import type { Reply } from '../../base/reply.ts';
import { stored } from '../../base/stored.ts';
import { filledPath } from '../audit/subject.ts';
import type { AuditedRequest, GatewayContext, Operation } from '../operation/operation.ts';
import { fourEyesRule } from './four-eyes.ts';

/** Open approvals of an operator, and of one administrator among them. */
const maxOpenOfOperator = 100;
const maxOpenOfProposer = 25;
/** By all administrators for an operator, whatever became of them: the table keeps each for weeks. */
const maxProposedAMinute = 100;
const minuteMs = 60_000;
const idBytes = 16;
const formerKeysMs = 24 * 3_600_000;

/** As it is stored, a body takes twice its room in one message of the log. */
const maxBodyBytes = 128 * 1024;

export type AdministratorsRequest = Pick<
  AuditedRequest,
  'params' | 'body' | 'table' | 'headers' | 'address' | 'approved' | 'bytes' | 'operation'
> & { readonly principal: { readonly subject: string } };

interface Proposing {
  /** Whether this change needs a second administrator under the rule of that owner; absent: it does. */
  readonly isNeeded?: (rule: FourEyesRule, owner: string) => boolean | Promise<boolean>;
  /** Refuses what a repeat with the same Idempotency-Key need not meet any more. */
  readonly checkNew?: () => void;
  /** Versions for which alone the change is approved. */
  readonly fences?: () => Readonly<Record<string, number>>;
}

/**
 * Proposes the change where an owner's rule asks for a second administrator: 202 with X-Approval-Id. null:
 * the caller may go on. Called after every check that changes nothing.
 */
export async function proposedChange(
  context: GatewayContext,
  request: AdministratorsRequest,
  owners: string | readonly string[],
  proposing: Proposing = {},
): Promise<Reply | null> {
  if (request.approved !== null) return null;
  for (const owner of onePerOperator(owners)) {
    const rule = await fourEyesRule(context, owner);
    if (!rule.enabled || (await proposing.isNeeded?.(rule, owner)) === false) continue;
    return propose(context, request, owner, proposing);
  }
  return null;
}

/** The first of each operator, in their order. */
function onePerOperator(owners: string | readonly string[]): readonly string[] {
  const named = typeof owners === 'string' ? [owners] : owners;
  const operators = named.map(operatorOf);
  return named.filter((_, index) => operators.indexOf(operators[index]!) === index);
}

/** Stores a proposal. A repeat with the same Idempotency-Key gets the same approval, unchecked. */
export async function propose(
  context: GatewayContext,
  request: AdministratorsRequest,
  owner: string,
  { checkNew, fences }: Pick<Proposing, 'checkNew' | 'fences'> = {},
): Promise<Reply> {
  const { operation, principal, params, body, table, address, headers } = request;
  assert(operation.fourEyes === true, 'only declared operations are proposed');
  const bytes = request.bytes ?? new Uint8Array();
  if (bytes.length > maxBodyBytes) throw new PublicError('payload_too_large');
  const approvals = requireApprovals(context);
  const key = keyOfHeader(headers);
  const id = key === null ? randomId(context) : await idOfKey(context, owner, principal.subject, key);
  if (key === null || (await stored(() => approvals.read(id))) === null) {
    checkNew?.();
    requireRoom(approvals, owner, principal.subject, context.clock.nowMs());
  }
  const { reason } = (body ?? {}) as { readonly reason?: unknown };
  const proposed = {
    id,
    owner,
    operation: operation.id,
    name: operation.name,
    method: operation.method,
    path: operation.path,
    params: params as Record<string, string>,
    idempotency_key: textOf(headers['idempotency-key']),
    if_match: textOf(headers['if-match']),
    reason: typeof reason === 'string' ? reason : null,
    proposed_by: principal.subject,
    address,
    expires: context.clock.nowMs() + context.approvalLifetimeMs,
    media_type: (table ?? null) === null ? ('application/json' as const) : ('text/csv' as const),
    fences: { ...fences?.() },
  };
  await stored(() => approvals.create(proposed, bytes));
  const present = await stored(() => approvals.read(id));
  if (present === null) throw new PublicError('storage_unavailable');
  requireSameRequest(present, proposed, bytes);
  return {
    status: 202,
    headers: ['x-approval-id', id],
    body: approvalView(context, present),
  };
}

/** @throws Error in a process that takes no changes of administrators */
export function requireApprovals({ access }: GatewayContext): Approvals {
  assert(access.approvals !== null, 'a gateway has the table of approvals');
  return access.approvals;
}

function requireRoom(approvals: Approvals, owner: string, proposer: string, nowMs: number): void {
  let ofOperator = 0;
  let ofProposer = 0;
  let ofMinute = 0;
  for (const each of approvals.ofOperator(operatorOf(owner))) {
    if (each.created > nowMs - minuteMs) ofMinute += 1;
    if (each.state !== 'open' || each.expires <= nowMs) continue;
    ofOperator += 1;
    if (each.proposed_by === proposer) ofProposer += 1;
  }
  if (ofOperator >= maxOpenOfOperator || ofProposer >= maxOpenOfProposer)
    throw new PublicError('rate_limited', 'Too many changes wait for approval.', { retryAfterSeconds: 60 });
  if (ofMinute >= maxProposedAMinute)
    throw new PublicError('rate_limited', 'Too many changes were proposed.', { retryAfterSeconds: 60 });
}

/** A key belongs to one request; what became of its proposal, the approval says. */
function requireSameRequest(
  present: Approval,
  proposed: Pick<Approval, 'method' | 'path' | 'params' | 'if_match'>,
  bytes: Uint8Array,
): void {
  const same =
    present.sha256 === bodyHash(bytes) &&
    present.method === proposed.method &&
    present.path === proposed.path &&
    present.if_match === proposed.if_match &&
    JSON.stringify(present.params) === JSON.stringify(proposed.params);
  if (!same) throw new PublicError('idempotency_key_reused');
}

function randomId({ random }: GatewayContext): string {
  return Buffer.from(random.bytes(idBytes)).toString('base64url');
}

/** Keys belong to the operator or brand; those of earlier releases to a user, as long as they count. */
async function idOfKey(context: GatewayContext, owner: string, user: string, key: string): Promise<string> {
  const former = idOfText(`${owner === system ? '*' : operatorOf(owner)} ${user}\0${key}`);
  const first = await stored(() => requireApprovals(context).read(former));
  const isKnown = first !== null && first.created > context.clock.nowMs() - formerKeysMs;
  return isKnown ? former : idOfText(`${owner === system ? '*' : owner}\0${key}`);
}

function idOfText(text: string): string {
  return Buffer.from(bodyHash(Buffer.from(text, 'utf8')), 'hex')
    .subarray(0, idBytes)
    .toString('base64url');
}

function textOf(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

type ShownState = Approval['state'] | 'expired';

/** What has become of a proposal: expiry is not written. */
export function stateOf({ state, expires }: Pick<Approval, 'state' | 'expires'>, nowMs: number): ShownState {
  return state === 'open' && expires <= nowMs ? 'expired' : state;
}

/** An approval without secrets. Bytes with secrets show no hash, which would allow guesses. */
export function approvalView(context: GatewayContext, approval: Approval) {
  const body = storedBody(context, approval);
  const operation = operationOf(context, approval);
  const shown = operation === undefined ? null : withoutSecrets(operation.input.body, body);
  const hasSecrets = JSON.stringify(shown) !== JSON.stringify(body);
  return {
    id: approval.id,
    state: stateOf(approval, context.clock.nowMs()),
    owner_id: approval.owner,
    operation: approval.operation,
    name: approval.name,
    method: approval.method,
    path: filledPath(approval.path, approval.params),
    body: shown,
    body_sha256: hasSecrets ? null : approval.sha256,
    idempotency_key: approval.idempotency_key,
    if_match: approval.if_match,
    template_version: approval.fences.template ?? null,
    reason: approval.reason,
    proposed_by: approval.proposed_by,
    created_timestamp: approval.created,
    expires_timestamp: approval.expires,
    decided_by: approval.decided_by,
    decided_timestamp: approval.decided,
    decision_reason: approval.decision_reason,
    result: approval.result === null ? null : shownResult(approval.result),
  };
}

/** JSON; of CSV its text; null where the request had none. */
function storedBody({ access: { approvals } }: GatewayContext, approval: Approval): unknown {
  assert(approvals !== null, 'an approval comes from the table');
  const text = Buffer.from(approvals.bytesOf(approval)).toString('utf8');
  if (approval.media_type === 'text/csv') return text;
  return text === '' ? null : JSON.parse(text);
}

function shownResult({ status, code, body }: NonNullable<Approval['result']>) {
  return { status_code: status, code, body: body === null ? null : (JSON.parse(body) as unknown) };
}

/** The operation that was proposed; undefined: this version does not have it. */
export function operationOf(
  { operations }: GatewayContext,
  { method, path }: Pick<Approval, 'method' | 'path'>,
): Operation | undefined {
  return operations.find((each) => each.method === method && each.path === path);
}
