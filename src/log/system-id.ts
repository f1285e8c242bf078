import { toHex } from '../lib/bytes.ts';
import type { Table } from '../ports.ts';

/** In KV PLACEMENT: which system this is, for what is kept outside of its log. */
const key = 'system.id';

/** Makes it where the system has none yet. @throws LogError */
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

/** Null: the system has none yet. @throws LogError */
export async function findSystemId(placement: Table): Promise<string | null> {
  const present = await placement.get(key);
  return present === null ? null : Buffer.from(present.value).toString('utf8');
}
