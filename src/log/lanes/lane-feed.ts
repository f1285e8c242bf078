import { crash } from '../../lib/crash.ts';
import { WakeablePauses } from '../../lib/pauses.ts';
import { decodeRecordedChanges } from '../../messages/codec/read-model-events.ts';
import { type Follower, LogError } from '../../ports.ts';
import { askLane } from './ask-lane.ts';
import type { ReadModelFeedPorts, ReadModelSink } from './read-model-feed.ts';

const minPauseMs = 50;
const maxPauseMs = 1_000;

export interface LaneFeed {
  stop(): Promise<void>;
}

/**
 * Feeds one lane into the read model: its state by query, then the outcome records after it. Begins again
 * with a new state whenever this breaks: no actor answers, the log has a hole, a server lost messages.
 */
export function startLaneFeed(lane: number, sink: ReadModelSink, ports: ReadModelFeedPorts): LaneFeed {
  const { bus, clock, log } = ports;
  let stopped = false;
  let follower: Follower | null = null;
  const pauses = new WakeablePauses(clock);

  async function run(): Promise<void> {
    let pauseMs = minPauseMs;
    while (!stopped) {
      try {
        const sequence = await readState();
        if (stopped) return;
        pauseMs = minPauseMs;
        await follow(sequence + 1);
      } catch (error) {
        if (stopped) return;
        // A failure of one lane does not stop the others.
        const isOutage = error instanceof LogError && error.code === 'unavailable';
        if (!isOutage) ports.trouble?.(`Reading lane ${lane} again.`, error);
      }
      if (stopped) return;
      await pauses.pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, maxPauseMs);
    }
  }

  /** Reads all pages. Returns the sequence of the first: a follower from there misses nothing. */
  async function readState(): Promise<number> {
    // The lane's log has everything that was seen of it. A standby behind that must not answer, or a caller
    // would read less from a new process than from the one before.
    const shown = await log.lastCommand(lane);
    let first: number | null = null;
    for (let offset = 0; !stopped; ) {
      const minSequence = Math.max(shown, first ?? 0);
      const query = { kind: 'state', offset } as const;
      const page = await askLane(bus, lane, { minSequence, query, kind: 'state' });
      if (stopped) break;
      sink.laneState(lane, page.sequence, page.instances, page.bindings);
      // Items may move between pages while several are read.
      if (first === null && page.next >= page.total) sink.laneHasOnly(lane, page.sequence, page.bindings);
      first ??= page.sequence;
      offset = page.next;
      if (offset >= page.total) break;
    }
    return first ?? 0;
  }

  async function follow(fromSequence: number): Promise<void> {
    const current = log.followOutcomes(
      lane,
      fromSequence,
      { events: true },
      {
        message: (stored) => {
          const { sequence, events, credits } = decodeRecordedChanges(stored.bytes);
          if (events.length > 0) sink.laneEvents(lane, sequence, events);
          if (credits.length > 0) sink.laneCredits(credits);
        },
        caughtUp: () => sink.laneCurrent(lane),
      },
    );
    follower = current;
    await current.done;
  }

  run().catch(crash);
  return {
    /** A query under way ends by itself and changes nothing. */
    async stop() {
      stopped = true;
      pauses.wake();
      await follower?.stop();
    },
  };
}
