import type { Approval } from '../../../access/approvals.ts';
import { withoutSecrets } from '../../../contracts/fields/secrets.ts';
import { assert } from '../../../lib/assert.ts';
import { filledPath } from '../audit/subject.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { operationOf } from './operation-of.ts';

type ShownState = Approval['state'] | 'expired';

/** What has become of a proposal: nobody has to write that one has expired. */
export function stateOf({ state, expires }: Pick<Approval, 'state' | 'expires'>, nowMs: number): ShownState {
  return state === 'open' && expires <= nowMs ? 'expired' : state;
}

/**
 * An approval as it is shown: the body without its secrets, and the hash of its exact bytes where it has none. A hash tells whoever
 * knows the rest of the body which password it was, guess by guess.
 */
export function approvalView(context: GatewayContext, approval: Approval) {
  const body = bodyOf(context, approval);
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
function bodyOf({ access: { approvals } }: GatewayContext, approval: Approval): unknown {
  assert(approvals !== null, 'an approval comes from the table');
  const text = Buffer.from(approvals.bytesOf(approval)).toString('utf8');
  if (approval.media_type === 'text/csv') return text;
  return text === '' ? null : JSON.parse(text);
}

function shownResult({ status, code, body }: NonNullable<Approval['result']>) {
  return { status_code: status, code, body: body === null ? null : (JSON.parse(body) as unknown) };
}
