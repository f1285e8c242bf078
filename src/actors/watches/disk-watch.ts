import { byteText } from '../../lib/byte-text.ts';
import { RepeatingAlarms } from '../../lib/repeating-alarms.ts';
import type { Clock } from '../../ports.ts';
import type { AlarmMonitor } from '../ports/actor-ports.ts';

const pollEveryMs = 10_000;
const alarmEveryMs = 3_600_000;

interface DiskWatchPorts {
  readonly clock: Clock;
  readonly monitor: AlarmMonitor;
  /** null: that cannot be found out now. */
  freeBytes(): number | null;
}

/** Raises an alarm each hour while this host's disk has too little room for snapshots, witness and spools. */
export class DiskWatch {
  readonly #ports: DiskWatchPorts;
  readonly #minBytes: number;
  readonly #alarms = new RepeatingAlarms(alarmEveryMs);
  #warning: string | null = null;
  #cancel: () => void = () => {};

  constructor(ports: DiskWatchPorts, minBytes: number) {
    this.#ports = ports;
    this.#minBytes = minBytes;
  }

  start(): void {
    this.#poll();
    this.#cancel = this.#ports.clock.after(pollEveryMs, () => this.start());
  }

  stop(): void {
    this.#cancel();
  }

  warnings(): string[] {
    return this.#warning === null ? [] : [this.#warning];
  }

  #poll(): void {
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
