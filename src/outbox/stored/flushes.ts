import { crash } from '../../lib/crash.ts';
import { pause } from '../../lib/pauses.ts';
import { appendSettlement, askLane, settlementMessage } from '../../log/lanes/ask-lane.ts';
import { decodeOutcomeRecord } from '../../messages/codec/codec.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../messages/queries.ts';
import type { InstanceDescription } from '../../messages/records.ts';
import type { FlushSettled } from '../../messages/settlement-commands.ts';
import type { FlushRecord } from '../../messages/settlements.ts';
import type { Bus, Clock, Log, Random } from '../../ports.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import { persistently, Stopped } from '../store/persistently.ts';
import type { StoredDeliveries } from './stored-deliveries.ts';

interface FlushesPorts {
  readonly clock: Clock;
  readonly lane: LaneFlushes;
  readonly stored: StoredDeliveries;
  readonly report: (message: string, error: unknown) => void;
}

/**
 * Begins the diversion flushes of a lane: those of its records at once, and regularly what the lane has open
 * without a delivery. All are stored before their first try, because they are money (docs/decisions/0281).
 */
export class Flushes {
  readonly #lane: number;
  readonly #ports: FlushesPorts;
  /** Flushes that are being stored. */
  readonly #beginning = new Set<string>();
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(lane: number, ports: FlushesPorts) {
    this.#lane = lane;
    this.#ports = ports;
  }

  /** Stores a flush of an outcome record, unless it is settled. */
  async begin(flush: FlushRecord, sequence: number): Promise<void> {
    if (this.#isKnown(flush)) return;
    const open = await this.#ports.lane.open(sequence);
    if (open.some(({ flushId }) => flushId === flush.flushId)) await this.#store(flush, sequence);
  }

  /** Looks for open flushes until `stop`. */
  watch(): void {
    this.#look()
      .then(() => {
        if (!this.#stopped)
          this.#cancel = this.#ports.clock.after(outboxLimits.flushesEveryMs, () => this.watch());
      })
      .catch((error: unknown) => {
        if (!(error instanceof Stopped)) crash(error);
      });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #look(): Promise<void> {
    const { lane, stored } = this.#ports;
    stored.forgetSettled();
    for (const flush of await lane.open()) if (!stored.wasSettled(flush.flushId)) await this.#store(flush, 0);
  }

  #isKnown({ flushId }: FlushRecord): boolean {
    return this.#ports.stored.has(flushId) || this.#beginning.has(flushId);
  }

  async #store(flush: FlushRecord, sequence: number): Promise<void> {
    const { lane, stored, report } = this.#ports;
    if (this.#isKnown(flush)) return;
    this.#beginning.add(flush.flushId);
    const owner = await lane.ownerOf(flush.instance);
    if (owner === null) report(`The owner of the flushed instance ${flush.instance} is not known.`, null);
    const delivery: Delivery = {
      id: flush.flushId,
      lane: this.#lane,
      sequence,
      owner: owner ?? '',
      url: flush.endpoint,
      createdMs: flush.openedMs,
      content: { kind: 'DiversionFlush', flush },
    };
    await stored.add(delivery, { kind: 'busy' });
    this.#beginning.delete(flush.flushId);
  }
}

interface LaneFlushesPorts {
  readonly log: Pick<Log, 'append' | 'readOutcome' | 'lastCommand'>;
  readonly bus: Pick<Bus, 'request'>;
  readonly clock: Clock;
  readonly random: Random;
  /** The lane is no longer this process's. */
  readonly stopped: () => boolean;
}

/**
 * A lane's diversion flushes: which are open, and reports of their results. Everything waits through outages.
 */
export class LaneFlushes {
  readonly #lane: number;
  readonly #ports: LaneFlushesPorts;

  constructor(lane: number, ports: LaneFlushesPorts) {
    this.#lane = lane;
    this.#ports = ports;
  }

  /** The flushes that are open once message `sequence` is applied; absent: all stored messages. */
  async open(sequence?: number): Promise<readonly FlushRecord[]> {
    const { log } = this.#ports;
    const minSequence = sequence ?? (await persistently(this.#ports, () => log.lastCommand(this.#lane)));
    const flushes: FlushRecord[] = [];
    for (;;) {
      const query = {
        kind: 'open_flushes',
        offset: flushes.length,
        limit: outboxLimits.flushesAtOnce,
      } as const;
      const page = await this.#ask(minSequence, query, 'open_flushes');
      flushes.push(...page.flushes);
      if (page.flushes.length === 0) return flushes;
    }
  }

  /** An instance once message `sequence` is applied; null: the lane does not know it. */
  async describe(instance: string, sequence: number): Promise<InstanceDescription | null> {
    const query = { kind: 'instances', ids: [instance] } as const;
    const { instances } = await this.#ask(sequence, query, 'instances');
    return instances[0] ?? null;
  }

  /** Owner of an instance; null: the lane does not know the instance. */
  async ownerOf(instance: string): Promise<string | null> {
    return (await this.describe(instance, 0))?.owner ?? null;
  }

  /** Reports a result until the lane has applied it. False: the lane refused it. */
  async settle(flush: FlushRecord, result: FlushSettled['result']): Promise<boolean> {
    const { log } = this.#ports;
    const command = {
      kind: 'FlushSettled',
      instance: flush.instance,
      flushId: flush.flushId,
      result,
    } as const;
    const message = settlementMessage(this.#ports.random, [command]);
    const sequence = await persistently(this.#ports, () => appendSettlement(log, this.#lane, message));
    const { outcomes } = await this.#recordOf(sequence);
    return outcomes[0]?.kind === 'Done';
  }

  async #recordOf(sequence: number): Promise<ReturnType<typeof decodeOutcomeRecord>> {
    const { log, clock, stopped } = this.#ports;
    let pauseMs: number = outboxLimits.minRecordPauseMs;
    while (!stopped()) {
      const record = await persistently(this.#ports, () => log.readOutcome(this.#lane, sequence));
      if (record !== null) return decodeOutcomeRecord(record.bytes);
      await pause(clock, pauseMs);
      pauseMs = Math.min(2 * pauseMs, outboxLimits.maxPauseMs);
    }
    throw new Stopped('The lane was given up.');
  }

  #ask<K extends LaneQueryAnswer['kind']>(minSequence: number, query: LaneQuery, kind: K) {
    return persistently(this.#ports, () =>
      askLane(this.#ports.bus, this.#lane, { minSequence, query, kind }),
    );
  }
}
