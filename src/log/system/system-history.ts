import { type Log, LogError } from '../../ports.ts';

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
