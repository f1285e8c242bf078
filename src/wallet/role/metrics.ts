import type { Registry } from 'prom-client';
import { ProcessMetrics } from '../../lib/node-metrics.ts';
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
  readonly triesDropped: (tries: number) => void;
  readonly execution: Omit<ExecutionMonitor, 'alarm'>;
}

/** The wallet role's metrics. */
export function createWalletMetrics(executors: () => Iterable<LaneExecutor>, clock: Clock): WalletMetrics {
  const metrics = new ProcessMetrics();
  const calls = metrics.counter(
    'potstream_wallet_calls_total',
    'Calls to wallets by what their answer was worth, or why there was none.',
    ['call', 'answer'],
  );
  const seconds = metrics.histogram(
    'potstream_wallet_call_seconds',
    'How long calls to wallets took, tries included.',
    [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 6],
    ['call'],
  );
  openWork(executors, clock, metrics);
  const settled = metrics.counter(
    'potstream_wallet_settled_total',
    'Debits and credits whose result the lanes know.',
    ['transaction', 'result'],
  );
  const creditSeconds = metrics.histogram(
    'potstream_wallet_credit_seconds',
    "From the record of a win to the wallet's answer.",
    creditBuckets,
  );
  const dropped = metrics.counter(
    'potstream_wallet_tries_dropped_total',
    'Tries of wallet calls that the books will not have.',
  );
  return {
    registry: metrics.registry,
    triesDropped: (tries) => dropped.inc(tries),
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
function openWork(executors: () => Iterable<LaneExecutor>, clock: Clock, metrics: ProcessMetrics): void {
  const sum = (of: (executor: LaneExecutor) => number): number =>
    [...executors()].reduce((total, executor) => total + of(executor), 0);
  const oldestSeconds = (of: (executor: LaneExecutor) => number | null): number => {
    const opened = [...executors()].map(of).filter((each) => each !== null);
    return opened.length === 0 ? 0 : Math.max(0, clock.nowMs() - Math.min(...opened)) / 1000;
  };
  metrics.gauge(
    'potstream_wallet_open',
    'Debits, debits among them that the wallet has to cancel, and credits or batches that this process executes.',
    (gauge) => {
      const [debits, cancels] = [sum((each) => each.debits.size), sum((each) => each.debits.cancelling)];
      gauge.set({ work: 'debit' }, debits);
      gauge.set({ work: 'cancel' }, cancels);
      gauge.set(
        { work: 'credit' },
        sum((each) => each.credits.size),
      );
    },
    ['work'],
  );
  metrics.gauge(
    'potstream_wallet_oldest_seconds',
    'Age of the oldest open debit and credit that this process executes.',
    (gauge) => {
      gauge.set(
        { work: 'debit' },
        oldestSeconds((each) => each.debits.oldestOpenedMs),
      );
      gauge.set(
        { work: 'credit' },
        oldestSeconds((each) => each.credits.oldestOpenedMs),
      );
    },
    ['work'],
  );
}
