import { type DirectoryChange, readDirectoryChange } from '../contracts/directory.ts';
import type { BatchReply, Heartbeat } from '../messages/bus-messages.ts';
import { decodeHeartbeat, decodeLaneTick } from '../messages/codec/codec.ts';
import type { LaneEvent } from '../messages/events.ts';
import type { BindingList, Headline, InstanceDescription } from '../messages/records.ts';
import { type Bus, type Clock, type Log, LogError } from '../ports.ts';
import { type LaneFeed, startLaneFeed } from './lane-feed.ts';
import { heartbeatSubject, tickSubject } from './names.ts';

/** How often what nobody says any more is noticed. */
const lookForSilenceEveryMs = 1_000;

/** What the feed moves: the replica of the directory and the lanes (directory/replica.ts). */
export interface ReplicaSink {
  /** `change` null: a revision that says nothing to this version. */
  directoryChanged(change: DirectoryChange | null, revision: number): void;
  /** The directory has been read up to now. */
  directoryCurrent(): void;
  /** The lane has been read up to now. */
  laneCurrent(lane: number): void;
  laneState(
    lane: number,
    sequence: number,
    instances: readonly { readonly description: InstanceDescription; readonly headline: Headline }[],
    bindings: readonly BindingList[],
  ): void;
  /** The lane had these lists of bindings at that sequence and no others. */
  laneHasOnly(lane: number, sequence: number, bindings: readonly BindingList[]): void;
  laneEvents(lane: number, sequence: number, events: readonly LaneEvent[]): void;
  laneHeadlines(lane: number, sequence: number, headlines: readonly Headline[]): void;
  laneHeard(heartbeat: Heartbeat, nowMs: number): void;
  /** A heartbeat that this version does not read. */
  laneForeign(lane: number, nowMs: number): void;
  timePassed(nowMs: number): void;
}

export interface ReplicaFeedPorts {
  readonly log: Log;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Told of what goes wrong and is tried again. */
  readonly trouble?: (what: string, error: unknown) => void;
}

export interface ReplicaFeed {
  /** An answer to a batch of this process: taken in before its callers see it, so that they read their own writes. */
  replied(reply: BatchReply): void;
  stop(): Promise<void>;
}

/**
 * Keeps a replica moving: watches KV DIRECTORY, asks each lane's actor for its state, follows its outcome records and
 * ticks from there. Returns at once where actors are still starting: they are asked again until they answer.
 * @throws LogError where the directory's table cannot be opened.
 */
export async function startReplicaFeed(
  sink: ReplicaSink,
  ports: ReplicaFeedPorts,
  lanes: number,
): Promise<ReplicaFeed> {
  const trouble = ports.trouble ?? (() => {});
  const table = await ports.log.table('DIRECTORY');
  const watch = await table.watch({
    entry: (key, value, revision) => {
      sink.directoryChanged(readChange(key, value, revision, trouble), revision);
    },
    current: () => sink.directoryCurrent(),
  });
  const { bus, clock } = ports;
  let cancelLook = (): void => {};
  const look = (): void => {
    sink.timePassed(clock.nowMs());
    cancelLook = clock.after(lookForSilenceEveryMs, look);
  };
  look();
  const feeds: LaneFeed[] = [];
  const subscriptions: { stop(): void }[] = [];
  for (let lane = 0; lane < lanes; lane += 1) {
    feeds.push(startLaneFeed(lane, sink, ports));
    subscriptions.push(
      bus.subscribe(heartbeatSubject(lane), ({ bytes }) => {
        const heartbeat = readHeartbeat(bytes);
        if (heartbeat?.lane === lane) sink.laneHeard(heartbeat, clock.nowMs());
        else sink.laneForeign(lane, clock.nowMs());
      }),
      bus.subscribe(tickSubject(lane), (message) => {
        try {
          const tick = decodeLaneTick(message.bytes);
          sink.laneHeadlines(tick.lane, tick.appliedSequence, tick.headlines);
        } catch (error) {
          // Ticks are absolute and come again; a broken one is left out.
          if (!(error instanceof LogError)) throw error;
          trouble(`A tick of lane ${lane} cannot be read.`, error);
        }
      }),
    );
  }
  return {
    replied(reply) {
      sink.laneEvents(reply.lane, reply.sequence, reply.events);
      sink.laneHeadlines(reply.lane, reply.sequence, reply.headlines);
    },
    async stop() {
      cancelLook();
      for (const heard of subscriptions) heard.stop();
      await Promise.all([watch.stop(), ...feeds.map((feed) => feed.stop())]);
    },
  };
}

function readHeartbeat(bytes: Uint8Array): Heartbeat | null {
  try {
    return decodeHeartbeat(bytes);
  } catch {
    return null;
  }
}

/** An entry that does not read is reported and left as it was; the others must not wait for it. */
function readChange(
  key: string,
  value: Uint8Array | null,
  revision: number,
  trouble: (what: string, error: unknown) => void,
): DirectoryChange | null {
  try {
    return readDirectoryChange(key, value, revision);
  } catch (error) {
    trouble(`The directory's entry ${key} cannot be read.`, error);
    return null;
  }
}
