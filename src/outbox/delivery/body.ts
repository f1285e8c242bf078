import { writeContributionResult } from '../../contracts/contributions/contribution-result.ts';
import { errorBody, isErrorCode } from '../../contracts/errors/codes.ts';
import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { formatAmount } from '../../lib/money.ts';
import type { Refusal } from '../../messages/refusals.ts';
import type { FlushRecord } from '../../messages/settlements.ts';
import type { CallbackContent, Delivery } from './delivery.ts';

/** The bytes of a delivery's body, the same for every try (docs/rules/callbacks.md "Events"). */
export function deliveryBody(delivery: Delivery): Uint8Array {
  const { content } = delivery;
  switch (content.kind) {
    case 'Event':
      return Buffer.from(content.body, 'utf8');
    case 'DiversionFlush':
      return Buffer.from(flushText(content.flush, delivery.createdMs), 'utf8');
    case 'ContributionResult':
      return Buffer.from(callbackText(delivery, content), 'utf8');
  }
}

function callbackText({ id, owner, createdMs }: Delivery, content: CallbackContent): string {
  const { result, metadata } = content;
  const outcome =
    result.kind === 'Refused'
      ? `"error":${refusalText(result)}`
      : `"results":[${result.results
          .map((each) => writeContributionResult(each, content, createdMs, metadata, true))
          .join(',')}]`;
  return (
    `{"event_id":"${id}","event_type":"ContributionResult","timestamp":${createdMs},` +
    `"operator_id":${JSON.stringify(operatorOf(owner))},"brand_id":${JSON.stringify(owner)},` +
    `${outcome},"metadata":${metadata ?? 'null'}}`
  );
}

/** A later version of the engine may refuse with a code that this one does not know. */
function refusalText({ code, message }: Refusal): string {
  if (!isErrorCode(code)) return errorBody('internal_error');
  return message === '' ? errorBody(code) : errorBody(code, message);
}

function flushText(flush: FlushRecord, timestampMs: number): string {
  const { flushId, instance, accountId, amountAtoms, currency } = flush;
  return (
    `{"flush_id":"${flushId}","instance_id":${JSON.stringify(instance)},` +
    `"account_id":${JSON.stringify(accountId)},"amount":${formatAmount(amountAtoms)},` +
    `"currency":${JSON.stringify(currency)},"timestamp":${timestampMs}}`
  );
}
