import { LogError, type Table } from '../ports.ts';

/** Key in KV PLACEMENT: the number of lanes, stored at the system's first start. */
const key = 'system.lanes';

/**
 * Checks `lanes` against the number that the system was created with, because a group's lane depends on it
 * (docs/rules/log.md "Lanes and groups"). A new system passes; with `records` it stores the number.
 * @throws LogError `misconfigured` if they differ; LogError on outages
 */
export async function requireLanes(placement: Table, lanes: number, records: boolean): Promise<void> {
  let present = await placement.get(key);
  if (present === null && records) {
    const value = Buffer.from(JSON.stringify({ v: 1, lanes }), 'utf8');
    if ((await placement.put(key, value, 0)) !== null) return;
    // Another host of the same new system was faster.
    present = await placement.get(key);
  }
  if (present === null) return;
  const created = lanesIn(present.value);
  if (created === lanes) return;
  throw new LogError(
    'misconfigured',
    `This system was created with ${created} lanes, but POTSTREAM_LANES says ${lanes}. The number of lanes cannot be ` +
      `changed afterwards: set POTSTREAM_LANES=${created}, or start a new system on other data.`,
  );
}

/** The number of lanes that the system was created with; null before its first start. @throws LogError on outages */
export async function readSystemLanes(placement: Table): Promise<number | null> {
  const present = await placement.get(key);
  return present === null ? null : lanesIn(present.value);
}

function lanesIn(value: Uint8Array): number {
  return (JSON.parse(Buffer.from(value).toString('utf8')) as { readonly lanes: number }).lanes;
}
