import type { LanePorts } from '../ports.ts';
import type { DirectoryWatch } from './directory-watch.ts';

const pollIntervalMs = 60_000;
const msPerHour = 3_600_000;

/**
 * Raises an alarm, once a table, when rates were not replaced for too long: their source has stopped, and amounts are
 * converted at old prices. A separate setting refuses old rates.
 */
export class RateAges {
  readonly #watch: DirectoryWatch;
  readonly #ports: Pick<LanePorts, 'clock' | 'monitor'>;
  readonly #alarmAfterMs: number;
  /** Versions of the reported tables, by brand. */
  readonly #alarmed = new Map<string, number>();
  #cancel: () => void = () => {};

  constructor(watch: DirectoryWatch, ports: Pick<LanePorts, 'clock' | 'monitor'>, alarmAfterMs: number) {
    this.#watch = watch;
    this.#ports = ports;
    this.#alarmAfterMs = alarmAfterMs;
  }

  start(): void {
    this.#poll();
    this.#cancel = this.#ports.clock.after(pollIntervalMs, () => this.start());
  }

  stop(): void {
    this.#cancel();
  }

  #poll(): void {
    const nowMs = this.#ports.clock.nowMs();
    for (const { command } of this.#watch.since(0)) {
      if (command.kind !== 'SetRates' || command.multipliers.length === 0) continue;
      const { brand, version, updatedMs } = command;
      const ageMs = nowMs - updatedMs;
      if (ageMs <= this.#alarmAfterMs || this.#alarmed.get(brand) === version) continue;
      this.#alarmed.set(brand, version);
      const whose = brand === '' ? 'The default currency rates' : `The currency rates of ${brand}`;
      const hours = Math.floor(ageMs / msPerHour);
      this.#ports.monitor.alarm(
        0,
        'rates_old',
        `${whose} were stored ${hours} hours ago and are still in force.`,
      );
    }
  }
}
