import { commandPages, outcomePages } from '../../actors/audit/pages.ts';
import { WakeablePauses } from '../../lib/pauses.ts';
import type { LoopTurn } from '../../lib/turns.ts';
import {
  type Clock,
  type Follower,
  type Log,
  LogError,
  type StoredCommand,
  type StoredOutcome,
} from '../../ports.ts';
import { reportingLimits } from '../base/limits.ts';
import type { SpareTime } from './spare-time.ts';

export type PairLog = Pick<
  Log,
  'lastOutcome' | 'readCommand' | 'readCommands' | 'readOutcome' | 'readOutcomes'
>;

interface PairPorts {
  readonly log: PairLog;
  readonly clock: Clock;
  readonly turn: LoopTurn;
  readonly spareTime: Pick<SpareTime, 'isThere'>;
  /** How long it waits for spare time. */
  readonly givesWayMs: number;
}

/**
 * Reads a lane's commands together with their outcome records, in bursts: following each message would wake
 * nats-server and this process as often as the lane's owner. `pair` gets each message with its record,
 * strictly in order, and is awaited before the next. What it throws ends reading, as does a message that is
 * gone. While contributions need the whole machine, it waits, but not for longer than `givesWayMs`.
 */
export function readPairs(
  { log, clock, turn, spareTime, givesWayMs }: PairPorts,
  lane: number,
  fromSequence: number,
  pair: (command: StoredCommand, outcome: StoredOutcome) => Promise<void> | void,
): Follower {
  const commands = commandPages(log, lane);
  const outcomes = outcomePages(log, lane);
  const pauses = new WakeablePauses(clock);
  let isStopped = false;
  let next = fromSequence;
  /** When it began to wait for spare time. */
  let waitsSinceMs: number | null = null;

  function isThereTime(): boolean {
    waitsSinceMs = spareTime.isThere ? null : (waitsSinceMs ?? clock.elapsedMs());
    return waitsSinceMs === null;
  }

  /** Up to that message, the last of the lane; or until there is no time, if it has not waited for long. */
  async function read(last: number): Promise<void> {
    const hasWaited = !isThereTime() && clock.elapsedMs() - waitsSinceMs! >= givesWayMs;
    if (hasWaited) waitsSinceMs = null;
    while (next <= last && !isStopped && waitsSinceMs === null) {
      const [command, outcome] = await Promise.all([commands.at(next), outcomes.at(next)]);
      if (command === null || outcome === null)
        throw new LogError('hole', `Message ${next} of lane ${lane} is gone.`);
      next += 1;
      await paired(command, outcome);
      if (!turn.isOver) continue;
      await turn.next();
      if (!hasWaited) isThereTime();
    }
  }

  async function paired(command: StoredCommand, outcome: StoredOutcome): Promise<void> {
    try {
      await pair(command, outcome);
    } catch (error) {
      throw new PairError(error);
    }
  }

  async function run(): Promise<void> {
    const { readEveryMs, readQuietEveryMs } = reportingLimits;
    let pauseMs: number = readEveryMs;
    while (!isStopped) {
      const before = next;
      try {
        await read(await log.lastOutcome(lane));
      } catch (error) {
        if (error instanceof PairError) throw error.cause;
        if (!(error instanceof LogError) || !error.retryable) throw error;
      }
      pauseMs = next > before ? readEveryMs : Math.min(2 * pauseMs, readQuietEveryMs);
      if (!isStopped) await pauses.pause(pauseMs);
    }
  }

  const done = run();
  // A caller that ignores `done` must not end the process.
  done.catch(() => {});
  return {
    done,
    async stop() {
      isStopped = true;
      pauses.wake();
      await done.catch(() => {});
    },
  };
}

/** What `pair` threw: no outage of the log, whatever it is. */
class PairError extends Error {
  constructor(cause: unknown) {
    super('A message could not be taken.', { cause });
  }
}
