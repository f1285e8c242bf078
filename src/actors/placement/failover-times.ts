import type { Clock } from '../../ports.ts';

interface LastBeat {
  readonly host: string;
  readonly atMs: number;
}

/** How long lanes were without an owner: from the last heartbeat of the former one to this host's first. */
export class FailoverTimes {
  readonly #self: string;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #tookOver: (lane: number, seconds: number) => void;
  readonly #last = new Map<number, LastBeat>();

  /** `tookOver` hears of each time that this host takes a lane from another one. */
  constructor(
    self: string,
    clock: Pick<Clock, 'elapsedMs'>,
    tookOver: (lane: number, seconds: number) => void,
  ) {
    this.#self = self;
    this.#clock = clock;
    this.#tookOver = tookOver;
  }

  beat(lane: number, host: string): void {
    const atMs = this.#clock.elapsedMs();
    const before = this.#last.get(lane);
    this.#last.set(lane, { host, atMs });
    if (before === undefined || before.host === host || host !== this.#self) return;
    this.#tookOver(lane, Math.max(0, atMs - before.atMs) / 1000);
  }
}
