import { type Log, LogError, type Random, type Table } from '../../ports.ts';
import { throughShortOutages } from '../jetstream/api.ts';
import { findSystemId, storeSystemId } from './system-id.ts';

/** Key in KV PLACEMENT: the number of lanes, stored at the system's first start. */
const key = 'system.lanes';

/**
 * Notes the number of lanes and the id of a new system, before it has a lane; of another one it checks the
 * number, because a group's lane depends on it (docs/rules/log.md "Lanes and groups"). Only `storage` calls
 * it.
 * @throws LogError `misconfigured` if the number differs, or if lanes are there but not what the table says
 * of them; outages
 */
export async function foundSystem(
  log: Pick<Log, 'table' | 'lastCommand'>,
  lanes: number,
  random: Random,
): Promise<void> {
  const placement = await log.table('PLACEMENT');
  if ((await readSystemLanes(placement)) === null) {
    await requireNoLane(log, lanes, key);
    // Another process of the same new system may be faster.
    await placement.put(key, Buffer.from(JSON.stringify({ v: 1, lanes }), 'utf8'), 0);
  }
  await requireLanes(placement, lanes);
  if ((await findSystemId(placement)) !== null) return;
  await requireNoLane(log, lanes, 'system.id');
  await storeSystemId(placement, random);
}

/**
 * Checks `lanes` against the number that the system was created with, once `storage` has stored it.
 * @throws LogError `misconfigured` if they differ; `unavailable` after 20 s
 */
export async function requireLanes(placement: Table, lanes: number): Promise<void> {
  const created = await throughShortOutages(async () => {
    const found = await readSystemLanes(placement);
    if (found !== null) return found;
    throw new LogError(
      'unavailable',
      'KV PLACEMENT has no number of lanes yet: storage stores it when it starts.',
    );
  });
  if (created === lanes) return;
  throw new LogError(
    'misconfigured',
    `This system was created with ${created} lanes, but POTSTREAM_LANES says ${lanes}. The number of lanes cannot be ` +
      `changed afterwards: set POTSTREAM_LANES=${created}, or start a new system on other data.`,
  );
}

/** The number of lanes that the system was created with; null before its first start. @throws LogError */
export async function readSystemLanes(placement: Table): Promise<number | null> {
  const present = await placement.get(key);
  return present === null
    ? null
    : (JSON.parse(Buffer.from(present.value).toString('utf8')) as { readonly lanes: number }).lanes;
}

/** A system with lanes is not new: another number of them would lead players to other lanes. */
async function requireNoLane(log: Pick<Log, 'lastCommand'>, lanes: number, lacks: string): Promise<void> {
  for (let lane = 0; lane < lanes; lane += 1) {
    if (!(await isThere(log, lane))) continue;
    throw new LogError(
      'misconfigured',
      `The streams of lane ${lane} are there, but KV PLACEMENT has no ${lacks}: somebody removed it. Runbook: docs/operate.md#lost-placement`,
    );
  }
}

async function isThere(log: Pick<Log, 'lastCommand'>, lane: number): Promise<boolean> {
  try {
    await log.lastCommand(lane);
    return true;
  } catch (error) {
    if (error instanceof LogError && error.code === 'misconfigured') return false;
    throw error;
  }
}
