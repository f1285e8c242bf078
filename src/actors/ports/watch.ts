import { crash } from '../../lib/crash.ts';
import type { Clock } from '../../ports.ts';

/** Something that an actor host looks at from its start on, again and again until it is stopped. */
export abstract class Watch {
  readonly #clock: Clock;
  readonly #everyMs: number;
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /** Looks once. Rejects only for a bug, which ends the process. */
  protected abstract look(): void | Promise<void>;

  protected get isStopped(): boolean {
    return this.#stopped;
  }

  start(): void {
    const looking = this.look();
    if (looking === undefined) this.#again();
    else looking.then(() => this.#again()).catch(crash);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** What is amiss, for the details of the role's readiness. */
  warnings(): readonly string[] {
    return [];
  }

  #again(): void {
    if (!this.#stopped) this.#cancel = this.#clock.after(this.#everyMs, () => this.start());
  }
}
