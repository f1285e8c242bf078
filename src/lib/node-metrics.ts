import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const prefix = 'potstream_';
/** Gauges under names that Prometheus keeps for counters; each is there by type too. */
const misnamed = ['active_handles', 'active_requests', 'active_resources'];

/** The clock of the event loop's lag wakes idle roles (docs/rules/performance.md "Idle processes"). */
const lagClockMs = 100;

/** What prom-client measures of a process of Node. */
export function collectNodeMetrics(register: Registry): void {
  collectDefaultMetrics({ register, prefix, eventLoopMonitoringPrecision: lagClockMs });
  for (const name of misnamed) register.removeSingleMetric(`${prefix}nodejs_${name}_total`);
}

/** The metrics of one process in one registry; labels come from closed sets. */
export class ProcessMetrics {
  readonly registry = new Registry();
  readonly #registers = [this.registry];

  /** `measuresNode` false: the process has another registry, which does. */
  constructor(measuresNode = true) {
    if (measuresNode) collectNodeMetrics(this.registry);
  }

  counter<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: this.#registers });
  }

  histogram<L extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly L[] = [],
  ): Histogram<L> {
    return new Histogram({ name, help, buckets, labelNames, registers: this.#registers });
  }

  /** `measure` sets the gauge whenever it is asked for; without one, what happens sets it. */
  gauge<L extends string = never>(
    name: string,
    help: string,
    measure: ((gauge: Gauge<L>) => void) | null,
    labelNames: readonly L[] = [],
  ): Gauge<L> {
    return new Gauge({
      name,
      help,
      labelNames,
      registers: this.#registers,
      collect() {
        measure?.(this);
      },
    });
  }
}
