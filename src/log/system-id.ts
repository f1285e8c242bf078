import { toHex } from '../lib/bytes.ts';
import type { Table } from '../ports.ts';

/** Key in KV PLACEMENT. The id distinguishes systems in files outside of their log. */
const key = 'system.id';

/** The id of the system, 24 hexadecimal digits; creates it for a new system. @throws LogError on outages */
export async function systemId(
  placement: Table,
  random: { bytes(count: number): Uint8Array },
): Promise<string> {
  const present = await findSystemId(placement);
  if (present !== null) return present;
  const made = toHex(random.bytes(12));
  if ((await placement.put(key, Buffer.from(made, 'utf8'), 0)) !== null) return made;
  // Another host of the same new system was faster.
  return systemId(placement, random);
}

/** The id of the system; null for a new system. @throws LogError on outages */
export async function findSystemId(placement: Table): Promise<string | null> {
  const present = await placement.get(key);
  return present === null ? null : Buffer.from(present.value).toString('utf8');
}
