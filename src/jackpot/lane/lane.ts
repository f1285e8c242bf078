import { assert } from '../../lib/assert.ts';
import type { Hashing } from '../../lib/hashing.ts';
import type { Steps } from '../../lib/turns.ts';
import type { LoggedCommand } from '../../messages/commands.ts';
import type { EngineSettings, Tick, UpgradeTo } from '../../messages/lane-commands.ts';
import type { CommandOutcome, OutcomeRecord } from '../../messages/outcomes.ts';
import type { Contribute } from '../../messages/player-commands.ts';
import { refused } from '../../messages/refusals.ts';
import { closeGroup } from '../rules/draws/close.ts';
import { ofNoBrand } from '../state/keys/idempotency.ts';
import { firstUse, keyScopeOf } from '../state/lane/first-use.ts';
import { LaneState } from '../state/lane/lane-state.ts';
import type { Recorder } from '../state/lane/recorder.ts';
import type { VersionRules } from '../state/lane/version-rules.ts';
import { Plan } from './message/plan.ts';
import { LaneQueries } from './queries.ts';
import { restoreState } from './snapshots/restore.ts';
import type { PlannedCommand } from './versions/execute.ts';
import {
  type EngineVersion,
  type EngineVersions,
  engineRangeOf,
  engineVersions,
  handlersOf,
  upgradeTo,
} from './versions/versions.ts';

/** One message of a lane's command log, decoded. */
export interface EngineMessage {
  readonly sequence: number;
  /** The message's stream timestamp; the lane's time is max(previous, this). */
  readonly timestampMs: number;
  readonly commands: readonly LoggedCommand[];
  /**
   * The gateway that waits for the answers, also for the later one of a contribution with a pending debit.
   */
  readonly gateway?: string;
  readonly batchId?: Uint8Array;
}

/** An outcome record without its place in the chain of lane heads. */
export type MessageOutcome = Omit<OutcomeRecord, 'laneHead'>;

/** The state machine of one lane: deterministic, synchronous, total. */
export type LaneEngine = Pick<Lane, keyof Lane>;

/** An empty lane. Every log begins in the first version of the engine. */
export function createLane(
  hashing: Hashing,
  settings: EngineSettings,
  versions: EngineVersions = engineVersions,
): LaneEngine {
  return new Lane(new LaneState(hashing, settings), versions);
}

/** As a lane is after its upgrades to the newest version of this build, for one that has no log. */
export function createUpgradedLane(
  hashing: Hashing,
  settings: EngineSettings,
  versions: EngineVersions = engineVersions,
): LaneEngine {
  const state = new LaneState(hashing, settings);
  state.engineVersion = engineRangeOf(engineVersions).newest;
  return new Lane(state, versions);
}

/**
 * Restores the lane of a snapshot, in steps of a few milliseconds: a large lane takes a second.
 * @throws UnsupportedEngineVersion, OtherSnapshotVersion
 */
export function* restoreLane(
  chunks: Iterable<Uint8Array>,
  hashing: Hashing,
  settings: EngineSettings,
  versions: EngineVersions = engineVersions,
): Steps<LaneEngine> {
  return new Lane(yield* restoreState(chunks, hashing, settings, versions), versions);
}

class Lane extends LaneQueries {
  readonly #plan: Plan;
  readonly #versions: EngineVersions;
  #handlers: EngineVersion;
  #plannedTo = 0;
  #plannedRules: VersionRules | null = null;

  constructor(state: LaneState, versions: EngineVersions) {
    super(state);
    this.#plan = new Plan(state);
    this.#versions = versions;
    this.#handlers = handlersOf(versions, state.engineVersion);
  }

  /** A replay hands over a recorder of what it is for. */
  apply(message: EngineMessage, recorder: Recorder | null = null): MessageOutcome {
    const { state } = this;
    assert(message.sequence > state.appliedSequence, 'messages are applied once and in order');
    state.nowMs = Math.max(state.nowMs, message.timestampMs);
    state.messageSequence = message.sequence;
    state.origin = { gateway: message.gateway ?? '', batchId: message.batchId ?? noBatch };
    state.streamKeys.length = 0;
    state.recorder = recorder;
    state.debits.listener = recorder?.debit ?? null;
    state.credits.listener = recorder?.credit ?? null;
    state.keys.expire(state.nowMs);
    this.#plannedTo = 0;
    this.#plannedRules = state.rules;
    this.#plan.begin(message.commands);
    const outcomes = message.commands.map((_, index) => this.#apply(message, index));
    this.#endRun();
    this.#plan.clear();
    recorder?.command?.(-1);
    this.#handlers.endMessages(state);
    state.appliedSequence = message.sequence;
    const instances = [...state.moved].map(([instance, firstSequence]) => ({
      instance: instance.id,
      head: instance.epochs.head,
      firstSequence,
    }));
    state.moved.clear();
    const { events, work, nowMs: timestampMs } = state;
    state.events = [];
    state.work = [];
    state.announcedBytes = 0;
    state.debitBytes = 0;
    state.debitBatches.end();
    const { sequence } = message;
    if (state.streamKeys.length === 0 || !state.rules.drawsNameKeys)
      return { sequence, timestampMs, outcomes, instances, events, work };
    // Whole literals: to copy one object into another costs as much as to encode the record.
    return { sequence, timestampMs, outcomes, instances, events, work, streamKeys: [...state.streamKeys] };
  }

  #apply(message: EngineMessage, index: number): CommandOutcome {
    const { state } = this;
    const command = message.commands[index]!;
    state.recorder?.command?.(index);
    const key = 'idempotencyKey' in command ? (command.idempotencyKey ?? null) : null;
    const scope = key === null ? ofNoBrand : keyScopeOf(state, command);
    // What was read ahead is of the rules at the beginning of the message.
    const isAhead = command.kind === 'Contribute' && state.rules === this.#plannedRules;
    const hash = isAhead ? this.#plan.keyHash(index) : undefined;
    const known =
      key === null ? null : firstUse(state, key, command.kind === 'Contribute' ? command.brand : '', hash);
    if (index >= this.#plannedTo && this.#needsPlan(command)) this.#planRun(message, index);
    // Also for a repeat: contributions after it are planned again and must not join a group that has drawn.
    if (this.#endsRun(command)) this.#endRun();
    if (known !== null) return { kind: 'Duplicate', ...known };
    const outcome = draws(command) ? this.#draw(command, index) : this.#execute(command, index);
    if (key !== null && outcome.kind !== 'Refused' && outcome.kind !== 'Pending') {
      const operator = 'operator' in command ? command.operator : administrators;
      state.keys.add(operator, key, scope, message.sequence, index, state.nowMs, hash);
    }
    return outcome;
  }

  /** Contributions, and settlements that something is drawn for. */
  #needsPlan(command: LoggedCommand): boolean {
    if (command.kind === 'Contribute') return true;
    const { debits } = this.state;
    if (command.kind === 'DebitSettled') return debits.get(command.transactionId) !== null;
    return command.kind === 'Tick' && debits.debitedOf(command.instance) > 0;
  }

  #execute(command: Exclude<LoggedCommand, PlannedCommand>, index: number): CommandOutcome {
    return command.kind === 'UpgradeTo'
      ? this.#upgrade(command)
      : this.#handlers.execute(this.state, command, index);
  }

  /** From the next command on, the other handlers decide. A build without them goes no further. */
  #upgrade(command: UpgradeTo): CommandOutcome {
    const outcome = upgradeTo(this.state, command, this.#versions);
    this.#handlers = handlersOf(this.#versions, this.state.engineVersion);
    return outcome;
  }

  #draw(command: PlannedCommand, index: number): CommandOutcome {
    switch (command.kind) {
      case 'Contribute':
        return this.#contribute(command, index);
      case 'DebitSettled':
        return this.#handlers.settleDebit(this.state, command, this.#plan.settlements(index), index);
      case 'Tick':
        return this.#tick(command, index);
    }
  }

  /** Debits that waited for the instance are applied first: the Tick may change its status. */
  #tick(command: Tick, index: number): CommandOutcome {
    const contributions = this.#handlers.applyWaiting(this.state, this.#plan.settlements(index), index);
    const ticked = this.#handlers.tick(this.state, command);
    return contributions.length === 0 ? ticked : { kind: 'Settled', contributions };
  }

  #contribute(command: Contribute, index: number): CommandOutcome {
    const entry = this.#plan.entry(index);
    assert(entry !== null, 'a contribution is resolved before it is applied');
    if ('kind' in entry) return entry;
    if (this.state.isFull) return messageIsFull;
    return this.#handlers.contribute(this.state, entry, command, index);
  }

  /** Resolves the contributions up to the next command that is a separate group. */
  #planRun(message: EngineMessage, from: number): void {
    let index = from;
    for (; index < message.commands.length; index++) {
      const command = message.commands[index]!;
      if (this.#endsRun(command)) break;
      if (command.kind === 'Contribute') this.#plan.resolve(index, command);
      else if (command.kind === 'DebitSettled') this.#plan.resolveSettlement(index, command);
      else if (command.kind === 'Tick') this.#plan.resolveWaiting(index, command);
    }
    this.#plannedTo = index;
  }

  /** Commands that take sequence numbers of their own are groups of their own; others change later plans. */
  #endsRun(command: LoggedCommand): boolean {
    const { engineVersion, rules } = this.state;
    if (command.kind === 'UpgradeTo') return command.version === engineVersion + 1;
    if (command.kind === 'SetStatus')
      return command.status === 'Completed' || (command.status === 'Active' && rules.drawRules !== 1);
    if (command.kind === 'Continue') return rules.switchesWhileRunning && command.job.startsWith('move/');
    if (command.kind === 'FlushSettled') return rules.switchesWhileRunning;
    return (
      command.kind === 'AdjustPot' ||
      command.kind === 'TriggerPot' ||
      command.kind === 'SwitchModel' ||
      command.kind === 'CancelDebit'
    );
  }

  #endRun(): void {
    for (const group of this.#plan.groups) closeGroup(this.state, group);
    this.#plan.endRun();
  }
}

/** Whose idempotency keys those of administrators are. */
const administrators = '';
const noBatch = new Uint8Array(0);
/** Without a message: the gateway sends such a contribution again, in another message. */
const messageIsFull = refused('overloaded');

function draws(command: LoggedCommand): command is PlannedCommand {
  return command.kind === 'Contribute' || command.kind === 'DebitSettled' || command.kind === 'Tick';
}
