/** What a recovery consists of, in this order. */
export const recoveryPhases = ['check', 'restore', 'compare', 'replay'] as const;
type RecoveryPhase = (typeof recoveryPhases)[number];

/** How a lane came back: seconds of each phase, and what was replayed behind its snapshot. */
export interface RecoveryReport {
  readonly seconds: Readonly<Record<RecoveryPhase, number>>;
  readonly messages: number;
  readonly commands: number;
}

/**
 * Measures one recovery of a lane: `check` the log and its witness, `restore` a snapshot, `compare` heads, `replay` the
 * log behind it.
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

  /** Ends the phase that runs. */
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

/** For the log: `0.93 s (check 0.05, restore 0.81, …), 12 messages with 340 commands replayed`. */
export function textOf({ seconds, messages, commands }: RecoveryReport): string {
  const total = recoveryPhases.reduce((sum, phase) => sum + seconds[phase], 0);
  const phases = recoveryPhases.map((phase) => `${phase} ${seconds[phase].toFixed(3)}`).join(', ');
  return `${total.toFixed(3)} s (${phases}), ${messages} messages with ${commands} commands replayed`;
}
