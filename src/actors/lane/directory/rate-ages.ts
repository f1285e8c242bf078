import { RepeatingAlarms } from '../../../lib/repeating-alarms.ts';
import type { ActorPorts } from '../../ports/actor-ports.ts';
import { Watch } from '../../ports/watch.ts';
import type { DirectoryWatch } from './directory-watch.ts';

const pollIntervalMs = 60_000;
const alarmEveryMs = 3_600_000;
const msPerHour = 3_600_000;
const msPerMinute = 60_000;
const maxTablesNamed = 3;

interface OldTable {
  readonly brand: string;
  readonly ageMs: number;
}

/**
 * Raises an alarm, and again each hour, while rates that were not replaced for too long are in force: their
 * source has stopped, and amounts are converted at old prices. A separate setting refuses old rates.
 */
export class RateAges extends Watch {
  readonly #watch: DirectoryWatch;
  readonly #ports: Pick<ActorPorts, 'clock' | 'monitor'>;
  readonly #alarmAfterMs: number;
  readonly #alarms = new RepeatingAlarms(alarmEveryMs);
  #oldTables = 0;

  constructor(watch: DirectoryWatch, ports: Pick<ActorPorts, 'clock' | 'monitor'>, alarmAfterMs: number) {
    super(ports.clock, pollIntervalMs);
    this.#watch = watch;
    this.#ports = ports;
    this.#alarmAfterMs = alarmAfterMs;
  }

  oldTables(): number {
    return this.#oldTables;
  }

  protected look(): void {
    const { clock } = this.#ports;
    const old = this.#old(clock.nowMs());
    this.#oldTables = old.length;
    this.#alarms.begin();
    const due = old.filter(({ brand }) => this.#alarms.isDue(brand, clock.elapsedMs()));
    if (due.length > 0) this.#ports.monitor.alarm(0, 'rates_old', textOf(due));
  }

  #old(nowMs: number): OldTable[] {
    return this.#watch.since(0).flatMap(({ command }) => {
      if (command.kind !== 'SetRates' || command.multipliers.length === 0) return [];
      const ageMs = nowMs - command.updatedMs;
      return ageMs > this.#alarmAfterMs ? [{ brand: command.brand, ageMs }] : [];
    });
  }
}

/** In minutes where hours would say little. */
function ageText(ageMs: number): string {
  return ageMs < 2 * msPerHour
    ? `${Math.floor(ageMs / msPerMinute)} minutes`
    : `${Math.floor(ageMs / msPerHour)} hours`;
}

/** One line, however many brands have rates of their own. */
function textOf(old: readonly OldTable[]): string {
  const named = old.slice(0, maxTablesNamed).map(({ brand, ageMs }) => {
    const whose = brand === '' ? 'The default currency rates' : `The currency rates of ${brand}`;
    return `${whose} were stored ${ageText(ageMs)} ago and are still in force.`;
  });
  const others = old.length - named.length;
  return [
    ...named,
    ...(others > 0 ? [`So are those of ${others} other brands.`] : []),
    'Runbook: docs/operate.md#potstreamratesold',
  ].join(' ');
}
