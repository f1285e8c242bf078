import type { InstanceDescription } from '../../messages/records.ts';
import type { SettlementRecord } from '../../messages/settlements.ts';
import { dayAt } from '../base/days.ts';
import type { LaneBatch, LanePosition } from '../base/lane-batch.ts';
import { instanceRow } from './events.ts';
import { openPaymentRow } from './payments.ts';

/** A lane in the middle of its life. */
interface LaneState {
  instances(): Iterable<string>;
  instance(id: string): InstanceDescription | null;
  accounts(id: string): readonly (readonly [account: string, atoms: bigint])[] | null;
  payments(): Iterable<SettlementRecord>;
}

/** Books that begin in the middle of a lane's life: what is there then, and the balances of then. */
export function firstBatch(position: LanePosition, state: LaneState): LaneBatch {
  const { lane, sequence, timestampMs } = position;
  const ids = [...state.instances()];
  const day = dayAt(timestampMs);
  const openings = ids.flatMap((instance) =>
    (state.accounts(instance) ?? []).flatMap(([account, balance]) =>
      balance === 0n ? [] : [{ instance, account, lane, sequence, day, balance }],
    ),
  );
  const instances = ids.flatMap((id) => {
    const described = state.instance(id);
    return described === null ? [] : [instanceRow(position, described)];
  });
  const payments = [...state.payments()].map((record) => openPaymentRow(position, record));
  const sums = { dailyTotals: [], players: [], movements: [] };
  return { lane, after: -1, position, rows: { instances, payments }, ...sums, openings };
}
