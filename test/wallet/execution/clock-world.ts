import { lateReplies, replyTo } from '../../../src/actors/lane/emit/replies.ts';
import { answerQuery } from '../../../src/actors/queries/answers.ts';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import {
  decodeLaneQueryRequest,
  encodeBatchReply,
  encodeCommandBatch,
  encodeLaneQueryAnswer,
} from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import type { SetBrand } from '../../../src/messages/lane-commands.ts';
import type { SettledContribution } from '../../../src/messages/outcomes.ts';
import type { WalletAnswer } from '../../../src/wallet/client/answer.ts';
import type { WalletCall } from '../../../src/wallet/client/brand-client.ts';
import { LaneExecutor } from '../../../src/wallet/execution/lane-executor.ts';
import { BrandQueues } from '../../../src/wallet/execution/queues.ts';
import { running, setBrand } from '../../jackpot/support/commands.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { settings } from '../../jackpot/support/lane.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';
import { SimServer } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';

const answerMs = 20;

export interface SentCall {
  readonly name: WalletCall['name'];
  readonly path: string;
  readonly text: string;
  readonly timeoutMs: number | undefined;
  readonly atMs: number;
}

/** A lane with the real engine and its executor, on a clock that only the test moves; the wallet is a function. */
export class ClockWorld {
  readonly world = new SimWorld(1);
  readonly calls: SentCall[] = [];
  readonly alarms: string[] = [];
  readonly bugs: unknown[] = [];
  /** Contributions that waited for debits, in the order of their answers. */
  readonly settled: SettledContribution[] = [];
  readonly replica = new Replica(0, newLane(settings), testHashing, firstLaneHead);
  /** What the wallet says to a call; by default nothing, and the caller waits for the end of its try. */
  answer: (call: WalletCall) => WalletAnswer | 'silent' = () => 'silent';
  /** The breaker before the wallet lets no call through. */
  isBreakerOpen = false;
  /** Questions about open credits that the lane has answered. */
  creditQuestions = 0;
  readonly #server = new SimServer(this.world, 1);
  readonly #actor = this.#server.connect('actor');
  readonly #wallet = this.#server.connect('wallet');
  #messages = 0;

  /** A lane of one instance, whose brand has a wallet. */
  static async open(
    configuration: InstanceConfigurationDocument,
    brand: Partial<SetBrand> = {},
  ): Promise<ClockWorld> {
    const world = new ClockWorld();
    world.#act();
    await world.apply(...running(configuration), setBrand({ wallet: true, provider: 'acme', ...brand }));
    return world;
  }

  get nowMs(): number {
    return this.world.nowMs;
  }

  /** Calls of one kind. */
  of(name: SentCall['name']): readonly SentCall[] {
    return this.calls.filter((call) => call.name === name);
  }

  /** `backMs`: so far the clock of the process is behind. */
  start(backMs = 0): LaneExecutor {
    const { log, bus } = this.#wallet;
    const steady = this.world.clock(() => true);
    const clock = { ...steady, nowMs: () => steady.nowMs() - backMs };
    const clients = {
      of: () => ({
        attempt: (call: WalletCall, _: unknown, timeoutMs?: number) => this.#attempt(call, timeoutMs),
        mayAttempt: () => !this.isBreakerOpen,
      }),
      onRecovery: () => {},
    };
    const report = (error: unknown): void => void this.bugs.push(error);
    return new LaneExecutor(0, {
      ...{ log, bus, clock, report },
      random: this.world.random(),
      queues: new BrandQueues(clients, { clock, report }),
      monitor: {
        debitSettled: () => {},
        creditsSettled: () => {},
        credited: () => {},
        alarm: (code) => void this.alarms.push(code),
      },
      trouble: () => {},
    });
  }

  /** Writes commands to the lane and waits until it has applied them. */
  async apply(...commands: readonly Command[]): Promise<void> {
    this.#messages += 1;
    const bytes = encodeCommandBatch({ batchId: new Uint8Array(16), gateway: '', commands });
    const messageId = `message ${this.#messages}`;
    let sequence = Number.POSITIVE_INFINITY;
    const appended = this.#actor.log.append(0, 'control', bytes, { messageId });
    appended.then((result) => {
      if (result.kind === 'stored') sequence = result.sequence;
    }, this.bugs.push);
    await this.until(() => this.replica.engine.appliedSequence >= sequence, 'the message is applied');
  }

  until(done: () => boolean, what: string, withinMs = 60_000): Promise<void> {
    return this.world.until(done, withinMs, what);
  }

  #act(): void {
    const { log, bus } = this.#actor;
    log.follow(0, 1, {
      message: async (stored) => {
        const applied = this.replica.apply(stored);
        for (const outcome of applied.outcome.outcomes)
          if (outcome.kind === 'Settled') this.settled.push(...outcome.contributions);
        if (applied.batch.gateway !== '')
          bus.publish(`reply.${applied.batch.gateway}`, encodeBatchReply(replyTo(applied, this.replica)));
        await log.appendOutcome(0, stored.sequence, applied.routing, applied.record);
        for (const { gateway, reply } of lateReplies(applied, this.replica))
          bus.publish(`reply.${gateway}`, encodeBatchReply(reply));
      },
    });
    bus.subscribe('query.0', (message) => {
      const { query } = decodeLaneQueryRequest(message.bytes);
      if (query.kind === 'open_credits' || query.kind === 'open_credit') this.creditQuestions += 1;
      if (
        query.kind !== 'directory' &&
        query.kind !== 'placement' &&
        query.kind !== 'placement_order' &&
        query.kind !== 'rebuilt_outcome' &&
        query.kind !== 'ticket_page'
      )
        message.respond(encodeLaneQueryAnswer(answerQuery(this.replica.engine, query)));
    });
  }

  #attempt(call: WalletCall, timeoutMs = 2_000): Promise<WalletAnswer> {
    if (this.isBreakerOpen) return Promise.resolve({ kind: 'unknown', reason: 'breaker_open' });
    const { name, path, body } = call;
    const text = Buffer.from(body).toString('utf8');
    this.calls.push({ name, path, text, timeoutMs, atMs: this.nowMs });
    const said = this.answer(call);
    return new Promise((resolve) => {
      const [delayMs, answer] =
        said === 'silent' ? [timeoutMs, { kind: 'unknown', reason: 'no_answer' } as const] : [answerMs, said];
      this.world.schedule(delayMs, () => resolve(answer));
    });
  }
}
