import type { RecoveryPhase, RecoveryReport } from '../ports/recovery-report.ts';

/**
 * Measures one recovery of a lane: `check` the log and its witness, `restore` a snapshot, `compare` heads,
 * `replay` the log after it.
 */
export class RecoveryTimes {
  readonly #stopwatchSeconds: () => number;
  readonly #seconds: Record<RecoveryPhase, number> = {
    check: 0,
    restore: 0,
    compare: 0,
    replay: 0,
  };
  #phase: RecoveryPhase = 'check';
  #beganSeconds: number;
  #messages = 0;
  #commands = 0;

  constructor(stopwatchSeconds: () => number) {
    this.#stopwatchSeconds = stopwatchSeconds;
    this.#beganSeconds = stopwatchSeconds();
  }

  begin(phase: RecoveryPhase): void {
    const now = this.#stopwatchSeconds();
    this.#seconds[this.#phase] += now - this.#beganSeconds;
    this.#phase = phase;
    this.#beganSeconds = now;
  }

  replayed(commands: number): void {
    this.#messages += 1;
    this.#commands += commands;
  }

  end(): RecoveryReport {
    this.begin(this.#phase);
    return { seconds: { ...this.#seconds }, messages: this.#messages, commands: this.#commands };
  }
}
