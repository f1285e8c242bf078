import { pollIntervalMs } from '../../../src/lib/silence.ts';
import { isHung } from '../../../src/supervisor/hang-policy.ts';
import { decide, noFailures, type RestartHistory } from '../../../src/supervisor/restart-policy.ts';
import type { SimNode } from '../../support/sim-server.ts';
import type { SimWorld } from '../../support/sim-world.ts';

/** A process of which one life at a time runs. */
export interface Child {
  start(): void;
  kill(): void;
  /** null: it does not run. */
  node(): SimNode | null;
  /** It works. */
  isReady(): boolean;
}

interface Supervised {
  readonly child: Child;
  history: RestartHistory;
  startedMs: number;
  wasReady: boolean;
  silentMs: number;
  isDue: boolean;
}

const hangs = { afterMs: 15_000, action: 'replace' } as const;
const maxStartMs = 600;

/**
 * Restarts what has ended and replaces what hangs, by the rules of the real one. While it is gone itself nothing is restarted,
 * and everything else goes on.
 */
export class SimSupervisor {
  /** Children that it gave up: there must be none. */
  readonly givenUp: string[] = [];
  readonly #world: SimWorld;
  readonly #children = new Map<string, Supervised>();
  #isThere = true;
  #stopped = false;

  constructor(world: SimWorld) {
    this.#world = world;
    this.#pollLater();
  }

  add(name: string, child: Child): void {
    this.#children.set(name, {
      ...{ child, history: noFailures, startedMs: this.#world.nowMs },
      ...{ wasReady: false, silentMs: 0, isDue: false },
    });
    child.start();
  }

  /** It is never started again: its machine is lost. */
  forget(name: string): void {
    this.#children.delete(name);
  }

  setPresent(isThere: boolean): void {
    this.#isThere = isThere;
    if (!isThere) return;
    for (const [name, each] of this.#children) if (each.isDue) this.#restart(name, each, 0);
  }

  /** The process is gone, whatever has ended it. */
  ended(name: string): void {
    const each = this.#children.get(name);
    if (each === undefined || each.isDue) return;
    each.isDue = true;
    const { nowMs } = this.#world;
    const { directive, history } = decide(each.history, {
      ranMs: nowMs - each.startedMs,
      wasReady: each.wasReady,
      nowMs,
    });
    each.history = history;
    if (directive.kind === 'escalate') this.givenUp.push(`${name}: ${directive.reason}`);
    else if (this.#isThere) this.#restart(name, each, directive.afterMs);
  }

  /** Everything runs, now. */
  heal(): void {
    this.#isThere = true;
    for (const each of this.#children.values()) {
      if (each.child.node() === null) this.#start(each);
      else each.child.node()?.resume();
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  #restart(name: string, each: Supervised, afterMs: number): void {
    const startMs = this.#world.between(0, maxStartMs);
    this.#world.schedule(afterMs + startMs, () => {
      const isDue = each.isDue && this.#children.get(name) === each;
      if (isDue && this.#isThere && !this.#stopped) this.#start(each);
    });
  }

  #start(each: Supervised): void {
    each.isDue = false;
    each.wasReady = false;
    each.silentMs = 0;
    each.startedMs = this.#world.nowMs;
    each.child.start();
  }

  #pollLater(): void {
    this.#world.schedule(pollIntervalMs, () => {
      if (this.#stopped) return;
      if (this.#isThere) for (const [name, each] of this.#children) this.#poll(name, each);
      this.#pollLater();
    });
  }

  #poll(name: string, each: Supervised): void {
    const node = each.child.node();
    if (node === null) return;
    if (!node.isPaused) {
      each.silentMs = 0;
      each.wasReady ||= each.child.isReady();
      return;
    }
    each.silentMs += pollIntervalMs;
    if (!isHung(each.silentMs, !each.wasReady, hangs)) return;
    each.child.kill();
    this.ended(name);
  }
}
