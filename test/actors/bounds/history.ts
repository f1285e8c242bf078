import { lateReplies, replyTo } from '../../../src/actors/lane/emit/replies.ts';
import { resendAllWithinMs, Ticker } from '../../../src/actors/lane/emit/ticker.ts';
import { answerQuery } from '../../../src/actors/queries/answers.ts';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { commandSizeBytes } from '../../../src/gateway/lanes/batch.ts';
import { batchLimits } from '../../../src/gateway/lanes/limits.ts';
import { restoreLane } from '../../../src/jackpot/lane/lane.ts';
import { finish } from '../../../src/lib/turns.ts';
import {
  encodeBatchReply,
  encodeCommandBatch,
  encodeLaneQueryAnswer,
  encodeLaneTick,
} from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import type { LaneQuery } from '../../../src/messages/queries.ts';
import type { LiveValuesSink } from '../../../src/messages/records.ts';
import { Random } from '../../jackpot/mixed/random.ts';
import { openEpoch, seedOf } from '../../jackpot/support/commands.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';
import { ManualClock } from '../manual-clock.ts';
import * as commands from './commands.ts';

const epochMs = 600_000;
const maxDueSteps = 20_000;
/** What CMD takes of a message. */
const commandBytes = 256 * 1024;

export interface Largest {
  record: number;
  reply: number;
  tick: number;
  answer: number;
}

/** A lane of the largest things that may be, and its owner: what leaves for a message is measured as it is sent. */
export class BoundsHistory {
  commands = 0;
  messages = 0;
  overCapacity = 0;
  readonly largest: Largest = { record: 0, reply: 0, tick: 0, answer: 0 };
  readonly #random: Random;
  readonly #world: commands.LargeWorld;
  readonly #debits: string[] = [];
  readonly #engineSettings;
  #replica: Replica;
  #nowMs = 1_700_000_000_000;

  constructor(seed: number, maximumMessageBytes: number) {
    this.#random = new Random(seed);
    this.#world = commands.largeWorld(this.#random);
    this.#engineSettings = { epochMs, epochSequences: 50_000, maximumMessageBytes };
    this.#replica = new Replica(0, newLane(this.#engineSettings), testHashing, firstLaneHead);
    this.#apply(commands.opening(this.#world));
    for (const command of commands.instances(this.#random, this.#world)) this.#apply([command]);
    this.#owner();
    for (const command of commands.beginnings(this.#world)) this.#apply([command]);
    this.#owner();
  }

  /** A message of somebody else, and everything that the owner writes behind it. */
  step(): void {
    const random = this.#random;
    const afterMs = random.weighted([
      [12, 1],
      [3, 40_000],
      [1, epochMs],
    ]);
    // Seeds that are revealed too late would pause their instances.
    if (afterMs > 1) this.#owner();
    this.#nowMs += afterMs;
    const message = random.weighted<() => readonly Command[]>([
      [12, () => this.#contributions()],
      [3, () => [commands.trigger(random, this.#world)]],
      [2, () => [commands.parameters(random, this.#world)]],
      [2, () => [commands.details(random, this.#world)]],
      [2, () => [commands.optIn(random, this.#world)]],
      [1, () => [commands.binding(random, this.#world)]],
      [2, () => this.#settlements()],
    ])();
    this.#apply(message);
    if (random.once(4)) this.#owner();
    if (random.once(30)) this.#restart();
    if (random.once(8)) this.#ask();
  }

  /** What becomes of a plain contribution once the owner has done what is due. */
  contribute(): CommandOutcome {
    this.#owner();
    this.#ask();
    return this.#apply([commands.plainContribution(this.#random, this.#world)])[0]!;
  }

  /** As many as the gateway puts into a batch. */
  #contributions(): readonly Command[] {
    const batch: Command[] = [];
    let bytes = 0;
    const wanted = this.#random.pick(1, 20, batchLimits.commands);
    while (batch.length < wanted) {
      const command = commands.contributionOf(this.#random, this.#world);
      bytes += commandSizeBytes(command);
      if (batch.length > 0 && bytes > batchLimits.bytes) break;
      batch.push(command);
    }
    return batch;
  }

  #settlements(): readonly Command[] {
    return this.#debits.splice(0, 200).map((transactionId) => ({
      kind: 'DebitSettled',
      transactionId,
      result: this.#random.pick('debited', 'debited', 'debited', 'refused'),
    }));
  }

  /** Until nothing is due: seeds, reveals, steps of work and ticks, as many a message as an owner writes. */
  #owner(): void {
    for (let written = 0; written < maxDueSteps; written += 1) {
      const { engine } = this.#replica;
      const duties = engine
        .epochTasks()
        .flatMap(({ instance, open, reveal }) => [
          ...(open === null ? [] : [openEpoch(instance, open.epoch, open.commit)]),
          ...reveal.map(
            ({ epoch }) => ({ kind: 'RevealEpoch', instance, epoch, seed: seedOf(instance, epoch) }) as const,
          ),
        ]);
      const jobs = engine.jobs().map(({ job, step }) => ({ kind: 'Continue', job, step }) as const);
      const deadline = engine.nextDeadline();
      const isDue = deadline !== null && deadline.atMs <= this.#nowMs;
      const due = [
        ...duties,
        ...jobs,
        ...(isDue ? [{ kind: 'Tick', instance: deadline.instance } as const] : []),
      ].slice(0, 32);
      if (due.length === 0) return;
      this.#apply(due);
    }
    throw new Error('what is due does not end');
  }

  #apply(message: readonly Command[]): readonly CommandOutcome[] {
    const { engine } = this.#replica;
    const batchId = this.#random.bytes(16);
    const bytes = encodeCommandBatch({ batchId, gateway: 'g1', commands: message });
    if (bytes.length > commandBytes) throw new Error(`a command of ${bytes.length} bytes is not stored`);
    const applied = this.#replica.apply({
      lane: 0,
      sequence: engine.appliedSequence + 1,
      channel: 'control',
      timestampMs: this.#nowMs,
      bytes,
    });
    this.messages += 1;
    this.commands += message.length;
    this.overCapacity += applied.outcome.outcomes.filter(
      (each) => each.kind === 'Refused' && each.code === 'overloaded' && each.message === '',
    ).length;
    for (const each of applied.outcome.work) {
      if (each.kind === 'DebitDue') this.#debits.push(each.debit.transactionId);
    }
    this.#note('record', applied.record);
    this.#note('reply', encodeBatchReply(replyTo(applied, this.#replica)));
    for (const { reply } of lateReplies(applied, this.#replica)) this.#note('reply', encodeBatchReply(reply));
    return applied.outcome.outcomes;
  }

  #restart(): void {
    const { engine, laneHead } = this.#replica;
    const restored = finish(restoreLane([...engine.snapshot()], testHashing, this.#engineSettings));
    this.#replica = new Replica(0, restored, testHashing, laneHead);
  }

  /** Every question that somebody may ask, and the ticks that say everything once. */
  #ask(): void {
    const { engine } = this.#replica;
    const instance = this.#random.pick(...this.#world.instances);
    const [brand, player] = [
      this.#random.pick(...this.#world.brands),
      this.#random.pick(...this.#world.players),
    ];
    const page = { offset: 0, limit: 500 };
    const questions: readonly Exclude<
      LaneQuery,
      { kind: 'directory' | 'placement' | 'placement_order' | 'rebuilt_outcome' | 'ticket_page' }
    >[] = [
      { kind: 'state', offset: 0 },
      { kind: 'instances', ids: this.#world.instances },
      { kind: 'opt_in_status', instance, brand, player },
      { kind: 'opt_ins', instance, optedIn: null, owners: [], ...page },
      { kind: 'player_opt_ins', brand, player, ...page },
      { kind: 'winners', instance, pot: '', brand: '', limit: 500 },
      { kind: 'accounts', instance },
      { kind: 'epochs', instance, after: -1 },
      { kind: 'tickets', instance, brand: '', player: '', newestFirst: false, ...page },
      { kind: 'open_debits', after: 0, limit: 500 },
      { kind: 'open_credits', after: 0, limit: 500, states: [], batch: '' },
      { kind: 'open_flushes', ...page },
    ];
    for (const question of questions)
      this.#note('answer', encodeLaneQueryAnswer(answerQuery(engine, question)));
    const clock = new ManualClock();
    const source = {
      appliedSequence: () => engine.appliedSequence,
      storedOutcome: () => engine.appliedSequence,
      instances: () => engine.instances(),
      writeLiveValues: (id: string, sink: LiveValuesSink) => engine.writeLiveValues(id, sink),
    };
    const ticker = new Ticker(0, source, clock, (tick) => this.#note('tick', encodeLaneTick(tick)));
    ticker.start();
    clock.advance(resendAllWithinMs);
    ticker.stop();
  }

  #note(what: keyof Largest, { length }: Uint8Array): void {
    this.largest[what] = Math.max(this.largest[what], length);
  }
}
