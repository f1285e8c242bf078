import { setTimeout as sleep } from 'node:timers/promises';
import { decodeOutcomeEvents } from '../../messages/codec/codec.ts';
import type { LaneEvent } from '../../messages/events.ts';
import { type Follower, isUnreadable, type Log, LogError } from '../../ports.ts';
import { retryEveryMs } from '../base/limits.ts';

interface EventFollowerHandlers {
  /** The events of one stored record, in order; `timestampMs` is the record's. */
  events(lane: number, sequence: number, events: readonly LaneEvent[], timestampMs: number): void;
  /** Everything that was stored when following began has been handed over. */
  caughtUp(lane: number): void;
  /** Following ended by a hole or by corrupt bytes: nothing after it can be trusted. */
  failed(lane: number, error: unknown): void;
}

interface EventFollower {
  stop(): Promise<void>;
}

/**
 * Follows a lane's stored records with feed events from `sinceMs` on: a new process can recover what its
 * predecessor could. It asks again while the log is unreachable.
 */
export function followEvents(
  log: Log,
  lane: number,
  sinceMs: number,
  handlers: EventFollowerHandlers,
): EventFollower {
  let follower: Follower | null = null;
  let stopped = false;

  async function run(): Promise<void> {
    const first = await firstOutcomeWithRetries(log, lane, sinceMs, () => stopped);
    if (stopped) return;
    follower = log.followOutcomes(
      lane,
      first,
      { events: true },
      {
        message({ sequence, bytes }) {
          const record = decodeOutcomeEvents(bytes);
          handlers.events(lane, sequence, record.events, record.timestampMs);
        },
        caughtUp: () => handlers.caughtUp(lane),
      },
    );
    await follower.done;
  }

  const done = run().catch((error: unknown) => {
    if (!stopped) handlers.failed(lane, error);
  });
  return {
    async stop() {
      stopped = true;
      await follower?.stop();
      await done;
    },
  };
}

async function firstOutcomeWithRetries(
  log: Log,
  lane: number,
  sinceMs: number,
  isStopped: () => boolean,
): Promise<number> {
  for (;;) {
    try {
      return await firstOutcomeAt(log, lane, sinceMs);
    } catch (error) {
      // The owner of the lane makes its streams: until then the log says that they are missing.
      const mayPass = error instanceof LogError && error.code !== 'stopped' && !isUnreadable(error);
      if (!mayPass || isStopped()) throw error;
    }
    await sleep(retryEveryMs);
  }
}

/** The first sequence whose record is not older than `sinceMs`; one after the last if all are older. */
async function firstOutcomeAt(
  log: Pick<Log, 'lastOutcome' | 'readOutcome'>,
  lane: number,
  sinceMs: number,
): Promise<number> {
  let low = 1;
  let high = (await log.lastOutcome(lane)) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const record = await log.readOutcome(lane, middle);
    // Records that are gone were older than any window.
    if (record === null || record.timestampMs < sinceMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
