import { cpus } from 'node:os';
import type { Clock } from '../../ports.ts';

/** The machine has time for the books while others leave them this share of it. */
const minSpare = 0.25;
/** Shorter spans say little. */
const minSpanMs = 250;

interface Usage {
  /** Milliseconds of all processors, and those in which none but this process used them. */
  readonly total: number;
  readonly spare: number;
}

/** Whether the roles that take contributions leave processor time to the books. */
export class SpareTime {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #usage: () => Usage;
  #atMs = Number.NEGATIVE_INFINITY;
  #last: Usage | null = null;
  #isThere = true;

  constructor(clock: Pick<Clock, 'elapsedMs'>, usage: () => Usage = machineUsage) {
    this.#clock = clock;
    this.#usage = usage;
  }

  /** Since it was asked before. */
  get isThere(): boolean {
    const nowMs = this.#clock.elapsedMs();
    if (nowMs - this.#atMs < minSpanMs) return this.#isThere;
    const usage = this.#usage();
    const total = usage.total - (this.#last?.total ?? usage.total);
    const spare = usage.spare - (this.#last?.spare ?? usage.spare);
    this.#isThere = total <= 0 || spare / total >= minSpare;
    this.#atMs = nowMs;
    this.#last = usage;
    return this.#isThere;
  }
}

function machineUsage(): Usage {
  let total = 0;
  let idle = 0;
  for (const { times } of cpus()) {
    total += times.user + times.nice + times.sys + times.idle + times.irq;
    idle += times.idle;
  }
  const { user, system } = process.cpuUsage();
  return { total, spare: idle + (user + system) / 1_000 };
}
