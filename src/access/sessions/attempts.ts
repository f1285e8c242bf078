import type { Clock } from '../../ports.ts';

/** Counts events by name in windows of fixed length; the oldest names go first when there are too many. */
interface Attempts {
  /** Seconds until the name may try again; 0: now. */
  blockedSeconds(name: string): number;
  count(name: string): void;
}

interface AttemptLimits {
  readonly max: number;
  readonly windowMs: number;
  readonly names: number;
}

/** Counts at most `max` events of a name in a window that its first one begins, for at most `names` names. */
export function createAttempts(clock: Clock, limits: AttemptLimits): Attempts {
  const windows = new Map<string, { startMs: number; count: number }>();
  return {
    blockedSeconds(name) {
      const window = windows.get(name);
      if (window === undefined || window.count < limits.max) return 0;
      const leftMs = window.startMs + limits.windowMs - clock.elapsedMs();
      return leftMs <= 0 ? 0 : Math.ceil(leftMs / 1000);
    },
    count(name) {
      const nowMs = clock.elapsedMs();
      const window = windows.get(name);
      if (window !== undefined && nowMs - window.startMs < limits.windowMs) {
        window.count += 1;
        return;
      }
      // Deletes first: the map's order is the order of the windows.
      windows.delete(name);
      if (windows.size >= limits.names) windows.delete(windows.keys().next().value as string);
      windows.set(name, { startMs: nowMs, count: 1 });
    },
  };
}
