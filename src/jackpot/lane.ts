import { assert } from '../lib/assert.ts';
import type { Contribute } from './commands.ts';
import { contribute } from './contribution/contribute.ts';
import { type Entry, Plan } from './contribution/plan.ts';
import { closeGroup } from './draw/close.ts';
import type { Recorder } from './draw/recorder.ts';
import type { EngineMessage, EngineSettings, LaneEngine, MessageOutcome } from './engine.ts';
import { execute } from './execute.ts';
import type { Hashing } from './hashing.ts';
import type { CommandOutcome, ContributionOutcome } from './outcomes.ts';
import { LaneQueries } from './queries.ts';
import type { Refusal } from './refusals.ts';
import { restoreState } from './snapshot/restore.ts';
import { LaneState } from './state/lane-state.ts';
import { endMessage } from './status/end-message.ts';

/** An empty lane. */
export function createLane(hashing: Hashing, settings: EngineSettings): LaneEngine {
  return new Lane(new LaneState(hashing, settings));
}

/** The lane of a snapshot: it goes on exactly as the one that the snapshot was taken of. */
export function restoreLane(
  chunks: Iterable<Uint8Array>,
  hashing: Hashing,
  settings: EngineSettings,
): LaneEngine {
  return new Lane(restoreState(chunks, hashing, settings));
}

class Lane extends LaneQueries implements LaneEngine {
  readonly #plan: Plan;
  #plannedTo = 0;

  constructor(state: LaneState) {
    super(state);
    this.#plan = new Plan(state);
  }

  apply(message: EngineMessage, recorder: Recorder | null = null): MessageOutcome {
    const { state } = this;
    assert(message.sequence > state.appliedSequence, 'messages are applied once and in order');
    state.nowMs = Math.max(state.nowMs, message.timestampMs);
    state.messageSequence = message.sequence;
    state.recorder = recorder;
    state.keys.expire(state.nowMs);
    this.#plannedTo = 0;
    this.#plan.begin(message.commands);
    const outcomes = message.commands.map((_, index) => this.#apply(message, index));
    this.#endRun();
    this.#plan.clear();
    for (const instance of state.touched) endMessage(state, instance);
    state.touched.clear();
    state.appliedSequence = message.sequence;
    const instances = [...state.moved].map(([instance, firstSequence]) => ({
      instance: instance.id,
      head: instance.epochs.head,
      firstSequence,
    }));
    state.moved.clear();
    const events = state.events;
    state.events = [];
    return { sequence: message.sequence, timestampMs: state.nowMs, outcomes, instances, events };
  }

  #apply(message: EngineMessage, index: number): CommandOutcome {
    const { state } = this;
    const command = message.commands[index]!;
    const key = 'idempotencyKey' in command ? command.idempotencyKey : null;
    const known = key === null ? null : state.keys.find(key, state.nowMs);
    if (command.kind === 'Contribute' && index >= this.#plannedTo) this.#planRun(message, index);
    if (known !== null) return { kind: 'Duplicate', ...known };
    if (command.kind === 'AdjustPot' || command.kind === 'TriggerPot') this.#endRun();
    const outcome =
      command.kind === 'Contribute' ? this.#contribute(command, index) : execute(state, command);
    if (key !== null && outcome.kind !== 'Refused') state.keys.add(key, message.sequence, index, state.nowMs);
    return outcome;
  }

  /** The main target first; if it is refused no link is tried, and a link that is refused stops nothing. */
  #contribute(command: Contribute, index: number): CommandOutcome {
    const entry = this.#plan.entry(index);
    assert(entry !== null, 'a contribution is resolved before it is applied');
    if ('kind' in entry) return entry;
    const main = contribute(this.state, entry, command);
    if ('kind' in main) return main;
    const results = entry.links === null ? [main] : [main, ...this.#linked(entry.links, command)];
    return { kind: 'Contributed', results };
  }

  #linked(links: readonly Entry[], command: Contribute): readonly ContributionOutcome[] {
    return links
      .map((link) => contribute(this.state, link, command))
      .filter((result): result is ContributionOutcome => !isRefusal(result));
  }

  /** Resolves the contributions up to the next A22 or A30: those are groups of their own. */
  #planRun(message: EngineMessage, from: number): void {
    let index = from;
    for (; index < message.commands.length; index++) {
      const command = message.commands[index]!;
      if (command.kind === 'AdjustPot' || command.kind === 'TriggerPot') break;
      if (command.kind === 'Contribute') this.#plan.resolve(index, command);
    }
    this.#plannedTo = index;
  }

  #endRun(): void {
    for (const group of this.#plan.groups) closeGroup(this.state, group);
    this.#plan.endRun();
  }
}

function isRefusal(result: ContributionOutcome | Refusal): result is Refusal {
  return 'kind' in result;
}
