import type { DeliveryField } from '../../../../../contracts/payments/delivery.ts';
import type {
  DeliveryFilter,
  DeliveryPosition,
  DeliveryRow,
} from '../../../../../contracts/payments/delivery-questions.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { allLanes, deliverySlice } from './deliveries.ts';

interface DeliveryOrder {
  readonly filter: DeliveryFilter;
  readonly field: DeliveryField;
  readonly direction: 1 | -1;
}

/** Rows of one answer of a lane. */
const sliceRows = 500;

interface FirstRows {
  readonly rows: readonly DeliveryRow[];
  /** The rows of all lanes; null: an outbox of the release before does not count. */
  readonly total: number | null;
}

/**
 * The first rows of all lanes in one order, or the first ones after a place: each lane gives its next slice
 * when its last one is used up.
 */
export async function firstRows(
  context: GatewayContext,
  order: DeliveryOrder,
  count: number,
  after: DeliveryPosition | null = null,
): Promise<FirstRows> {
  const limit = Math.min(count, sliceRows);
  const lists = await Promise.all(
    allLanes(context).map((lane) => openList(context, lane, order, limit, after)),
  );
  const rows: DeliveryRow[] = [];
  while (rows.length < count) {
    const first = lists.reduce<LaneList | null>((best, list) => earlier(best, list, order), null);
    const row = first?.rows[first.at];
    if (first === null || row === undefined) break;
    rows.push(row);
    first.at += 1;
    if (first.at === first.rows.length && first.rows.length === limit)
      await first.next(deliveryPlace(row, order));
  }
  const total = lists.reduce<number | null>(
    (sum, list) => (sum === null || list.total === null ? null : sum + list.total),
    0,
  );
  return { rows, total };
}

interface LaneList {
  rows: readonly DeliveryRow[];
  at: number;
  total: number | null;
  next(after: DeliveryPosition | null): Promise<void>;
}

async function openList(
  context: GatewayContext,
  lane: number,
  order: DeliveryOrder,
  limit: number,
  from: DeliveryPosition | null,
): Promise<LaneList> {
  const list: LaneList = {
    rows: [],
    at: 0,
    total: null,
    async next(after) {
      const { rows, total = null } = await deliverySlice(context, lane, {
        kind: 'list',
        ...order,
        after,
        limit,
      });
      list.rows = rows;
      list.total = total;
      list.at = 0;
    },
  };
  await list.next(from);
  return list;
}

function earlier(best: LaneList | null, list: LaneList, order: DeliveryOrder): LaneList | null {
  const [row, first] = [list.rows[list.at], best?.rows[best.at]];
  if (row === undefined) return best;
  if (first === undefined) return list;
  const difference = sortValue(row, order) - sortValue(first, order) || (row.id < first.id ? -1 : 1);
  return difference * order.direction < 0 ? list : best;
}

/** Where a row is in the order. */
export function deliveryPlace(row: DeliveryRow, order: DeliveryOrder): DeliveryPosition {
  return { value: sortValue(row, order), id: row.id };
}

function sortValue({ createdMs, nextMs }: DeliveryRow, { field }: DeliveryOrder): number {
  return field === 'created_timestamp' ? createdMs : nextMs;
}
