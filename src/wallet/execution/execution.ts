import { startLaneClaims } from '../../log/lanes/lane-claims.ts';
import type { Table } from '../../ports.ts';
import type { ExecutionMonitor } from './lane-context.ts';
import { LaneExecutor } from './lane-executor.ts';
import type { LaneQuestionsPorts } from './lane-questions.ts';
import { BrandQueues, type MoneyClients } from './queues.ts';

interface ExecutionPorts extends LaneQuestionsPorts {
  /** KV LEASES. */
  readonly leases: Table;
  /** The same after a restart. */
  readonly holder: string;
  readonly lanes: number;
  readonly clients: MoneyClients;
  readonly monitor: ExecutionMonitor;
  readonly trouble: (lane: number, error: unknown) => void;
  readonly report: (error: unknown) => void;
}

export interface Execution {
  /** The lanes that this process works for. */
  executors(): Iterable<LaneExecutor>;
  stop(): Promise<void>;
}

/** Executes the debits and credits of the lanes that this process holds a lease of (docs/decisions/0259). */
export function startExecution(ports: ExecutionPorts): Execution {
  const { leases, clock, holder, lanes, clients, report } = ports;
  const queues = new BrandQueues(clients, { clock, report });
  const executors = new Map<number, LaneExecutor>();
  const stopping = new Set<Promise<void>>();
  let stopped = false;
  const lose = (lane: number): void => {
    const executor = executors.get(lane);
    executors.delete(lane);
    if (executor === undefined) return;
    const ending = executor
      .stop()
      .catch(report)
      .finally(() => stopping.delete(ending));
    stopping.add(ending);
  };
  const claims = startLaneClaims({
    ...{ clock, holder, lanes, report },
    table: leases,
    role: 'wallet',
    gained: (lane) => {
      if (!stopped) executors.set(lane, new LaneExecutor(lane, { ...ports, queues }));
    },
    lost: lose,
  });
  return {
    executors: () => executors.values(),
    async stop() {
      stopped = true;
      // What is under way is reported before another process begins.
      for (const lane of [...executors.keys()]) lose(lane);
      await Promise.all(stopping);
      await claims.stop();
    },
  };
}
