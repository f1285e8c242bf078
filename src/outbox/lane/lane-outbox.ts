import type { DeliveryAnswer, DeliveryQuestion } from '../../contracts/payments/delivery-questions.ts';
import { crash } from '../../lib/crash.ts';
import { WakeablePauses } from '../../lib/pauses.ts';
import { type Bus, type Clock, type Log, LogError, type Random, type Table } from '../../ports.ts';
import { outboxLimits } from '../delivery/limits.ts';
import type { Subscriptions } from '../events/subscriptions.ts';
import { answerQuestion } from '../questions/answer.ts';
import type { DeliverySender } from '../send/sender.ts';
import { Stopped } from '../store/persistently.ts';
import type { EntryLimits } from '../stored/entry-counts.ts';
import type { KnownDelivery } from '../stored/stored-deliveries.ts';
import { LaneRun } from './lane-run.ts';

export interface LaneOutboxPorts {
  readonly log: Pick<
    Log,
    | 'followOutcomes'
    | 'readCommand'
    | 'append'
    | 'readOutcome'
    | 'readOutcomes'
    | 'lastCommand'
    | 'lastOutcome'
  >;
  readonly bus: Pick<Bus, 'request' | 'subscribe'>;
  /** KV DELIVERIES. */
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly sender: DeliverySender;
  readonly subscriptions: Subscriptions;
  /** How many entries callbacks may have; absent: as `outboxLimits` says. */
  readonly room?: EntryLimits;
  readonly report: (message: string, error: unknown) => void;
  /** These callbacks cannot be delivered, because the log has lost their commands. */
  readonly lost: (callbacks: number) => void;
}

/**
 * Delivers what a lane's outcome records bring: callbacks, and from the first subscription on events, which
 * have a run of their own (docs/decisions/0485).
 */
export class LaneOutbox {
  readonly #lane: number;
  readonly #ports: LaneOutboxPorts;
  readonly #callbacks: RepeatedRun;
  #events: RepeatedRun | null = null;
  readonly #forget: () => void;

  constructor(lane: number, ports: LaneOutboxPorts) {
    this.#lane = lane;
    this.#ports = ports;
    this.#callbacks = new RepeatedRun(lane, ports, null);
    this.#forget = ports.subscriptions.onChange(() => this.#subscribed());
    this.#subscribed();
  }

  /** Stored deliveries and backlogs, as far as they are read. */
  *known(): Iterable<KnownDelivery> {
    for (const { stored, backlogs } of this.#runs) {
      yield* stored.known();
      yield* backlogs.known();
    }
  }

  /** Answers a question of a gateway (docs/rules/callbacks.md "Decisions of people"). */
  async answer(question: DeliveryQuestion): Promise<DeliveryAnswer> {
    const runs = this.#runs;
    if (!runs.every(({ isLoaded }) => isLoaded)) return { kind: 'starting' };
    const { log, clock } = this.#ports;
    const lastOutcome = () => log.lastOutcome(this.#lane);
    const [callbacks = this.#callbacks.run, events = null] = runs;
    return answerQuestion({ callbacks, events, lastOutcome, clock }, question);
  }

  /** The record at which the lane waits for a newer release; null: there is none so far. */
  get unsupported(): number | null {
    return lowest(this.#runs.map(({ unsupported }) => unsupported));
  }

  /** The lowest sequence that is not done; null: not known yet. */
  get cursor(): number | null {
    return lowest(this.#runs.map(({ cursor }) => cursor));
  }

  /** When the oldest record that is not done was made; null: all are done. */
  get oldestMs(): number | null {
    return lowest(this.#runs.map(({ oldestMs }) => oldestMs));
  }

  /** Gives the lane up. What is under way may still arrive; the next process repeats it. */
  async stop(): Promise<void> {
    this.#forget();
    await Promise.all([this.#callbacks.stop(), this.#events?.stop()]);
  }

  get #runs(): readonly LaneRun[] {
    return this.#events === null ? [this.#callbacks.run] : [this.#callbacks.run, this.#events.run];
  }

  #subscribed(): void {
    const { subscriptions } = this.#ports;
    if (this.#events !== null) this.#events.run.subscribed().catch(ignoreStopped);
    else if (!isEmpty(subscriptions.all()))
      this.#events = new RepeatedRun(this.#lane, this.#ports, subscriptions);
  }
}

/** Runs over a lane's records, one after the other: each outage of the log ends one. */
class RepeatedRun {
  run: LaneRun;
  readonly #lane: number;
  readonly #ports: LaneOutboxPorts;
  readonly #subscriptions: Subscriptions | null;
  readonly #pauses: WakeablePauses;
  #stopped = false;

  constructor(lane: number, ports: LaneOutboxPorts, subscriptions: Subscriptions | null) {
    this.#lane = lane;
    this.#ports = ports;
    this.#subscriptions = subscriptions;
    this.#pauses = new WakeablePauses(ports.clock);
    this.run = new LaneRun(lane, ports, subscriptions);
    this.#repeat().catch(crash);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#pauses.wake();
    await this.run.stop();
  }

  async #repeat(): Promise<void> {
    let pauseMs: number = outboxLimits.minPauseMs;
    while (!this.#stopped) {
      try {
        await this.run.follow();
      } catch (error) {
        if (error instanceof Stopped) return;
        if (!(error instanceof LogError)) throw error;
        if (error.code !== 'unavailable')
          this.#ports.report(`Deliveries of lane ${this.#lane} pause.`, error);
      }
      if (this.#stopped) return;
      await this.#pauses.pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, outboxLimits.maxPauseMs);
      if (!this.#stopped) this.run = new LaneRun(this.#lane, this.#ports, this.#subscriptions);
    }
  }
}

function lowest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function isEmpty(items: Iterable<unknown>): boolean {
  for (const _ of items) return false;
  return true;
}

function ignoreStopped(error: unknown): void {
  if (!(error instanceof Stopped)) crash(error);
}
