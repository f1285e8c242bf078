import {
  type EngineMessage,
  type LaneEngine,
  type MessageOutcome,
  restoreLane,
} from '../../../src/jackpot/lane/lane.ts';
import type { Recorder } from '../../../src/jackpot/state/lane/recorder.ts';
import { finish } from '../../../src/lib/turns.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { EngineSettings } from '../../../src/messages/lane-commands.ts';
import { testHashing } from './hashing.ts';
import { newLane } from './new-lane.ts';

export const startMs = 1_700_000_000_000;
export const settings: EngineSettings = { epochMs: 24 * 3_600_000, epochSequences: 2 ** 20 };

/** A lane and the log that it was made from. */
export class TestLane {
  readonly log: (EngineMessage & { readonly commands: readonly Command[] })[] = [];
  engine: LaneEngine;
  readonly #settings: EngineSettings;
  readonly #create: typeof newLane;
  nowMs = startMs;
  recorder: Recorder | null = null;

  constructor(changes: Partial<EngineSettings> = {}, create = newLane) {
    this.#settings = { ...settings, ...changes };
    this.#create = create;
    this.engine = create(this.#settings);
  }

  /** Applies one message, a millisecond after the last. */
  apply(...commands: readonly Command[]): MessageOutcome {
    this.nowMs += 1;
    const message = { sequence: this.engine.appliedSequence + 1, timestampMs: this.nowMs, commands };
    this.log.push(message);
    return this.engine.apply(message, this.recorder);
  }

  /** Goes on with a lane restored from a snapshot of this one. */
  restart(): void {
    this.engine = finish(restoreLane([...this.engine.snapshot()], testHashing, this.#settings));
  }

  /** A new lane that has applied the same log. */
  replayed(): LaneEngine {
    const engine = this.#create(this.#settings);
    for (const message of this.log) engine.apply(message);
    return engine;
  }

  accounts(instance = 'jackpot'): Readonly<Record<string, bigint>> {
    return Object.fromEntries(this.engine.accounts(instance) ?? []);
  }

  total(instance = 'jackpot'): bigint {
    return (this.engine.accounts(instance) ?? []).reduce((sum, [, atoms]) => sum + atoms, 0n);
  }
}
