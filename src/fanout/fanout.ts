import type { Access } from '../access/access.ts';
import type { ErrorCode } from '../contracts/errors.ts';
import type { LaneEvent } from '../contracts/log/outcomes.ts';
import type { Replica } from '../directory/replica.ts';
import type { Bus, Clock, Log } from '../lib/ports.ts';
import { Credentials } from './credentials.ts';
import { followEvents } from './event-follower.ts';
import { feedEventOf } from './events/index.ts';
import { Hub } from './hub.ts';
import { defaultSocketsLimit, drainMs, publishEveryMs, recoveryWindowMs, sweepEveryMs } from './limits.ts';
import { createMetrics } from './metrics.ts';
import { FeedServer } from './server.ts';
import { sweep } from './sweep.ts';

export interface FanoutPorts {
  readonly log: Log;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly access: Access;
  /** Moved by the replica feed. */
  readonly replica: Replica;
  /** Alarms for the people who run this. */
  alarm(message: string, error: unknown): void;
}

export interface FanoutOptions {
  readonly lanes: number;
  readonly port: number;
  readonly socketsLimit?: number;
}

export interface Fanout {
  readonly port: number;
  readonly hub: Hub;
  /** Null when new sockets are taken; otherwise one word why not. */
  unready(): string | null;
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

/** The feeds: listens, follows the lanes' events, publishes updates. Resolves when it listens; it is ready later. */
export async function startFanout(ports: FanoutPorts, options: FanoutOptions): Promise<Fanout> {
  const { log, bus, clock, access, replica } = ports;
  const nowMs = () => clock.nowMs();
  const caughtUp = new Set<number>();
  const failed = new Set<number>();
  let stopping = false;

  const metrics = createMetrics(() => hub.connections.size);
  const credentials = new Credentials(access);
  const server = new FeedServer({
    replica,
    credentials,
    metrics,
    nowMs,
    unready: () => refusalOf(unready()),
    socketsLimit: options.socketsLimit ?? defaultSocketsLimit,
  });
  const hub = new Hub({
    replica,
    metrics,
    nowMs,
    publish: (topic, frame) => server.publish(topic, frame),
  });

  function unready(): string | null {
    if (stopping) return 'stopping';
    if (failed.size > 0) return 'lane_stopped';
    if (!bus.connected()) return 'nats_disconnected';
    return replica.current() && caughtUp.size === options.lanes ? null : 'catching_up';
  }

  function takeEvents(
    lane: number,
    sequence: number,
    events: readonly LaneEvent[],
    timestampMs: number,
  ): void {
    // The replica may be behind this record; what it says is absolute, so that telling it twice does no harm.
    replica.laneEvents(lane, sequence, events);
    for (const event of events) {
      const feedEvent = feedEventOf(event, timestampMs);
      if (feedEvent !== null) hub.event(feedEvent);
    }
  }

  for (const instance of replica.lanes.instances.keys()) hub.updates.conflation.touch(instance);
  const unlisten = replica.onInstance((known) => hub.updates.conflation.touch(known.description.instance));
  const followers = Array.from({ length: options.lanes }, (_, lane) =>
    followEvents(log, lane, nowMs() - recoveryWindowMs, {
      events: takeEvents,
      caughtUp(current) {
        caughtUp.add(current);
        if (caughtUp.size === options.lanes) hub.goLive();
      },
      failed(broken, error) {
        failed.add(broken);
        ports.alarm(`The feeds cannot follow lane ${broken} any more.`, error);
        for (const connection of [...hub.connections]) hub.close(connection, 'overloaded');
      },
    }),
  );
  const port = await server.listen(hub, options.port);

  // While the lanes cannot be heard nothing is repeated: silence tells the client what an old value would hide.
  const publishing = setInterval(() => {
    if (unready() === null) hub.publishDue();
  }, publishEveryMs);
  const sweeping = setInterval(() => {
    sweep(hub, credentials, nowMs).catch((error: unknown) => ports.alarm('The sweep failed.', error));
  }, sweepEveryMs);

  return {
    port,
    hub,
    unready,
    metrics: () => metrics.registry.metrics(),
    async stop() {
      stopping = true;
      server.stopListening();
      clearInterval(publishing);
      clearInterval(sweeping);
      unlisten();
      const open = [...hub.connections];
      for (const connection of open) hub.close(connection, 'shutdown');
      await Promise.all(followers.map((follower) => follower.stop()));
      if (open.length > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
      server.close();
    },
  };
}

function refusalOf(unready: string | null): ErrorCode | null {
  if (unready === null) return null;
  return unready === 'stopping' ? 'shutting_down' : 'storage_unavailable';
}
