import { directoryKey } from '../../../../contracts/directory-keys.ts';
import { replaceEntry, updateEntry } from '../../../directory/write-entries.ts';
import type { GatewayContext } from '../../../operation.ts';
import { jumps, type Rates, withReference } from './rate-jumps.ts';

/**
 * Stores the rates of a brand (empty: the default ones) and gives their version; null where they jump, which needs a
 * second administrator. Only where a four-eyes rule holds the present rates are read: a table may be large.
 */
export async function storeRates(
  context: GatewayContext,
  brand: string,
  table: Rates,
  { isRuled, isApproved }: { readonly isRuled: boolean; readonly isApproved: boolean },
): Promise<number | null> {
  const key = directoryKey.rates(brand);
  if (!isRuled) return replaceEntry(context, 'rates', key, table);
  const nowMs = context.clock.nowMs();
  let isJump = false;
  const version = await updateEntry(context, 'rates', key, (current) => {
    const inForce = current ?? context.directory.rates(brand) ?? null;
    isJump = !isApproved && jumps(inForce, table, nowMs);
    return isJump ? null : withReference(inForce, table, nowMs, isApproved);
  });
  return isJump ? null : version;
}
