import { clientMessageBytes } from '../../contracts/feeds/feed.ts';
import type { LaneReport } from '../../contracts/lanes/lane-report.ts';
import type { TraceParent } from '../../lib/tracing.ts';
import { resumeApproved } from '../api/approvals/resume.ts';
import { recordEndedSwitches } from '../api/audit/ended-switches.ts';
import { OperatorQuotas } from '../api/contribution/operator-quotas.ts';
import type { GatewayContext, Operation } from '../api/operation/operation.ts';
import type { PublicError } from '../base/errors.ts';
import { EventStreams } from '../event-stream/event-streams.ts';
import { HintStreams } from '../event-stream/hint-streams.ts';
import { httpLimits } from '../http/limits.ts';
import { type HttpServer, type ListenOptions, startHttpServer } from '../http/server.ts';
import { OpenStreams } from '../stream/open-streams.ts';
import { AdministratorWrites, createPublicGetLimit } from './caller-limits.ts';
import { createCors } from './cross-origin.ts';
import { Downloads } from './download-route.ts';
import { createContributionRoute, createLookupRoute } from './fast-routes.ts';
import { LargeBodies, rateTableRate } from './large-bodies.ts';
import { type MountTools, operationRoute } from './mount.ts';

export interface ServerOptions extends ListenOptions {
  readonly operations: readonly Operation[];
  readonly context: Omit<GatewayContext, 'operations'>;
  /** Why the gateway cannot take contributions now; null: it can. */
  readonly notReady: () => PublicError | null;
  /** Things that do not work although contributions are taken; a line each. */
  readonly degraded?: () => readonly string[];
  readonly report: (error: unknown, trace?: TraceParent | null) => void;
  readonly handlerTimeoutMs?: number;
  readonly publicGetsPerSecond?: number;
  readonly administratorWritesPerSecond?: number;
  /** false: every request is Fastify's; for comparisons. */
  readonly fastPaths?: boolean;
}

export interface GatewayServer extends HttpServer {
  readonly openStreams: () => number;
}

/** Serves the operations of the list over HTTP, and does what goes on beside them until the server stops. */
export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const context: GatewayContext = { ...options.context, operations: options.operations };
  const { clock, directory } = context;
  const { operators } = directory.entries;
  const quotas = new OperatorQuotas(clock, (operator) => operators.get(operator)?.quota);
  context.lanes.onReply(({ wins }) => quotas.charge(wins));
  const streams = new OpenStreams();
  const downloads = new Downloads();
  const chance = () => (context.random.bytes(1)[0] ?? 0) / 256;
  const eventStreams = new EventStreams({
    fanoutHost: options.fanoutHost ?? '127.0.0.1',
    fanoutPort: options.fanoutPort,
    chance,
  });
  const hintStreams = new HintStreams({ directory, approvals: context.access.approvals, chance });
  const limits = {
    publicGets: createPublicGetLimit(clock, options.publicGetsPerSecond ?? httpLimits.publicGetsPerSecond),
    administratorWrites: new AdministratorWrites(
      clock,
      options.administratorWritesPerSecond ?? httpLimits.administratorWritesPerSecond,
    ),
    largeBodies: new LargeBodies(clock),
    rateTables: new LargeBodies(clock, rateTableRate),
  };
  /** Ends of what goes on beside the requests. */
  const stops: (() => Promise<void>)[] = [];
  const server = await startHttpServer(
    {
      clock,
      cors: createCors(options.operations, directory, clock),
      feedMessageBytes: clientMessageBytes,
      streams: {
        get open() {
          return streams.open + eventStreams.open + hintStreams.open + downloads.open;
        },
        drain() {
          streams.drain();
          eventStreams.drain();
          hintStreams.drain();
          downloads.drain();
        },
        async leave(clock) {
          streams.drain();
          downloads.drain();
          await Promise.all([eventStreams.leave(clock), hintStreams.leave(clock)]);
        },
      },
      notReady: options.notReady,
      readiness: () => readiness(options.degraded?.() ?? [], directory.conditions.reports()),
      report: options.report,
      refusing: () => Promise.all(stops.map((stop) => stop())),
      routes(http) {
        const tools: MountTools = {
          ...http,
          ...limits,
          context,
          streams: {
            context,
            quotas,
            refusalDelays: http.refusalDelays,
            open: streams,
            report: options.report,
          },
          eventStreams,
          hintStreams,
          downloads,
          handlerTimeoutMs: options.handlerTimeoutMs ?? httpLimits.handlerTimeoutMs,
        };
        const contributions = new Map(
          options.operations
            .filter(({ limits }) => limits?.contribution === true)
            .map((operation) => [operation, createContributionRoute(operation, context, quotas)]),
        );
        const lookups = options.operations
          .filter(({ limits }) => limits?.lookup === true)
          .map((operation) => createLookupRoute(operation, tools));
        return {
          all: options.operations.map((each) => operationRoute(each, tools, contributions.get(each))),
          fast: options.fastPaths === false ? [] : [...contributions.values(), ...lookups],
        };
      },
    },
    options,
  );
  // Not before the server listens: one that cannot is never stopped.
  stops.push(resumeApproved(context, options.report), recordEndedSwitches(context, options.report));
  return { ...server, openStreams: () => streams.open };
}

/** A balancer reads the status alone, a person the lanes and lines. */
function readiness(details: readonly string[], lanes: readonly LaneReport[]): unknown {
  const amiss = lanes.filter(({ condition }) => condition !== 'serving');
  return {
    status: details.length + amiss.length === 0 ? 'ok' : 'degraded',
    ...(amiss.length === 0 ? {} : { lanes: amiss }),
    ...(details.length === 0 ? {} : { details }),
  };
}
