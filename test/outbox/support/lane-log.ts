import { randomBytes } from 'node:crypto';
import { answerQuery } from '../../../src/actors/queries/answers.ts';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { crash } from '../../../src/lib/crash.ts';
import { querySubject } from '../../../src/log/base/names.ts';
import {
  decodeLaneQueryRequest,
  decodeOutcomeRecord,
  encodeCommandBatch,
  encodeLaneQueryAnswer,
} from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { OutcomeRecord } from '../../../src/messages/outcomes.ts';
import type { Bus, BusMessage, Follower, Log, StoredCommand } from '../../../src/ports.ts';
import { createInstance, openEpoch, setBrand, setStatus } from '../../jackpot/support/commands.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { settings, startMs } from '../../jackpot/support/lane.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';
import { onePot } from '../../jackpot/support/scenario.ts';

/** A lane as its gateway and owner run it: real commands, the records of a real engine, answers to questions. */
export class LaneLog {
  readonly #log: Log;
  readonly #lane: number;
  readonly #replica: Replica;
  readonly #follower: Follower;
  readonly #service: { stop(): void };
  #applied = 0;
  #waiting: { readonly sequence: number; readonly resolve: () => void }[] = [];
  /** While it is set, messages are stored and not applied. */
  #held: Promise<void> | null = null;

  constructor({ log, bus }: { readonly log: Log; readonly bus: Bus }, lane = 0) {
    this.#log = log;
    this.#lane = lane;
    this.#replica = new Replica(lane, newLane(settings), testHashing, firstLaneHead);
    this.#follower = log.follow(lane, 1, { message: (stored) => this.#apply(stored) });
    this.#service = bus.subscribe(querySubject(lane), (message) => {
      this.#answer(message).catch(crash);
    });
  }

  get engine(): Replica['engine'] {
    return this.#replica.engine;
  }

  /** An active instance `jackpot` whose one pot nothing hits. */
  async open(configuration = onePot()): Promise<void> {
    await this.write(
      setBrand(),
      createInstance(configuration),
      openEpoch('jackpot', 0, [0, 1, 2]),
      setStatus('Active'),
    );
  }

  /** One message; gives the sequence once its record is stored. */
  async write(...commands: Command[]): Promise<number> {
    const sequence = await this.append(...commands);
    await this.applied(sequence);
    return sequence;
  }

  /** What the commands of one message have brought. */
  async outcomes(...commands: Command[]): Promise<OutcomeRecord['outcomes']> {
    const record = await this.#log.readOutcome(this.#lane, await this.write(...commands));
    return decodeOutcomeRecord(record!.bytes).outcomes;
  }

  async append(...commands: Command[]): Promise<number> {
    const bytes = encodeCommandBatch({ batchId: randomBytes(16), gateway: 'g', commands });
    const messageId = randomBytes(8).toString('hex');
    const stored = await this.#log.append(this.#lane, 'control', bytes, { messageId });
    if (stored.kind !== 'stored') throw new Error('not stored');
    return stored.sequence;
  }

  /** Nothing is applied until the returned function is called. */
  hold(): () => void {
    let release = (): void => {};
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return () => {
      this.#held = null;
      release();
    };
  }

  accounts(instance = 'jackpot'): Readonly<Record<string, bigint>> {
    return Object.fromEntries(this.engine.accounts(instance) ?? []);
  }

  applied(sequence: number): Promise<void> {
    if (this.#applied >= sequence) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ sequence, resolve });
    });
  }

  async stop(): Promise<void> {
    this.#service.stop();
    await this.#follower.stop();
  }

  async #apply(stored: StoredCommand): Promise<void> {
    await this.#held;
    const { sequence } = stored;
    const { record, routing } = this.#replica.apply({ ...stored, timestampMs: startMs + sequence });
    await this.#log.appendOutcome(this.#lane, sequence, routing, record);
    this.#applied = sequence;
    const ready = this.#waiting.filter((each) => each.sequence <= sequence);
    this.#waiting = this.#waiting.filter((each) => each.sequence > sequence);
    for (const { resolve } of ready) resolve();
  }

  async #answer(message: BusMessage): Promise<void> {
    const { minSequence, query } = decodeLaneQueryRequest(message.bytes);
    await this.applied(minSequence);
    message.respond(encodeLaneQueryAnswer(answerQuery(this.engine, query as never)));
  }
}
