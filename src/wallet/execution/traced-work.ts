import { readTraces, type TraceParent } from '../../lib/tracing.ts';

/** Contributions whose trace is remembered; the oldest are forgotten. */
const maxTraced = 1_024;

/** The traces of sampled contributions with debits or credits, by the contribution's id, since this process has the lane. */
export class TracedWork {
  readonly #traces = new Map<string, TraceParent>();

  /** From the header of an outcome record. */
  take(header: string): void {
    for (const [id, parent] of readTraces(header)) {
      this.#traces.delete(id);
      this.#traces.set(id, parent);
    }
    for (const id of this.#traces.keys()) {
      if (this.#traces.size <= maxTraced) return;
      this.#traces.delete(id);
    }
  }

  of(contributionId: string): TraceParent | undefined {
    return this.#traces.size === 0 ? undefined : this.#traces.get(contributionId);
  }
}
