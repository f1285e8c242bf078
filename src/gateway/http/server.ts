import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import type { LaneReport } from '../../contracts/lane-report.ts';
import { addressToReach } from '../../lib/listen-address.ts';
import { pause } from '../../lib/pause.ts';
import type { TraceParent } from '../../lib/tracing.ts';
import { AllowedOrigins } from '../../network/allowed-origins.ts';
import type { Clock } from '../../ports.ts';
import { resumeApproved } from '../approvals/resume.ts';
import { recordEndedSwitches } from '../audit/ended-switches.ts';
import { BodyReader, expectContinue } from '../body/read.ts';
import { OpenStreams } from '../contribution-stream/open-streams.ts';
import { PublicError } from '../errors.ts';
import type { GatewayContext, Operation } from '../operation.ts';
import { AdministratorWrites } from './administrator-writes.ts';
import { nextRequestId, sendError, sendReply } from './answer.ts';
import { ClientAddresses } from './client-address.ts';
import { createContributionRoute } from './contribution-route.ts';
import { Cors } from './cors.ts';
import type { Exchange } from './fast-path/exchange.ts';
import { FastPath } from './fast-path/fast-path.ts';
import { publicErrorOfFastify } from './fastify-errors.ts';
import { isFeedPath, pathOf } from './feed-paths.ts';
import { placeOf, untilGone } from './hand-over.ts';
import { withoutOffer } from './ignored-upgrade.ts';
import { LargeBodies, rateTableRate } from './large-bodies.ts';
import { httpLimits } from './limits.ts';
import { createLookupRoute } from './lookup-route.ts';
import { type MountTools, mountOperation, prepareRoutes } from './mount.ts';
import { MovingConnections } from './moving-connections.ts';
import { createNotFound } from './not-found.ts';
import { OperatorQuotas } from './operator-quotas.ts';
import { servePages } from './pages.ts';
import { createPublicGetLimit } from './public-get-limit.ts';
import { RefusalDelays } from './refusal-delays.ts';
import { beginRequest } from './request-durations.ts';
import { spanOf } from './request-spans.ts';
import { transportFault } from './transport.ts';
import { FeedProxy } from './upgrade.ts';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** A socket that this process inherited, to listen on in place of host and port; default null. */
  readonly listenFd?: number | null;
  /** Default loopback. */
  readonly fanoutHost?: string;
  readonly fanoutPort: number;
  /** How long requests are served after `stop` while /readyz says 503; default 0. */
  readonly drainWaitMs?: number;
  readonly operations: readonly Operation[];
  readonly context: Omit<GatewayContext, 'operations'>;
  /** `web/dist` */
  readonly pagesDirectory: string;
  /** Why the gateway cannot take contributions now; null: it can. */
  readonly notReady: () => PublicError | null;
  /** Things that do not work although contributions are taken; a line each. */
  readonly degraded?: () => readonly string[];
  /** A bug of ours that a request met. */
  readonly report: (error: unknown, trace?: TraceParent | null) => void;
  /** How long an operation may take. */
  readonly handlerTimeoutMs?: number;
  readonly publicGetsPerSecond?: number;
  readonly administratorWritesPerSecond?: number;
  readonly connectionsPerAddress?: number;
  readonly feedsPerAddress?: number;
  /** Networks whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** false: every request is Fastify's; for comparisons. */
  readonly fastPaths?: boolean;
  /** How long a whole request may take to arrive. */
  readonly requestTimeoutMs?: number;
}

export interface GatewayServer {
  readonly port: number;
  readonly feedSockets: () => number;
  readonly openStreams: () => number;
  /** Connections that could be another gateway's: neither feeds nor streams. */
  readonly movableConnections: () => number;
  /** So many connections end with their next answers, and come back to whichever gateway takes them. */
  moveConnections(connections: number): void;
  /**
   * After the wait for balancers new requests are refused, the ones in flight are finished. `hand_over`: other gateways
   * take new connections at once, and this one serves until its own have gone to them, or for `handOverMs`.
   */
  stop(drain?: 'end' | 'hand_over'): Promise<void>;
}

/** Starts the HTTP front: every operation of the list, the pages, the probes, and the way to the feeds. */
export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const context: GatewayContext = { ...options.context, operations: options.operations };
  const addresses = new ClientAddresses(options.trustedProxies ?? []);
  const refusalDelays = new RefusalDelays(context.clock);
  const feeds = new FeedProxy(
    { host: addressToReach(options.fanoutHost ?? '127.0.0.1'), port: options.fanoutPort },
    addresses,
    options.feedsPerAddress ?? httpLimits.proxiedSocketsOfAddress,
    refusalDelays,
  );
  const bodies = new BodyReader(() => context.clock.elapsedMs());
  const state: ServerState = { phase: 'serving' };
  const moving = new MovingConnections();
  let server: Server | undefined;

  const refuse = (response: ServerResponse, error: unknown, extra: readonly string[]): void => {
    if (!sendError(response, error, extra)) options.report(error, spanOf(response));
  };
  const fail = (response: ServerResponse, error: unknown): void => {
    const caller = error instanceof PublicError ? error.limitedCaller : null;
    if (caller === null) refuse(response, error, []);
    else
      refusalDelays.send(caller, (closes) => refuse(response, error, closes ? ['Connection', 'close'] : []));
  };
  const publicGets = createPublicGetLimit(
    context.clock,
    options.publicGetsPerSecond ?? httpLimits.publicGetsPerSecond,
  );
  const administratorWrites = new AdministratorWrites(
    context.clock,
    options.administratorWritesPerSecond ?? httpLimits.administratorWritesPerSecond,
  );
  const largeBodies = new LargeBodies(context.clock);
  const { operators } = context.directory.entries;
  const quotas = new OperatorQuotas(context.clock, (operator) => operators.get(operator)?.quota);
  context.lanes.onReply(({ wins }) => quotas.charge(wins));
  const streams = new OpenStreams();
  const tools: MountTools = {
    context,
    streams: { context, quotas, refusalDelays, open: streams, report: options.report },
    bodies,
    publicGets,
    administratorWrites,
    largeBodies,
    rateTables: new LargeBodies(context.clock, rateTableRate),
    addresses,
    handlerTimeoutMs: options.handlerTimeoutMs ?? httpLimits.handlerTimeoutMs,
    fail,
  };
  const contributions = new Map(
    options.operations
      .filter(({ limits }) => limits?.contribution === true)
      .map((operation) => [operation, createContributionRoute(operation, context, quotas)]),
  );
  const lookups = options.operations
    .filter(({ limits }) => limits?.lookup === true)
    .map((operation) => createLookupRoute(operation, tools));
  const { clock, directory } = context;
  const origins = new AllowedOrigins(
    () => directory.entries.corsRulesInForce,
    () => clock.nowMs(),
  );
  const cors = new Cors(origins, directory, options.operations);
  const app = createFastify((handler) => {
    const created = createHttpServer(refusingFirst(state, moving, cors, handler), options.requestTimeoutMs);
    created.on('upgrade', (request, exchange, head) => {
      if (!isFeedPath(pathOf(request))) exchangeOf(exchange).replace(withoutOffer(request));
      else exchangeOf(exchange).release((socket) => feeds.onUpgrade(request, socket, head));
    });
    created.on('connect', (request, exchange) =>
      exchangeOf(exchange).release((socket) => notFound(request.url as string, lastAnswer(request, socket))),
    );
    server = created;
    return created;
  }, fail);
  // Where no route takes a request nobody reads its body: Fastify's own handler comes behind that.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    reply.hijack();
    notFound(request.raw.url as string, reply.raw);
  });
  prepareRoutes(app, tools);
  for (const operation of options.operations) {
    mountOperation(app, operation, tools, contributions.get(operation));
  }
  mountProbes(
    app,
    () => (state.phase !== 'serving' ? new PublicError('shutting_down') : options.notReady()),
    options.degraded ?? (() => []),
    () => options.context.directory.conditions.reports(),
  );
  const pages = await servePages(app, options.pagesDirectory, nextRequestId);
  const notFound = createNotFound(options.operations, new Set([...pages, '/livez', '/readyz']));

  const listening = server as unknown as Server;
  const fastPath = new FastPath(listening, {
    routes: options.fastPaths === false ? [] : [...contributions.values(), ...lookups],
    addresses,
    refusalDelays,
    cors,
    connectionsPerAddress: options.connectionsPerAddress ?? httpLimits.connectionsOfAddress,
    report: options.report,
    draining: () => state.phase !== 'serving',
    moves: (socket) => moving.isDue && moving.includes(socket),
  });
  const stopResuming = resumeApproved(context, options.report);
  const stopRecording = recordEndedSwitches(context, options.report);
  await app.listen(placeOf(options));
  return {
    port: (listening.address() as AddressInfo).port,
    feedSockets: () => feeds.sockets,
    openStreams: () => streams.open,
    movableConnections: () => Math.max(0, fastPath.connections - feeds.sockets - streams.open),
    moveConnections: (connections) => moving.move(connections),
    async stop(drain = 'end') {
      if (drain === 'end') await leaveBalancers(state, listening, context.clock, options.drainWaitMs ?? 0);
      else {
        state.phase = 'leaving';
        NetServer.prototype.close.call(listening);
        streams.drain();
        feeds.leave();
        await untilGone(() => fastPath.connections, context.clock);
      }
      state.phase = 'refusing';
      await Promise.all([stopResuming(), stopRecording()]);
      feeds.drain();
      streams.drain();
      await untilIdle(listening, fastPath, feeds);
      feeds.end();
      fastPath.closeAll();
      await app.close();
      bodies.stop();
    },
  };
}

/** A CONNECT leaves the socket to us: its answer is written by hand and ends it. */
function lastAnswer(request: IncomingMessage, socket: Socket): ServerResponse {
  socket.on('error', () => socket.destroy());
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.on('finish', () => socket.end());
  return response;
}

interface ServerState {
  /** `leaving`: requests are served, and end their connections; /readyz says that no more should come. */
  phase: 'serving' | 'leaving' | 'refusing';
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

function createFastify(
  makeServer: (handler: RequestHandler) => Server,
  fail: (response: ServerResponse, error: unknown) => void,
): FastifyInstance {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: true,
    bodyLimit: httpLimits.bodyBytes,
    routerOptions: { maxParamLength: httpLimits.urlBytes },
    // The server's own listener has done it.
    clientErrorHandler: () => {},
    serverFactory: (handler) => makeServer(handler as RequestHandler),
    frameworkErrors: (error, _request, reply) => fail(reply.raw, publicErrorOfFastify(error)),
  });
  app.setErrorHandler((error, _request, reply) => fail(reply.raw, publicErrorOfFastify(error)));
  return app as unknown as FastifyInstance;
}

/** What is decided before any route is looked for. */
function refusingFirst(
  state: ServerState,
  moving: MovingConnections,
  cors: Cors,
  handler: RequestHandler,
): RequestHandler {
  return (request, response) => {
    beginRequest(response);
    cors.mark(request, response);
    const fault = transportFault(request);
    if (fault !== null) return void sendError(response, new PublicError(fault), ['Connection', 'close']);
    const isProbe = request.url === '/livez' || request.url === '/readyz';
    if (state.phase !== 'serving' || moving.includes(exchangeOf(request.socket).socket))
      response.shouldKeepAlive = false;
    if (state.phase === 'refusing' && !isProbe) {
      return void sendError(response, new PublicError('shutting_down'), ['Connection', 'close']);
    }
    if (!cors.answerPreflight(request, response)) handler(request, response);
  };
}

/** Every connection of Node's server is one (docs/decisions/0013). */
function exchangeOf(connection: Duplex): Exchange {
  return connection as Exchange;
}

/** What Node does with a request before Fastify sees it. */
function createHttpServer(
  serve: RequestHandler,
  requestTimeoutMs: number = httpLimits.headersTimeoutMs + httpLimits.bodyTimeoutMs,
): Server {
  const server = createServer(
    {
      maxHeaderSize: httpLimits.headerBytes,
      headersTimeout: Math.min(httpLimits.headersTimeoutMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: httpLimits.keepAliveTimeoutMs,
      connectionsCheckingInterval: httpLimits.timeoutCheckMs,
      // Node would answer a missing Host by itself, without our error's shape.
      requireHostHeader: false,
      noDelay: true,
    },
    (request, response) => exchangeOf(request.socket).begin(response, serve),
  );
  server.maxConnections = httpLimits.connections;
  // A connection on which nothing moves: answers that nobody reads, too.
  server.timeout = httpLimits.keepAliveTimeoutMs;
  // Who ends its side has asked for all answers all the same.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('checkContinue', (request, response) => {
    expectContinue(request, () => response.writeContinue());
    exchangeOf(request.socket).begin(response, serve);
  });
  server.on('checkExpectation', (request, response) => exchangeOf(request.socket).begin(response, serve));
  server.on('clientError', (error, exchange) => exchangeOf(exchange).fail(error));
  return server;
}

function mountProbes(
  app: FastifyInstance,
  refusal: () => PublicError | null,
  degraded: () => readonly string[],
  lanes: () => readonly LaneReport[],
): void {
  app.get('/livez', (_request, reply) => sendReply(reply.raw, { status: 200, body: { status: 'ok' } }));
  app.get('/readyz', (_request, reply) => {
    const error = refusal();
    if (error !== null) return sendError(reply.raw, error);
    const details = degraded();
    const amiss = lanes().filter(({ condition }) => condition !== 'serving');
    // A balancer reads the status alone, a person the lanes and lines.
    const body = {
      status: details.length + amiss.length === 0 ? 'ok' : 'degraded',
      ...(amiss.length === 0 ? {} : { lanes: amiss }),
      ...(details.length === 0 ? {} : { details }),
    };
    sendReply(reply.raw, { status: 200, body });
  });
}

/**
 * Serves on until balancers have noticed, and then takes no more connections: a balancer that asks no probe goes to
 * another gateway when its connection is refused, because nothing of the request was sent
 * (docs/rules/operating.md "Behind a balancer").
 */
async function leaveBalancers(
  state: ServerState,
  server: Server,
  clock: Clock,
  waitMs: number,
): Promise<void> {
  if (waitMs === 0) return;
  state.phase = 'leaving';
  await pause(clock, waitMs);
  // Of HTTP servers, close() would also end connections that are idle just now.
  NetServer.prototype.close.call(server);
}

/** Idle connections are closed one by one as their requests end; the feeds' are not ours to wait for. */
async function untilIdle(server: Server, fastPath: FastPath, feeds: FeedProxy): Promise<void> {
  const deadlineMs = performance.now() + httpLimits.drainMs;
  let pauseMs: number = httpLimits.drainGraceMs;
  while (performance.now() < deadlineMs) {
    await sleep(pauseMs);
    fastPath.closeIdle();
    const open = await new Promise<number>((resolve) =>
      server.getConnections((error, count) => resolve(error === null ? count : 0)),
    );
    if (open <= feeds.sockets) return;
    pauseMs = 20;
  }
}
