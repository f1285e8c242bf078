import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { CallObserver } from './brand-client.ts';

export interface WalletMetrics {
  readonly registry: Registry;
  readonly observe: CallObserver;
}

/** The wallet role's metrics; labels come from closed sets. */
export function createMetrics(): WalletMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'potstream_process_' });
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
  return {
    registry,
    observe(call, answer, tookMs) {
      calls.inc({ call, answer: answer.kind === 'unknown' ? answer.reason : answer.kind });
      seconds.observe({ call }, tookMs / 1000);
    },
  };
}
