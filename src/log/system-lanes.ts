import { LogError, type Table } from '../ports.ts';

/** In KV PLACEMENT, from the first start of the system on: how many lanes it has. */
const key = 'system.lanes';

/**
 * Compares the lanes of this process with those that the system was created with. A group's lane is its hash modulo their
 * number, so with another one contributions would go where nobody knows their jackpot. `records`: writes the number
 * where the system has none yet; without it a new system is let pass, for its owner has yet to come.
 * @throws LogError `misconfigured` where they differ; outages.
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

/** How many lanes the system was created with; null where it has not started yet. */
export async function readSystemLanes(placement: Table): Promise<number | null> {
  const present = await placement.get(key);
  return present === null ? null : lanesIn(present.value);
}

function lanesIn(value: Uint8Array): number {
  return (JSON.parse(Buffer.from(value).toString('utf8')) as { readonly lanes: number }).lanes;
}
