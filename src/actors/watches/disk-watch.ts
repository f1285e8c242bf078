import { byteText } from '../../lib/byte-text.ts';
import { RepeatingAlarms } from '../../lib/repeating-alarms.ts';
import type { Clock } from '../../ports.ts';
import type { AlarmMonitor } from '../ports/actor-ports.ts';
import { Watch } from '../ports/watch.ts';

const pollEveryMs = 10_000;
const alarmEveryMs = 3_600_000;

interface DiskWatchPorts {
  readonly clock: Clock;
  readonly monitor: AlarmMonitor;
  /** null: that cannot be found out now. */
  freeBytes(): number | null;
}

/** Raises an alarm each hour while this host's disk has too little room for snapshots, witness and spools. */
export class DiskWatch extends Watch {
  readonly #ports: DiskWatchPorts;
  readonly #minBytes: number;
  readonly #alarms = new RepeatingAlarms(alarmEveryMs);
  #warning: string | null = null;

  constructor(ports: DiskWatchPorts, minBytes: number) {
    super(ports.clock, pollEveryMs);
    this.#ports = ports;
    this.#minBytes = minBytes;
  }

  override warnings(): string[] {
    return this.#warning === null ? [] : [this.#warning];
  }

  protected look(): void {
    const { clock, monitor } = this.#ports;
    const freeBytes = this.#ports.freeBytes();
    this.#alarms.begin();
    const isFull = freeBytes !== null && freeBytes < this.#minBytes;
    this.#warning = isFull ? `the disk of this host has only ${byteText(freeBytes)} left` : null;
    if (isFull && this.#alarms.isDue('disk', clock.elapsedMs()))
      monitor.alarm(
        0,
        'disk_full',
        `The disk of this host has only ${byteText(freeBytes)} left. Runbook: docs/operate.md#potstreamdiskfull`,
      );
  }
}
