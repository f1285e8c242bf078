import { collectDefaultMetrics, type Registry } from 'prom-client';

const prefix = 'potstream_';
/** Gauges under names that Prometheus keeps for counters; each is there by type too. */
const misnamed = ['active_handles', 'active_requests', 'active_resources'];

/** What prom-client measures of a process of Node. */
export function collectNodeMetrics(
  register: Registry,
  precision: { readonly eventLoopMonitoringPrecision?: number } = {},
): void {
  collectDefaultMetrics({ register, prefix, ...precision });
  for (const name of misnamed) register.removeSingleMetric(`${prefix}nodejs_${name}_total`);
}

/**
 * * How often the clock behind `nodejs_eventloop_lag` ticks, in milliseconds, in roles whose stops below a
 * twentieth of a second delay nobody. Each tick wakes the process up, also while there is nothing to do
 * (docs/rules/performance.md "Idle processes").
 */
export const coarseLoopPrecisionMs = 50;
