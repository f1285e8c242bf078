import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenVerifier } from '../../access/access.ts';
import type { PlayerTokens } from '../../access/players/player-tokens.ts';
import type { ErrorCode } from '../../contracts/errors/codes.ts';
import { decodeForeignEvent } from '../../contracts/feeds/feed.ts';
import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { decodeRevokedPlayerToken } from '../../contracts/payments/player-authentication.ts';
import { feedEventOf } from '../../directory/events/index.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import { pause } from '../../lib/pauses.ts';
import { pollIntervalMs, Silence } from '../../lib/silence.ts';
import { decodeHeartbeat } from '../../messages/codec/codec.ts';
import { isReadModelEvent, type LaneEvent } from '../../messages/events.ts';
import { AllowedOrigins } from '../../network/allowed-origins.ts';
import { readNetwork, TrustedProxies } from '../../network/trusted-proxies.ts';
import type { Bus, Clock, Log, Random } from '../../ports.ts';
import {
  defaultSocketsLimit,
  defaultStatusPeriodMs,
  drainMs,
  expiryCheckIntervalMs,
  publishEveryMs,
  recoveryWindowMs,
  unidentifiedSockets,
} from '../base/limits.ts';
import { createFanoutMetrics } from '../base/metrics.ts';
import { Closer } from '../connections/closing.ts';
import type { CloseReason, Connection } from '../connections/connection.ts';
import { FeedCredentials } from '../connections/credentials.ts';
import { Tickets } from '../connections/tickets.ts';
import type { EngineChoice, EngineName } from '../engines/engine.ts';
import { openEngine } from '../engines/open-engine.ts';
import { followEvents } from '../events/event-follower.ts';
import { foreignFeedEvent } from '../events/foreign-event.ts';
import { ForeignEvents } from '../publish/foreign-events.ts';
import { Hub } from '../publish/hub.ts';
import { StatusBoard } from '../publish/status-board.ts';
import { Tickers } from '../publish/tickers.ts';
import { closeInSlices, retryAfterMs } from '../sockets/leaving.ts';
import { PlayersElsewhere } from '../sockets/players-elsewhere.ts';
import { closeExpired, Sockets } from '../sockets/sockets.ts';
import { servedFeeds } from './server.ts';

/** A fan-out that cannot serve yet leaves new sockets to others at its port for this long. */
const readyWithinMs = 30_000;
const readyPollMs = 20;

/** Owners beat five times a second; with all of them silent what is known is old. */
const ownerSilentMs = 5000;

interface FanoutPorts {
  readonly log: Log;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly access: TokenVerifier;
  readonly players: Pick<PlayerTokens, 'authenticate'>;
  readonly subjects: {
    /** Other platforms' events, of all operators. */
    readonly foreignEvents: string;
    /** Players' tokens that wallets have taken back. */
    readonly revokedTokens: string;
    /** Where gateways redeem tickets. */
    readonly tickets: string;
    /** Heartbeats of the owners of all lanes. */
    readonly heartbeats: string;
    /** Among fan-outs: sockets of players. */
    readonly players: string;
  };
  /** Moved by the read-model feed. */
  readonly readModel: ReadModel;
  /** Alarms for the people who run this. */
  alarm(message: string, error: unknown): void;
}

interface FanoutOptions {
  readonly lanes: number;
  /** Default loopback. */
  readonly host?: string;
  readonly port: number;
  /** Others listen on the port too: this one begins when it can serve. */
  readonly sharesPort?: boolean;
  /** A socket of the parent to listen on, with the engine ws. */
  readonly listenFd?: number | null;
  readonly engine?: EngineChoice;
  /** How long new sockets are taken after `stop` while /readyz says 503; default 0. */
  readonly drainWaitMs?: number;
  readonly socketsLimit?: number;
  readonly unidentifiedLimit?: number;
  readonly publicFeedsPerAddress?: number;
  readonly statusPeriodMs?: number;
  /** Networks of proxies, beside those of this machine. */
  readonly trustedProxies?: readonly string[];
}

export interface Fanout {
  readonly port: number;
  readonly engine: EngineName;
  /** Why it is not uWebSockets.js; null: it is, or was not wanted. */
  readonly fallbackReason: string | null;
  readonly connections: ReadonlySet<Connection>;
  /** Null when new sockets are taken; otherwise one word why not. */
  unready(): string | null;
  metrics(): Promise<string>;
  /** `hand_over`: others take the sockets over, which leave in slices. */
  stop(drain?: 'end' | 'hand_over'): Promise<void>;
}

/** Listens, follows the lanes' events and publishes updates. Resolves once it listens; it is ready later. */
export async function startFanout(ports: FanoutPorts, options: FanoutOptions): Promise<Fanout> {
  const { log, bus, clock, access, readModel } = ports;
  const nowMs = () => clock.nowMs();
  const elapsedMs = () => clock.elapsedMs();
  const caughtUp = new Set<number>();
  const failed = new Set<number>();
  const silences = Array.from({ length: options.lanes }, () => new Silence());
  let leaving = false;
  let stopping = false;

  const { server: engine, fallbackReason } = openEngine<Connection>(options.engine ?? 'auto');
  const metrics = createFanoutMetrics(
    { all: () => sockets.connections.size, public: () => sockets.public.size },
    engine.name,
  );
  const credentials = new FeedCredentials({ access, players: ports.players, elapsedMs });
  const closer = new Closer(metrics, elapsedMs);
  const tickers = new Tickers(readModel, clock);
  const publish = (topic: string, frame: Buffer) => engine.publish(topic, frame);
  const hub = new Hub({ readModel, metrics, tickers, closer, nowMs, elapsedMs, publish });
  const foreignEvents = new ForeignEvents({
    recipientsOf: (event) => hub.foreignRecipients(event),
    deliver: (connection, event) => hub.foreignEvent(connection, event),
    dropped: () => metrics.foreignEventsDropped.inc(),
    elapsedMs,
    later: (task, delayMs) => void (delayMs === 0 ? setImmediate(task) : setTimeout(task, delayMs).unref()),
  });
  const board = new StatusBoard({ readModel, tickers, nowMs });
  const elsewhere = new PlayersElsewhere({
    bus,
    subject: ports.subjects.players,
    process: Buffer.from(ports.random.bytes(9)).toString('base64url'),
    here: { of: (player) => sockets.players.of(player), entries: () => sockets.players.entries() },
    elapsedMs,
  });
  const sockets = new Sockets({
    credentials,
    hub,
    board,
    closer,
    elsewhere,
    clock,
    publicOfAddress: options.publicFeedsPerAddress,
  });
  const close = (connection: Connection, reason: CloseReason) => closer.close(connection, reason);

  function unready(): string | null {
    if (stopping) return 'stopping';
    if (!bus.connected()) return 'nats_disconnected';
    if (silences.every(({ ms }) => ms > ownerSilentMs)) return 'lanes_hung';
    if (failed.size === options.lanes) return 'lane_stopped';
    if (!readModel.usable() || !everyLaneAlive()) return 'catching_up';
    return readModel.conditions.anyServes ? null : 'no_lane_serves';
  }

  /** No socket waits for a lane that stopped or cannot be followed any more. */
  function everyLaneAlive(): boolean {
    return silences.every(
      (_, lane) => caughtUp.has(lane) || failed.has(lane) || readModel.conditions.fault(lane) !== null,
    );
  }

  function handleEvents(
    lane: number,
    sequence: number,
    events: readonly LaneEvent[],
    timestampMs: number,
  ): void {
    // The read model may not have this record yet. The record is absolute, so applying it twice does no harm.
    readModel.laneEvents(lane, sequence, events.filter(isReadModelEvent));
    for (const event of events) {
      const feedEvent = feedEventOf(event, timestampMs);
      if (feedEvent !== null) hub.event(feedEvent, caughtUp.has(lane));
    }
  }

  for (const instance of readModel.lanes.instances.keys()) hub.updates.conflation.touch(instance);
  const unlisten = readModel.onInstance((known) => hub.updates.conflation.touch(known.description.instance));
  const subscriptions = [
    bus.subscribe(ports.subjects.heartbeats, ({ bytes }) => silences[decodeHeartbeat(bytes).lane]?.reset()),
    bus.subscribe(ports.subjects.foreignEvents, ({ bytes }) => {
      const event = decodeForeignEvent(bytes);
      if (event !== null) foreignEvents.take(operatorOf(event.brand), foreignFeedEvent(event));
    }),
    bus.subscribe(ports.subjects.revokedTokens, ({ bytes }) => {
      const revoked = decodeRevokedPlayerToken(bytes);
      if (revoked !== null) credentials.revokedTokens(revoked.brand, revoked.token);
    }),
  ];
  const followers = Array.from({ length: options.lanes }, (_, lane) =>
    followEvents(log, lane, nowMs() - recoveryWindowMs, {
      events: handleEvents,
      caughtUp(current) {
        caughtUp.add(current);
      },
      failed(broken, error) {
        failed.add(broken);
        ports.alarm(`The feeds no longer follow lane ${broken}.`, error);
      },
    }),
  );
  if (options.sharesPort === true) {
    for (let leftMs = readyWithinMs; unready() !== null && leftMs > 0; leftMs -= readyPollMs)
      await pause(clock, readyPollMs);
  }
  const host = options.host ?? '127.0.0.1';
  const port = await engine.listen(
    {
      listenFd: options.listenFd ?? null,
      ...servedFeeds({
        readModel,
        credentials,
        tickets: new Tickets({ bus, clock, random: ports.random, subject: ports.subjects.tickets }),
        sockets,
        hub,
        metrics,
        close,
        alarm: ports.alarm,
        elapsedMs,
        unready: () => refusalOf(unready()),
        socketsLimit: options.socketsLimit ?? defaultSocketsLimit,
        unidentifiedLimit: options.unidentifiedLimit ?? unidentifiedSockets,
        admissions: { pending: 0 },
        origins: new AllowedOrigins(() => readModel.entries.corsRulesInForce, nowMs),
        proxies: new TrustedProxies([...ownNetworks(host), ...(options.trustedProxies ?? [])]),
      }),
    },
    host,
    options.port,
  );

  // Repeats nothing while the lanes are silent: silence shows the client what an old value would hide.
  const whileAlive = (task: () => void) => () => {
    if (unready() === null) task();
  };
  const timers = [
    setInterval(() => {
      for (const silence of silences) silence.polled();
    }, pollIntervalMs),
    setInterval(
      whileAlive(() => hub.publishDue()),
      publishEveryMs,
    ),
    setInterval(
      whileAlive(() => board.publish()),
      options.statusPeriodMs ?? defaultStatusPeriodMs,
    ),
    setInterval(() => {
      hub.expire();
      tickers.expire();
      closeExpired({ sockets, closer, credentials, nowMs, elapsedMs }).catch((error: unknown) =>
        ports.alarm('Closing expired connections failed.', error),
      );
    }, expiryCheckIntervalMs),
  ];

  return {
    port,
    engine: engine.name,
    fallbackReason,
    connections: sockets.connections,
    unready: () => (leaving ? 'stopping' : unready()),
    metrics: () => metrics.registry.metrics(),
    async stop(drain = 'end') {
      leaving = true;
      const { drainWaitMs = 0 } = options;
      if (drainWaitMs > 0) await pause(clock, drainWaitMs);
      engine.stopListening();
      if (drain === 'hand_over')
        await closeInSlices(sockets.connections, (connection) => close(connection, 'shutdown'), clock);
      stopping = true;
      for (const timer of timers) clearInterval(timer);
      for (const subscription of subscriptions) subscription.stop();
      unlisten();
      const open = [...sockets.connections];
      for (const connection of open)
        closer.close(connection, 'shutdown', retryAfterMs(open.length, ports.random));
      elsewhere.stop();
      await Promise.all(followers.map((follower) => follower.stop()));
      if (open.length > 0) await sleep(drainMs);
      engine.close();
    },
  };
}

/** A gateway of this machine comes from one of these. */
function ownNetworks(host: string): string[] {
  return ['127.0.0.0/8', '::1/128', ...(readNetwork(host) === null ? [] : [host])];
}

function refusalOf(unready: string | null): ErrorCode | null {
  if (unready === null) return null;
  return unready === 'stopping' ? 'shutting_down' : 'storage_unavailable';
}
