import type { DeliveryAnswer, DeliveryQuestion } from '../../contracts/payments/delivery-questions.ts';
import { crash } from '../../lib/crash.ts';
import { WakeablePauses } from '../../lib/pauses.ts';
import { type Bus, type Clock, type Log, LogError, type Random, type Table } from '../../ports.ts';
import { outboxLimits } from '../delivery/limits.ts';
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
  readonly bus: Pick<Bus, 'request'>;
  /** KV DELIVERIES. */
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly sender: DeliverySender;
  /** How many entries callbacks may have; absent: as `outboxLimits` says. */
  readonly room?: EntryLimits;
  readonly report: (message: string, error: unknown) => void;
  /** These callbacks cannot be delivered, because the log has lost their commands. */
  readonly lost: (callbacks: number) => void;
}

/**
 * Delivers what a lane's outcome records bring, through outages of the log (docs/rules/callbacks.md "Tries").
 */
export class LaneOutbox {
  readonly #lane: number;
  readonly #ports: LaneOutboxPorts;
  #run: LaneRun;
  readonly #pauses: WakeablePauses;
  #stopped = false;

  constructor(lane: number, ports: LaneOutboxPorts) {
    this.#lane = lane;
    this.#ports = ports;
    this.#pauses = new WakeablePauses(ports.clock);
    this.#run = new LaneRun(lane, ports);
    this.#repeat().catch(crash);
  }

  /** Stored deliveries and backlogs, as far as they are read. */
  *known(): Iterable<KnownDelivery> {
    yield* this.#run.stored.known();
    yield* this.#run.backlogs.known();
  }

  /** Answers a question of a gateway (docs/rules/callbacks.md "Decisions of people"). */
  async answer(question: DeliveryQuestion): Promise<DeliveryAnswer> {
    const run = this.#run;
    if (!run.isLoaded) return { kind: 'starting' };
    const { log, clock } = this.#ports;
    const lastOutcome = () => log.lastOutcome(this.#lane);
    return answerQuestion(
      { stored: run.stored, backlogs: run.backlogs, replays: run.replays, lastOutcome, clock },
      question,
    );
  }

  /** The record at which the lane waits for a newer release; null: there is none so far. */
  get unsupported(): number | null {
    return this.#run.unsupported;
  }

  /** The lowest sequence that is not done; null: not known yet. */
  get cursor(): number | null {
    return this.#run.cursor;
  }

  /** When the oldest record that is not done was made; null: all are done. */
  get oldestMs(): number | null {
    return this.#run.oldestMs;
  }

  /** Gives the lane up. What is under way may still arrive; the next process repeats it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#pauses.wake();
    await this.#run.stop();
  }

  async #repeat(): Promise<void> {
    let pauseMs: number = outboxLimits.minPauseMs;
    while (!this.#stopped) {
      try {
        await this.#run.follow();
      } catch (error) {
        if (error instanceof Stopped) return;
        if (!(error instanceof LogError)) throw error;
        if (error.code !== 'unavailable')
          this.#ports.report(`Deliveries of lane ${this.#lane} pause.`, error);
      }
      if (this.#stopped) return;
      await this.#pauses.pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, outboxLimits.maxPauseMs);
      if (!this.#stopped) this.#run = new LaneRun(this.#lane, this.#ports);
    }
  }
}
