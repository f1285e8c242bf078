/** What a recovery consists of, in this order. */
export const recoveryPhases = ['check', 'restore', 'compare', 'replay'] as const;
export type RecoveryPhase = (typeof recoveryPhases)[number];

/** How a lane came back: seconds of each phase, and what was replayed after its snapshot. */
export interface RecoveryReport {
  readonly seconds: Readonly<Record<RecoveryPhase, number>>;
  readonly messages: number;
  readonly commands: number;
}

/** For the log: `0.93 s (check 0.05, restore 0.81, …), 12 messages with 340 commands replayed`. */
export function recoveryText({ seconds, messages, commands }: RecoveryReport): string {
  const total = recoveryPhases.reduce((sum, phase) => sum + seconds[phase], 0);
  const phases = recoveryPhases.map((phase) => `${phase} ${seconds[phase].toFixed(3)}`).join(', ');
  return `${total.toFixed(3)} s (${phases}), ${messages} messages with ${commands} commands replayed`;
}
