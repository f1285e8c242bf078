import { toHex } from '../../lib/bytes.ts';
import { type Log, LogError, type Random, type Table } from '../../ports.ts';

/** Key in KV PLACEMENT. The id distinguishes systems in files outside of their log. */
const key = 'system.id';

/** Stores an id for a new system, 24 hexadecimal digits, if no process has yet. @throws LogError */
export async function storeSystemId(placement: Table, random: Random): Promise<void> {
  await placement.put(key, Buffer.from(toHex(random.bytes(12)), 'utf8'), 0);
}

/** The id of the system. @throws LogError on outages; `misconfigured` where there is none */
export async function systemId(placement: Table): Promise<string> {
  const found = await findSystemId(placement);
  if (found === null) throw new LogError('misconfigured', 'KV PLACEMENT has no id of the system.');
  return found;
}

/** The id of the system; null for a new system. @throws LogError on outages */
export async function findSystemId(placement: Table): Promise<string | null> {
  const present = await placement.get(key);
  return present === null ? null : Buffer.from(present.value).toString('utf8');
}

/** Whether any lane ever stored a command; a missing stream never did. @throws LogError on outages */
export async function hasHistory(log: Pick<Log, 'lastCommand'>, lanes: number): Promise<boolean> {
  for (let lane = 0; lane < lanes; lane += 1) if ((await lastCommand(log, lane)) > 0) return true;
  return false;
}

async function lastCommand(log: Pick<Log, 'lastCommand'>, lane: number): Promise<number> {
  try {
    return await log.lastCommand(lane);
  } catch (error) {
    if (error instanceof LogError && error.code === 'misconfigured') return 0;
    throw error;
  }
}
