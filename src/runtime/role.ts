import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { refusedConnections } from '../lib/refused-connections.ts';
import { connectToParent, type ParentConnection } from './child-protocol.ts';
import { keepCompiledCode } from './compile-cache.ts';
import { type OperationsProbes, startOperationsServer } from './operations-server.ts';
import { processMetrics } from './process-metrics.ts';
import { openRoleLog } from './role-log.ts';
import { returnStartMemory } from './start-memory.ts';
import { startTracing } from './tracing/tracing.ts';

const readyCheckEveryMs = 20;

/** `stop` drains the role and resolves when nothing of it is left. */
export interface RunningRole {
  stop(): Promise<void>;
}

/** What `<role>/main.ts` exports. */
export type RunRole = (settings: Settings) => Promise<RunningRole>;

/** An assembled role. */
export interface RoleParts {
  /** The port it serves; null for a role without one. */
  readonly port: number | null;
  readonly probes: OperationsProbes & { readyz(): string | null };
  /** Whether its start is over although `readyz` gives a reason. Absent: `readyz` says it. */
  settled?(): boolean;
  /** Starts the work that must not begin before the probes answer. */
  begin?(): void | Promise<void>;
  /** Drains; the probes answer until it is done. */
  stop(): Promise<void>;
}

/** Assembles a role, serves its probes, and reports to `up` that it listens and that it is ready. */
export async function startRole(
  name: string,
  settings: Settings,
  assemble: (settings: Settings, logger: Logger, parent: ParentConnection) => Promise<RoleParts>,
): Promise<RunningRole> {
  const parent = connectToParent();
  const logger = openRoleLog(name, settings.logLevel);
  const tracing = await startTracing(name, settings.tracing, logger);
  const { port, probes, settled, begin, stop } = await assemble(settings, logger, parent);
  const metrics = async (): Promise<string> =>
    (await probes.metrics()) + processMetrics(settings.dataDirectory) + tracing.metrics();
  let isStopping = false;
  const readyz: OperationsProbes['readyz'] = () => {
    // A balancer that follows this probe must know before the drain begins.
    if (isStopping) return 'shutting_down';
    return refusedConnections() > 0 ? 'nats_credentials_refused' : probes.readyz();
  };
  const { operationsHost: host, operationsPort } = settings;
  const served = { ...probes, metrics, readyz };
  const operations = await startOperationsServer(served, { host, port: operationsPort });
  parent.listening(port, operations.port);
  await begin?.();
  const readyCheck = setInterval(() => {
    if (probes.readyz() !== null && settled?.() !== true) return;
    clearInterval(readyCheck);
    keepCompiledCode();
    parent.ready();
    returnStartMemory();
  }, readyCheckEveryMs);
  return {
    async stop() {
      isStopping = true;
      clearInterval(readyCheck);
      await stop();
      await tracing.stop();
      await operations.stop();
    },
  };
}
