import type { Approval, Approvals } from '../../access/approvals.ts';
import { withoutSecrets } from '../../audit/entry.ts';
import { pathOf } from '../audit/subject.ts';

export type ShownState = Approval['state'] | 'expired';

/** What has become of a proposal: nobody has to write that one has expired. */
export function stateOf({ state, expires }: Approval, nowMs: number): ShownState {
  return state === 'open' && expires <= nowMs ? 'expired' : state;
}

/** An approval as it is shown: the body without its secrets, and the hash of its exact bytes. */
export function approvalView(approvals: Approvals, approval: Approval, nowMs: number) {
  return {
    id: approval.id,
    state: stateOf(approval, nowMs),
    owner_id: approval.owner,
    operation: approval.operation,
    name: approval.name,
    method: approval.method,
    path: pathOf(approval.path, approval.params),
    body: withoutSecrets(bodyOf(approvals, approval)),
    body_sha256: approval.sha256,
    idempotency_key: approval.idempotency_key,
    if_match: approval.if_match,
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

function bodyOf(approvals: Approvals, approval: Approval): unknown {
  return JSON.parse(Buffer.from(approvals.bytesOf(approval)).toString('utf8'));
}

function shownResult({ status, code, body }: NonNullable<Approval['result']>) {
  return { status_code: status, code, body: body === null ? null : (JSON.parse(body) as unknown) };
}
