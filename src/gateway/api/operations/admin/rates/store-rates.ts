import { isRemoved } from '../../../../../contracts/directory/directory.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { jumps, type Rates, withReference } from '../../../../../directory/four-eyes/rate-jumps.ts';
import { replaceEntry, updateEntry } from '../../../directory/write-entries.ts';
import type { GatewayContext } from '../../../operation/operation.ts';

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
  const defaults = context.directory.entries.rates.get('');
  let isJump = false;
  const version = await updateEntry(context, 'rates', key, (current) => {
    const inForce =
      current === null ? (context.directory.rates(brand) ?? null) : inForceOf(current, defaults);
    const next = isRemoved(table) ? (defaults ?? table) : table;
    isJump = !isApproved && jumps(inForce, next, nowMs);
    if (isJump) return null;
    const { reference } = withReference(inForce, next, nowMs, isApproved);
    return { ...table, ...(reference !== undefined && { reference }) };
  });
  return isJump ? null : version;
}

/** Where a brand's own table was removed, the default one is measured by what was remembered of the day. */
function inForceOf(current: Rates, defaults: Rates | undefined): Rates {
  if (!isRemoved(current) || defaults === undefined) return current;
  const { base_currency, multipliers, exponents, updated } = defaults;
  return {
    base_currency,
    multipliers,
    exponents,
    updated,
    reference: current.reference ?? defaults.reference,
  };
}
