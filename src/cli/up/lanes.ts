import type { Settings } from '../../config.ts';
import { openTable } from '../../log/connect.ts';
import { requireLanes } from '../../log/system-lanes.ts';
import { LogError } from '../../ports.ts';
import { StartError } from '../../runtime/start-error.ts';
import { logSettings } from '../../wiring.ts';

/** @throws StartError `lanes_changed` if the system on this data has another number of lanes */
export async function requireSystemLanes(settings: Settings): Promise<void> {
  const placement = await openTable(logSettings(settings, 'start'), 'PLACEMENT');
  try {
    await requireLanes(placement.table, settings.lanes, false);
  } catch (error) {
    if (!(error instanceof LogError && error.code === 'misconfigured')) throw error;
    throw new StartError('lanes_changed', error.message);
  } finally {
    await placement.close();
  }
}
