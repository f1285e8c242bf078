import type { DeliveryView } from '../../../../../contracts/payments/delivery.ts';
import type { DeliveryRow } from '../../../../../contracts/payments/delivery-questions.ts';

/** A stored delivery as an administrator sees it. */
export function deliveryView(row: DeliveryRow, nowMs: number): DeliveryView {
  const { id, kind, owner, instance, origin, state, tries, lastError, lastTryMs, nextMs, createdMs } = row;
  return {
    id,
    event_id: id,
    event_type: kind === 'flush' ? 'DiversionFlush' : 'ContributionResult',
    kind,
    owner_id: owner,
    instance_id: instance === '' ? null : instance,
    origin,
    state,
    attempts: tries,
    last_error: lastError === '' ? null : lastError,
    last_try_timestamp: lastTryMs === 0 ? null : lastTryMs,
    next_try_timestamp: state === 'dead' ? null : nextMs,
    created_timestamp: createdMs,
    age_ms: Math.max(0, nowMs - createdMs),
    deliveries: row.deliveries,
    amount: row.amount === '' ? null : BigInt(row.amount),
    currency: row.currency === '' ? null : row.currency,
  };
}
