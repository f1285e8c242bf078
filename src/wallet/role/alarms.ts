import { type Clock, LogError } from '../../ports.ts';
import type { ExecutionAlarm } from '../execution/lane-context.ts';
import { executionLimits } from '../execution/limits.ts';

export type WalletAlarm = ExecutionAlarm | 'wallet_address_not_allowed' | 'wallet_lane_unanswered';

/** Brands and codes that are remembered; the oldest go first. */
const maxRemembered = 4_096;

interface WalletAlarms {
  ofBrand(code: ExecutionAlarm, brand: string, message: string): void;
  ofLane(lane: number, error: unknown): void;
}

/** Alarms of the execution, each kind at most every five minutes for a brand or a lane. */
export function alarmsOf(
  clock: Clock,
  alarm: (code: WalletAlarm, message: string, error?: unknown) => void,
): WalletAlarms {
  const toldMs = new Map<string, number>();
  const isNews = (key: string): boolean => {
    const nowMs = clock.elapsedMs();
    const before = toldMs.get(key);
    if (before !== undefined && nowMs - before < executionLimits.alarmEveryMs) return false;
    toldMs.delete(key);
    if (toldMs.size >= maxRemembered) for (const oldest of toldMs.keys()) if (toldMs.delete(oldest)) break;
    toldMs.set(key, nowMs);
    return true;
  };
  return {
    ofBrand(code, brand, message) {
      if (isNews(`${code} ${brand}`)) alarm(code, `${brand}: ${message}`);
    },
    ofLane(lane, error) {
      if (!(error instanceof LogError) || isNews(`${error.code} ${lane}`))
        alarm('wallet_lane_unanswered', `Lane ${lane} does not answer the wallet role yet.`, error);
    },
  };
}
