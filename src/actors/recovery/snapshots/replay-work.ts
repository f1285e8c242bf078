import type { ActorSettings } from '../../ports/actor-ports.ts';

/** To read, check and decode a message again takes about this much more than to apply it. */
const readingFactor = 1.4;

type WorkLimits = Pick<
  ActorSettings,
  'snapshotEveryMessages' | 'snapshotEveryCommands' | 'snapshotEveryBytes' | 'snapshotEveryReplaySeconds'
>;

/** What a replay would have to do since the last snapshot, measured by what a snapshot is due for. */
export class ReplayWork {
  messages = 0;
  #commands = 0;
  #bytes = 0;
  #seconds = 0;

  add(commands: number, bytes: number, seconds: number): void {
    this.messages += 1;
    this.#commands += commands;
    this.#bytes += bytes;
    this.#seconds += seconds;
  }

  /** Takes the work of another one over. */
  join(other: ReplayWork): void {
    this.messages += other.messages;
    this.#commands += other.#commands;
    this.#bytes += other.#bytes;
    this.#seconds += other.#seconds;
  }

  /** How much of what a snapshot is due for it is: 1 is a snapshot's worth. */
  part(limits: WorkLimits): number {
    return Math.max(
      this.messages / limits.snapshotEveryMessages,
      this.#commands / limits.snapshotEveryCommands,
      this.#bytes / limits.snapshotEveryBytes,
      (this.#seconds * readingFactor) / limits.snapshotEveryReplaySeconds,
    );
  }
}
