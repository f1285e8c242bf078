import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { addressToReach } from '../../lib/loopback.ts';
import { pause } from '../../lib/pauses.ts';
import type { TraceParent } from '../../lib/tracing.ts';
import type { Clock } from '../../ports.ts';
import { PublicError } from '../base/errors.ts';
import { sendError, sendReply } from './answer.ts';
import { ClientAddresses } from './client-address.ts';
import { type ConsoleOptions, serveConsole } from './console.ts';
import type { Cors } from './cors.ts';
import type { NodeExchange } from './fast-path/exchange.ts';
import { FastPath } from './fast-path/fast-path.ts';
import type { FastPathRoute } from './fast-path/route.ts';
import { MovingConnections, placeOf, untilGone } from './hand-over.ts';
import { publicErrorOfFastify } from './library-errors.ts';
import { httpLimits } from './limits.ts';
import { type HttpRoute, mountRoutes } from './mount.ts';
import { createNotFound } from './not-found.ts';
import { serveClient, servePages } from './pages.ts';
import { Places } from './places.ts';
import { BodyReader, expectContinue } from './read-body.ts';
import { RefusalDelays } from './refusal-delays.ts';
import { beginRequest, spanOf } from './request-observation.ts';
import { transportFault } from './transport.ts';
import { FeedProxy, isFeedRequest, withoutOffer } from './upgrade.ts';

/** Where and how a server listens, and its limits; defaults are those of `httpLimits`. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** A socket that this process inherited, to listen on in place of host and port; default null. */
  readonly listenFd?: number | null;
  readonly fanoutHost?: string;
  readonly fanoutPort: number;
  /** How long requests are served after `stop` while /readyz says 503; default 0. */
  readonly drainWaitMs?: number;
  readonly pagesDirectory: string;
  /** The scripts that pages of operators load. */
  readonly clientDirectory: string;
  /** The administrators' console; absent or null: none is served. */
  readonly console?: ConsoleOptions | null;
  readonly connectionsPerAddress?: number;
  readonly feedsPerAddress?: number;
  readonly publicFeedsPerAddress?: number;
  /** Networks whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  readonly requestTimeoutMs?: number;
}

/** What the server asks of those who know its routes. */
interface HttpHost {
  readonly clock: Clock;
  readonly cors: Cors;
  /** All routes; `fast` are served by the fast path, too. */
  routes(tools: HttpTools): { readonly all: readonly HttpRoute[]; readonly fast: readonly FastPathRoute[] };
  /** Limit of a client's message to a feed. */
  readonly feedMessageBytes: number;
  /** Requests whose bodies and answers have no end. */
  readonly streams: { readonly open: number; drain(): void; leave(clock: Clock): Promise<void> };
  /** Why no request should come now; null: it may. */
  notReady(): PublicError | null;
  /** What /readyz answers otherwise. */
  readiness(): unknown;
  report(error: unknown, trace?: TraceParent | null): void;
  /** Requests are refused from now on: work that no request asked for ends, too. */
  refusing(): Promise<unknown>;
}

export interface HttpTools {
  readonly addresses: ClientAddresses;
  readonly refusalDelays: RefusalDelays;
  /** Places of public feeds, websockets and event streams together (docs/rules/feeds.md "Public feed"). */
  readonly publicPlaces: Places;
  /** Answers with an error, and logs it where it is a bug. */
  fail(response: ServerResponse, error: unknown): void;
}

export interface HttpServer {
  readonly port: number;
  readonly feedSockets: () => number;
  /** Connections that could be another gateway's: neither feeds nor streams. */
  readonly movableConnections: () => number;
  /** Ends N connections with their next answers; they come back to any gateway that takes them. */
  moveConnections(connections: number): void;
  /**
   * Refuses new requests after the wait for balancers, and finishes those in flight. `hand_over`: other
   * gateways take new connections at once; this one serves until its own have gone, or for `handOverMs`.
   */
  stop(drain?: 'end' | 'hand_over'): Promise<void>;
}

/** Starts the HTTP front: the routes, the pages, the probes, and the way to the feeds. */
export async function startHttpServer(host: HttpHost, options: ListenOptions): Promise<HttpServer> {
  const { clock, cors, streams } = host;
  const addresses = new ClientAddresses(options.trustedProxies ?? []);
  const refusalDelays = new RefusalDelays(clock);
  const publicPlaces = new Places(
    httpLimits.publicFeeds,
    options.publicFeedsPerAddress ?? httpLimits.publicFeedsOfAddress,
  );
  const feeds = new FeedProxy({
    fanoutHost: addressToReach(options.fanoutHost ?? '127.0.0.1'),
    fanoutPort: options.fanoutPort,
    addresses,
    refusalDelays,
    socketsPerAddress: options.feedsPerAddress ?? httpLimits.proxiedSocketsOfAddress,
    publicPlaces,
    maxMessageBytes: host.feedMessageBytes,
  });
  const bodies = new BodyReader(() => clock.elapsedMs());
  const state: ServerState = { phase: 'serving' };
  const moving = new MovingConnections();
  let server: Server | undefined;

  const refuse = (response: ServerResponse, error: unknown, extra: readonly string[]): void => {
    if (!sendError(response, error, extra)) host.report(error, spanOf(response));
  };
  const fail = (response: ServerResponse, error: unknown): void => {
    const caller = error instanceof PublicError ? error.limitedCaller : null;
    if (caller === null) refuse(response, error, []);
    else
      refusalDelays.send(caller, (closes) => refuse(response, error, closes ? ['Connection', 'close'] : []));
  };
  const app = createFastify((handler) => {
    const created = createHttpServer(refusingFirst(state, moving, cors, handler), options.requestTimeoutMs);
    created.on('upgrade', (request, exchange, head) => {
      if (!isFeedRequest(request)) exchangeOf(exchange).replace(withoutOffer(request));
      else exchangeOf(exchange).release((socket) => feeds.onUpgrade(request, socket, head));
    });
    created.on('connect', (request, exchange) =>
      exchangeOf(exchange).release((socket) => notFound(request.url as string, lastAnswer(request, socket))),
    );
    server = created;
    return created;
  }, fail);
  // Without a route the body stays unread: Fastify's own handler would come after reading it.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    reply.hijack();
    notFound(request.raw.url as string, reply.raw);
  });
  const routes = host.routes({ addresses, refusalDelays, publicPlaces, fail });
  mountRoutes(app, routes.all, bodies);
  mountProbes(
    app,
    () => (state.phase !== 'serving' ? new PublicError('shutting_down') : host.notReady()),
    host.readiness,
  );
  const pages = await servePages(app, options.pagesDirectory);
  const scripts = await serveClient(app, options.clientDirectory);
  const screens = options.console ? await serveConsole(app, options.console) : [];
  const notFound = createNotFound(
    routes.all,
    new Set([...pages, ...scripts, ...screens, '/livez', '/readyz']),
  );

  const listening = server as unknown as Server;
  const fastPath = new FastPath(listening, {
    routes: routes.fast,
    addresses,
    refusalDelays,
    cors,
    connectionsPerAddress: options.connectionsPerAddress ?? httpLimits.connectionsOfAddress,
    report: host.report,
    draining: () => state.phase !== 'serving',
    moves: (socket) => moving.isDue && moving.includes(socket),
  });
  await app.listen(placeOf(options));
  return {
    port: (listening.address() as AddressInfo).port,
    feedSockets: () => feeds.sockets,
    movableConnections: () => Math.max(0, fastPath.connections - feeds.sockets - streams.open),
    moveConnections: (connections) => moving.move(connections),
    async stop(drain = 'end') {
      if (drain === 'end') await leaveBalancers(state, listening, clock, options.drainWaitMs ?? 0);
      else {
        state.phase = 'leaving';
        NetServer.prototype.close.call(listening);
        const feedsLeave = Promise.all([streams.leave(clock), feeds.leave(clock)]);
        await untilGone(() => fastPath.connections, clock);
        await feedsLeave;
      }
      state.phase = 'refusing';
      await host.refusing();
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
function exchangeOf(connection: Duplex): NodeExchange {
  return connection as NodeExchange;
}

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
  // A connection on which nothing moves, also because its answers are not read.
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
  readiness: () => unknown,
): void {
  app.get('/livez', (_request, reply) => sendReply(reply.raw, { status: 200, body: { status: 'ok' } }));
  app.get('/readyz', (_request, reply) => {
    const error = refusal();
    if (error !== null) sendError(reply.raw, error);
    else sendReply(reply.raw, { status: 200, body: readiness() });
  });
}

/**
 * Serves on until balancers have noticed, and then takes no connections: a balancer without probes goes to
 * another gateway when its connection is refused (docs/rules/operating.md "Behind a balancer").
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
  // An HTTP server's close() would also end connections that are idle just now.
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
