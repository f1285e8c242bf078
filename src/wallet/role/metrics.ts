import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { coarseLoopPrecisionMs, collectNodeMetrics } from '../../lib/node-metrics.ts';
import type { Clock } from '../../ports.ts';
import type { CallObserver } from '../client/brand-client.ts';
import type { ExecutionMonitor } from '../execution/lane-context.ts';
import type { LaneExecutor } from '../execution/lane-executor.ts';

/** Fine up to 100 ms, where most credits are, and far beyond for those that wait. */
const creditBuckets = [
  0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 10, 60, 600, 3_600, 86_400,
];

interface WalletMetrics {
  readonly registry: Registry;
  readonly observe: CallObserver;
  readonly execution: Omit<ExecutionMonitor, 'alarm'>;
}

/** The wallet role's metrics; labels come from closed sets. */
export function createWalletMetrics(executors: () => Iterable<LaneExecutor>, clock: Clock): WalletMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectNodeMetrics(registry, { eventLoopMonitoringPrecision: coarseLoopPrecisionMs });
  const calls = new Counter({
    name: 'potstream_wallet_calls_total',
    help: 'Calls to wallets by what their answer was worth, or why there was none.',
    labelNames: ['call', 'answer'],
    registers,
  });
  const seconds = new Histogram({
    name: 'potstream_wallet_call_seconds',
    help: 'How long calls to wallets took, tries included.',
    labelNames: ['call'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 6],
    registers,
  });
  openWork(executors, clock, registers);
  const settled = new Counter({
    name: 'potstream_wallet_settled_total',
    help: 'Debits and credits whose result the lanes know.',
    labelNames: ['transaction', 'result'],
    registers,
  });
  const creditSeconds = new Histogram({
    name: 'potstream_wallet_credit_seconds',
    help: "From the record of a win to the wallet's answer.",
    buckets: creditBuckets,
    registers,
  });
  return {
    registry,
    execution: {
      debitSettled: (result) => settled.inc({ transaction: 'debit', result }),
      creditsSettled: (result, credits) => settled.inc({ transaction: 'credit', result }, credits),
      credited: (seconds) => creditSeconds.observe(seconds),
    },
    observe(call, answer, tookMs) {
      calls.inc({ call, answer: answer.kind === 'unknown' ? answer.reason : answer.kind });
      seconds.observe({ call }, tookMs / 1000);
    },
  };
}

/** What this process holds of its lanes' open debits and credits. */
function openWork(
  executors: () => Iterable<LaneExecutor>,
  clock: Clock,
  registers: readonly Registry[],
): void {
  const sum = (of: (executor: LaneExecutor) => number): number =>
    [...executors()].reduce((total, executor) => total + of(executor), 0);
  const oldestSeconds = (of: (executor: LaneExecutor) => number | null): number => {
    const opened = [...executors()].map(of).filter((each) => each !== null);
    return opened.length === 0 ? 0 : Math.max(0, clock.nowMs() - Math.min(...opened)) / 1000;
  };
  new Gauge({
    name: 'potstream_wallet_open',
    help: 'Debits, debits among them that the wallet has to cancel, and credits or batches that this process executes.',
    labelNames: ['work'],
    registers: [...registers],
    collect() {
      this.set(
        { work: 'debit' },
        sum(({ debits }) => debits.size),
      );
      this.set(
        { work: 'cancel' },
        sum(({ debits }) => debits.cancelling),
      );
      this.set(
        { work: 'credit' },
        sum(({ credits }) => credits.size),
      );
    },
  });
  new Gauge({
    name: 'potstream_wallet_oldest_seconds',
    help: 'Age of the oldest open debit and credit that this process executes.',
    labelNames: ['work'],
    registers: [...registers],
    collect() {
      this.set(
        { work: 'debit' },
        oldestSeconds(({ debits }) => debits.oldestOpenedMs),
      );
      this.set(
        { work: 'credit' },
        oldestSeconds(({ credits }) => credits.oldestOpenedMs),
      );
    },
  });
}
