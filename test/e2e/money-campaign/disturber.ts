import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../jackpot/mixed/random.ts';
import type { RunningSystem } from '../../support/system.ts';
import { type Moments, type Step, steps } from './steps.ts';

export const victims = ['wallet', 'outbox', 'actors', 'gateway', 'nats-server'] as const;
export type Victim = (typeof victims)[number];

export interface Disturbance {
  readonly victim: Victim;
  readonly how: 'kill' | 'stop';
  readonly step: Step;
  /** Of a stop; the supervisor replaces a process that stands still for longer than it allows. */
  readonly stoppedMs: number;
}

/** So long for a moment that traffic and faults bring about; then the process dies without it. */
const momentMs = 10_000;
const replacedMs = 90_000;

/** Each process killed and stopped at each step, in a random order. */
export function everyDisturbance(random: Random): Disturbance[] {
  const all = victims.flatMap((victim) =>
    (['kill', 'stop'] as const).flatMap((how) => steps.map((step) => ({ victim, how, step }))),
  );
  return shuffled(all, random).map((each) => ({
    ...each,
    stoppedMs: random.once(4) ? 6_500 : 200 + random.below(2_800),
  }));
}

/** A kill and a stop of each process, at steps that come often. */
export function someDisturbances(random: Random): Disturbance[] {
  const often = steps.filter((step) => !/cancel|authenticate|batch/.test(step));
  const all = victims.flatMap((victim) =>
    (['kill', 'stop'] as const).map((how) => ({ victim, how, step: random.pick(...often) })),
  );
  return shuffled(all, random).map((each) => ({ ...each, stoppedMs: 200 + random.below(800) }));
}

/** Kills and stops processes of a running system, one after the other. */
export class Disturber {
  /** Disturbances whose moment did not come in time. */
  readonly late: Disturbance[] = [];
  kills = 0;
  stops = 0;
  readonly #system: RunningSystem;
  readonly #moments: Moments;

  constructor(system: RunningSystem, moments: Moments) {
    this.#system = system;
    this.#moments = moments;
  }

  /** Resolves once the system is ready again. */
  async run(disturbance: Disturbance): Promise<void> {
    await this.#disturb(disturbance);
    await this.#system.ready();
  }

  async #disturb(disturbance: Disturbance): Promise<void> {
    const { victim, how, step, stoppedMs } = disturbance;
    const pid = await this.#pidOf(victim);
    const signal = how === 'kill' ? 'SIGKILL' : 'SIGSTOP';
    const act = (): void => void process.kill(pid, signal);
    const waiting = new AbortController();
    const late = pause(momentMs, 'late' as const, { signal: waiting.signal }).catch(() => 'in time' as const);
    const moment = this.#moments.next(step, act).then(() => 'in time' as const);
    const came = await Promise.race([moment, late]);
    waiting.abort();
    if (came === 'late') {
      this.#moments.forget(step);
      this.late.push(disturbance);
      act();
    }
    if (how === 'kill') {
      this.kills += 1;
      await this.#replaced(victim, pid);
      return;
    }
    this.stops += 1;
    await pause(stoppedMs);
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // It was replaced meanwhile.
    }
  }

  async #pidOf(victim: Victim): Promise<number> {
    for (const untilMs = performance.now() + replacedMs; performance.now() < untilMs; await pause(50)) {
      const pid = (await this.#system.processes()).get(victim);
      if (pid !== undefined) return pid;
    }
    throw new Error(`No process has the role ${victim}.`);
  }

  async #replaced(victim: Victim, pid: number): Promise<void> {
    for (const untilMs = performance.now() + replacedMs; performance.now() < untilMs; await pause(50)) {
      const now = (await this.#system.processes()).get(victim);
      if (now !== undefined && now !== pid) return;
    }
    throw new Error(`${victim} was not started again.`);
  }
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const mixed = [...list];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
  }
  return mixed;
}
