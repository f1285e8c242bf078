import {
  type DirectoryChange,
  type DirectoryKind,
  readDirectoryChange,
} from '../../contracts/directory/directory.ts';
import { kindOfKey } from '../../contracts/directory/directory-keys.ts';
import type { Heartbeat, ReceivedReply } from '../../messages/bus-messages.ts';
import { decodeHeartbeat, decodeLaneTick } from '../../messages/codec/codec.ts';
import type { ReadModelEvent } from '../../messages/events.ts';
import type { BindingList, InstanceDescription, LiveValues, LiveValuesNews } from '../../messages/records.ts';
import type { CreditRecord } from '../../messages/settlements.ts';
import { type Bus, type Clock, type Log, LogError } from '../../ports.ts';
import { heartbeatSubject, tickSubject } from '../base/names.ts';
import { type LaneFeed, startLaneFeed } from './lane-feed.ts';

const silenceCheckIntervalMs = 1_000;

/** The receiver of a feed: the read model of directory and lanes (directory/read-model.ts). */
export interface ReadModelSink {
  /** `change` null: this version does not know the entry, or the read model does not need it. */
  directoryChanged(change: DirectoryChange | null, revision: number): void;
  directoryCurrent(): void;
  laneCurrent(lane: number): void;
  laneState(
    lane: number,
    sequence: number,
    instances: readonly { readonly description: InstanceDescription; readonly liveValues: LiveValues }[],
    bindings: readonly BindingList[],
  ): void;
  /** At that sequence the lane had these binding lists and no others. */
  laneHasOnly(lane: number, sequence: number, bindings: readonly BindingList[]): void;
  laneEvents(lane: number, sequence: number, events: readonly ReadModelEvent[]): void;
  /** Credits whose state a stored record has changed. */
  laneCredits(credits: readonly CreditRecord[]): void;
  laneLiveValues(
    lane: number,
    sequence: number,
    allLiveValues: readonly (LiveValues | LiveValuesNews)[],
  ): void;
  laneSignalled(heartbeat: Heartbeat, nowMs: number): void;
  /** A heartbeat that this version cannot read. */
  laneForeign(lane: number, nowMs: number): void;
  timePassed(nowMs: number): void;
}

export interface ReadModelFeedPorts {
  readonly log: Log;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Kinds of directory entries that the read model's owner never asks for; default: it asks for all. */
  readonly skips?: ReadonlySet<DirectoryKind>;
  readonly trouble?: (what: string, error: unknown) => void;
}

export interface ReadModelFeed {
  /** Takes in a reply to a batch of this process before its callers see it: they read their own writes. */
  replied(reply: ReceivedReply): void;
  stop(): Promise<void>;
}

/**
 * Feeds a read model: watches KV DIRECTORY, asks each lane's actor for its state, then follows its outcome
 * records, ticks and heartbeats. Does not wait for actors that are still starting.
 * @throws LogError if the table cannot be opened
 */
export async function startReadModelFeed(
  sink: ReadModelSink,
  ports: ReadModelFeedPorts,
  lanes: number,
): Promise<ReadModelFeed> {
  const trouble = ports.trouble ?? (() => {});
  const skips: ReadonlySet<string> = ports.skips ?? new Set();
  const table = await ports.log.table('DIRECTORY');
  const watch = await table.watch({
    entry: (key, value, revision) => {
      const isSkipped = skips.has(kindOfKey(key));
      const change = isSkipped ? null : readChange(key, value, revision, trouble);
      sink.directoryChanged(change, revision);
    },
    current: () => sink.directoryCurrent(),
  });
  const { bus, clock } = ports;
  let cancelPoll = (): void => {};
  const poll = (): void => {
    sink.timePassed(clock.elapsedMs());
    cancelPoll = clock.after(silenceCheckIntervalMs, poll);
  };
  poll();
  const feeds: LaneFeed[] = [];
  const subscriptions: { stop(): void }[] = [];
  for (let lane = 0; lane < lanes; lane += 1) {
    feeds.push(startLaneFeed(lane, sink, ports));
    subscriptions.push(
      bus.subscribe(heartbeatSubject(lane), ({ bytes }) => {
        const heartbeat = readHeartbeat(bytes);
        if (heartbeat?.lane === lane) sink.laneSignalled(heartbeat, clock.elapsedMs());
        else sink.laneForeign(lane, clock.elapsedMs());
      }),
      bus.subscribe(tickSubject(lane), (message) => {
        try {
          const tick = decodeLaneTick(message.bytes);
          sink.laneLiveValues(tick.lane, tick.appliedSequence, tick.allLiveValues);
        } catch (error) {
          // Ticks are absolute and repeat: skip a broken one.
          if (!(error instanceof LogError)) throw error;
          trouble(`A tick of lane ${lane} cannot be read.`, error);
        }
      }),
    );
  }
  return {
    replied(reply) {
      sink.laneEvents(reply.lane, reply.sequence, reply.events);
      sink.laneLiveValues(reply.lane, reply.sequence, reply.allLiveValues);
    },
    async stop() {
      cancelPoll();
      for (const subscription of subscriptions) subscription.stop();
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

/** Reports an unreadable entry and leaves it as it was: the others must not wait for it. */
function readChange(
  key: string,
  value: Uint8Array | null,
  revision: number,
  trouble: (what: string, error: unknown) => void,
): DirectoryChange | null {
  try {
    return readDirectoryChange(key, value, revision);
  } catch (error) {
    trouble(`The directory entry ${key} cannot be read.`, error);
    return null;
  }
}
