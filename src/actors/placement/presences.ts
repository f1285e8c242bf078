import { crash } from '../../lib/crash.ts';
import { presenceSubject } from '../../log/base/names.ts';
import type { Bus } from '../../ports.ts';
import { askAfterMs } from './claim-rule.ts';
import type { OwnerPulse } from './owner-pulse.ts';

/** Between two questions of one process that was not seen to be connected. */
const askAgainMs = 1_000;
/** nats-server answers within a round trip; a process that listens does not answer at all. */
const answerMs = 200;

/**
 * Which processes of other hosts are connected to nats-server. A process that ended, however it ended, has no
 * subscriptions there, and nats-server says so at once. One that hangs or is cut off seems connected: its
 * silence has to tell (docs/decisions/0300).
 */
export class Presences {
  readonly #bus: Bus;
  readonly #self: string;
  readonly #pollMs: number;
  /** Seen connected before: only for them a missing subscription counts. Earlier releases have none. */
  readonly #seen = new Set<string>();
  /** Polls since a process was last asked for. */
  readonly #asked = new Map<string, number>();
  readonly #asking = new Set<number>();
  #subscription: { stop(): void } | null = null;

  constructor(bus: Bus, self: string, pollMs: number) {
    this.#bus = bus;
    this.#self = self;
    this.#pollMs = pollMs;
  }

  start(): void {
    this.#subscription = this.#bus.subscribe(presenceSubject(this.#self), () => {});
  }

  stop(): void {
    this.#subscription?.stop();
  }

  polled(): void {
    for (const [process, polls] of this.#asked) {
      if (polls * this.#pollMs >= askAgainMs) this.#asked.delete(process);
      else this.#asked.set(process, polls + 1);
    }
  }

  /** A process gave a sign of life: now it must be connected. */
  observe(process: string): void {
    if (process === this.#self || this.#seen.has(process) || this.#asked.has(process)) return;
    this.#asked.set(process, 0);
    this.#isConnected(process)
      .then((isConnected) => {
        if (isConnected) this.#seen.add(process);
      })
      .catch(crash);
  }

  async isGone(process: string): Promise<boolean> {
    if (!this.#seen.has(process)) return false;
    const isConnected = await this.#isConnected(process);
    return !isConnected && this.#seen.has(process);
  }

  /** Asks for the owner of a lane if it missed a heartbeat. Calls `gone` if it has ended. */
  askForOwner(lane: number, pulse: OwnerPulse, gone: () => void): void {
    const { process } = pulse;
    const isSilent = (): boolean => pulse.process === process && pulse.silentMs(this.#pollMs) >= askAfterMs;
    if (process === null || process === this.#self || pulse.isGone || !pulse.isHeard) return;
    if (!isSilent() || this.#asking.has(lane)) return;
    this.#asking.add(lane);
    this.isGone(process)
      .then((isGone) => {
        this.#asking.delete(lane);
        if (!isGone || !isSilent()) return;
        pulse.isGone = true;
        gone();
      })
      .catch(crash);
  }

  /** The connection broke, and maybe those of others: each counts as connected once heard again. */
  interrupted(): void {
    this.#seen.clear();
    this.#asked.clear();
  }

  #isConnected(process: string): Promise<boolean> {
    return this.#bus.hasListener(presenceSubject(process), answerMs);
  }
}
