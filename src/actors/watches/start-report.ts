import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from 'pino';

const resolutionMs = 1;
const nanosPerMs = 1_000_000;
const checkEveryMs = 20;
/** A host that needs longer has lanes that wait for something; its stops are no longer those of a start. */
const maxWatchMs = 60_000;

/** Measures the start of this process: when it got where, and the longest stop of its event loop. */
export class StartReport {
  readonly #marks: Record<string, number> = {};
  readonly #loop = monitorEventLoopDelay({ resolution: resolutionMs });

  constructor() {
    this.#loop.enable();
    this.mark('modules');
  }

  mark(name: string): void {
    this.#marks[`${name}Ms`] = Math.round(performance.now());
  }

  /** Logs all that once `ready`; what the loop did before the work began was no stop of a lane. */
  logWhen(ready: () => boolean, logger: Pick<Logger, 'info'>): void {
    this.mark('assembled');
    this.#loop.reset();
    const check = setInterval(() => {
      if (!ready() && performance.now() < maxWatchMs) return;
      clearInterval(check);
      this.mark('ready');
      this.#loop.disable();
      const maxStopMs = Math.max(0, Math.round(this.#loop.max / nanosPerMs - resolutionMs));
      const start = { ...this.#marks, startedAtMs: Math.round(performance.timeOrigin), maxStopMs };
      logger.info(
        { start },
        `Started in ${this.#marks.readyMs} ms; longest stop of the loop ${maxStopMs} ms.`,
      );
    }, checkEveryMs);
    check.unref();
  }
}
