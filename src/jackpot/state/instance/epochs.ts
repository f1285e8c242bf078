import type { CommittedSeed } from '../../../messages/lane-commands.ts';

/** 2: chances do not grow while the pot cannot be won. */
export type DrawRules = 1 | 2;

/** A seed that was committed, with the beacon its OpenEpoch command named. */
export interface Seed extends CommittedSeed {
  readonly beacon: Uint8Array;
}

export interface Epoch {
  readonly number: number;
  readonly commit: Uint8Array;
  readonly header: string;
  /** They stay as long as it runs, whatever the lane's version of the engine becomes. */
  readonly rules: DrawRules;
  readonly firstSequence: number;
  readonly startedMs: number;
  /** Lane sequences of the first and last message that drew in it; 0: none yet. */
  firstMessage: number;
  lastMessage: number;
  /** The instance's last sequence number in it, once it has ended. */
  lastSequence: number;
  endedMs: number | null;
  seed: Uint8Array | null;
}

/** Epochs that are kept after they were revealed; older ones are in the archive. */
export const revealedRetained = 8;

/** The draw epochs of one instance and the head of its hash chain. */
export class Epochs {
  head: Uint8Array = new Uint8Array(32);
  /** The message at whose end a parameter change ends the epoch. */
  endRequested = false;
  readonly seeds = new Map<number, Seed>();
  /** Begun ones, by number; the last one may be running. */
  begun: Epoch[] = [];
  /** Key of the running epoch, derived when first needed; never stored. */
  key: Uint8Array | null = null;

  get running(): Epoch | null {
    const last = this.begun[this.begun.length - 1];
    return last === undefined || last.endedMs !== null ? null : last;
  }

  /** Number of the running epoch, else of the last one; 0 before the first. */
  get current(): number {
    return this.begun[this.begun.length - 1]?.number ?? 0;
  }

  get next(): number {
    return this.begun.length === 0 ? 0 : this.current + 1;
  }

  unrevealed(): readonly Epoch[] {
    return this.begun.filter((epoch) => epoch.endedMs !== null && epoch.seed === null);
  }
}
