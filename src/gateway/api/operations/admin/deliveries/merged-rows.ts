import type { DeliveryField } from '../../../../../contracts/payments/delivery.ts';
import type { DeliveryFilter, DeliveryRow } from '../../../../../contracts/payments/delivery-questions.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { allLanes, deliveryRows } from './deliveries.ts';

interface DeliveryOrder {
  readonly filter: DeliveryFilter;
  readonly field: DeliveryField;
  readonly direction: 1 | -1;
}

/** Rows of one answer of a lane. */
const sliceRows = 500;

/** The first rows of all lanes in one order: each lane gives its next slice when its last one is used up. */
export async function firstRows(
  context: GatewayContext,
  order: DeliveryOrder,
  count: number,
): Promise<readonly DeliveryRow[]> {
  const limit = Math.min(count, sliceRows);
  const lists = await Promise.all(allLanes(context).map((lane) => openList(context, lane, order, limit)));
  const rows: DeliveryRow[] = [];
  while (rows.length < count) {
    const first = lists.reduce<LaneList | null>((best, list) => earlier(best, list, order), null);
    const row = first?.rows[first.at];
    if (first === null || row === undefined) break;
    rows.push(row);
    first.at += 1;
    if (first.at === first.rows.length && first.rows.length === limit) await first.next(row);
  }
  return rows;
}

interface LaneList {
  rows: readonly DeliveryRow[];
  at: number;
  next(after: DeliveryRow | null): Promise<void>;
}

async function openList(
  context: GatewayContext,
  lane: number,
  order: DeliveryOrder,
  limit: number,
): Promise<LaneList> {
  const list: LaneList = {
    rows: [],
    at: 0,
    async next(row) {
      const after = row === null ? null : { value: placeOf(row, order), id: row.id };
      list.rows = await deliveryRows(context, lane, { kind: 'list', ...order, after, limit });
      list.at = 0;
    },
  };
  await list.next(null);
  return list;
}

function earlier(best: LaneList | null, list: LaneList, order: DeliveryOrder): LaneList | null {
  const [row, first] = [list.rows[list.at], best?.rows[best.at]];
  if (row === undefined) return best;
  if (first === undefined) return list;
  const difference = placeOf(row, order) - placeOf(first, order) || (row.id < first.id ? -1 : 1);
  return difference * order.direction < 0 ? list : best;
}

function placeOf({ createdMs, nextMs }: DeliveryRow, { field }: DeliveryOrder): number {
  return field === 'created_timestamp' ? createdMs : nextMs;
}
