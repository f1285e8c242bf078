import { pause } from '../../lib/pauses.ts';
import { querySubject } from '../../log/base/names.ts';
import {
  decodeLaneQueryAnswer,
  decodeOutcomeRecord,
  encodeCommandBatch,
  encodeLaneQueryRequest,
} from '../../messages/codec/codec.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../messages/queries.ts';
import type { FlushSettled } from '../../messages/settlement-commands.ts';
import type { FlushRecord } from '../../messages/settlements.ts';
import { type Bus, type Clock, type Log, LogError, type Random } from '../../ports.ts';
import { outboxLimits } from '../delivery/limits.ts';
import { persistently, Stopped } from '../store/persistently.ts';

interface LaneFlushesPorts {
  readonly log: Pick<Log, 'append' | 'readOutcome' | 'lastCommand'>;
  readonly bus: Pick<Bus, 'request'>;
  readonly clock: Clock;
  readonly random: Random;
  /** The lane is no longer this process's. */
  readonly stopped: () => boolean;
}

/** What a lane knows of its diversion flushes, and reports of their results. Everything waits through outages. */
export class LaneFlushes {
  readonly #lane: number;
  readonly #ports: LaneFlushesPorts;

  constructor(lane: number, ports: LaneFlushesPorts) {
    this.#lane = lane;
    this.#ports = ports;
  }

  /** The flushes that are open once message `sequence` is applied; absent: every message that is stored now. */
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

  /** Owner of an instance; null: the lane does not know the instance. */
  async ownerOf(instance: string): Promise<string | null> {
    const query = { kind: 'instances', ids: [instance] } as const;
    const { instances } = await this.#ask(0, query, 'instances');
    return instances[0]?.owner ?? null;
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
    const batchId = this.#ports.random.bytes(16);
    const bytes = encodeCommandBatch({ batchId, gateway: '', commands: [command] });
    const messageId = Buffer.from(batchId).toString('hex');
    const appended = await persistently(this.#ports, () =>
      log.append(this.#lane, 'settlement', bytes, { messageId }),
    );
    if (appended.kind !== 'stored') throw new Error('The settlement channel has no fence.');
    const { outcomes } = await this.#recordOf(appended.sequence);
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

  #ask<K extends LaneQueryAnswer['kind']>(
    minSequence: number,
    query: LaneQuery,
    kind: K,
  ): Promise<Extract<LaneQueryAnswer, { kind: K }>> {
    const request = encodeLaneQueryRequest({ minSequence, query });
    return persistently(this.#ports, async () => {
      const bytes = await this.#ports.bus.request(
        querySubject(this.#lane),
        request,
        outboxLimits.queryTimeoutMs,
      );
      const answer = decodeLaneQueryAnswer(bytes);
      if (answer.kind === kind) return answer as Extract<LaneQueryAnswer, { kind: K }>;
      throw new LogError('unavailable', `Lane ${this.#lane} does not answer ${query.kind} yet.`);
    });
  }
}
