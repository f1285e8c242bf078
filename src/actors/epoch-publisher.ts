import { epochDocumentName } from '../contracts/epoch-documents.ts';
import type { EpochRecord } from '../contracts/log/messages.ts';
import { assert } from '../lib/assert.ts';
import { LogError } from '../lib/ports.ts';
import { EpochDocument } from './epoch-document.ts';
import { replayDraws } from './epoch-replay.ts';
import type { LanePorts } from './ports.ts';
import type { Replica } from './replica.ts';
import { pause } from './waiting.ts';

const mostQueued = 1000;
const tryAgainAfterMs = 5000;
const mostTries = 5;

type Job = { readonly instance: string; readonly epoch: number };

/**
 * Writes revealed epochs into the archive EPOCHS for public reads, one after the other, beside the lane's own work. What
 * a killed owner left out is found by the next one: the lane's state keeps its last revealed epochs.
 */
export class EpochPublisher {
  readonly #replica: Replica;
  readonly #ports: LanePorts;
  readonly #queue: Job[] = [];
  #working: Promise<void> | null = null;
  #stopped = false;

  constructor(replica: Replica, ports: LanePorts) {
    this.#replica = replica;
    this.#ports = ports;
  }

  /** Looks for revealed epochs that the archive does not have. */
  start(): void {
    const looking = async (): Promise<void> => {
      const archive = await this.#ports.log.archive('EPOCHS');
      const published = new Set(await archive.list());
      for (const instance of this.#replica.engine.instances()) {
        for (const { epoch, state } of this.#replica.engine.epochs(instance) ?? []) {
          const missing = state === 'revealed' && !published.has(epochDocumentName(instance, epoch));
          if (missing) this.publish(instance, epoch);
        }
      }
    };
    looking().catch((error) => this.#alarm(`The archive of epochs does not answer: ${String(error)}`));
  }

  publish(instance: string, epoch: number): void {
    if (this.#stopped) return;
    if (this.#queue.length >= mostQueued) {
      this.#alarm(`Epoch ${epoch} of ${instance} waits for the next start: too many are revealed at once.`);
      return;
    }
    this.#queue.push({ instance, epoch });
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#queue.length = 0;
    await this.#working;
  }

  async #work(): Promise<void> {
    for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) {
      await this.#publishThroughOutages(job);
    }
  }

  async #publishThroughOutages({ instance, epoch }: Job): Promise<void> {
    for (let tries = 1; tries <= mostTries && !this.#stopped; tries += 1) {
      try {
        const records = this.#replica.engine.epochs(instance) ?? [];
        const record = records.find((each) => each.epoch === epoch);
        if (record === undefined) return;
        return await this.#publishOne(instance, record, this.#closingOf(instance, epoch, records));
      } catch (error) {
        if (this.#stopped) return;
        this.#alarm(`Epoch ${epoch} of ${instance} is not published: ${String(error)}`);
        if (!(error instanceof LogError && error.retryable)) return;
      }
      await pause(this.#ports.clock, tryAgainAfterMs);
    }
  }

  /** What the next epoch begins with; none begins behind the last one of an instance that is over. */
  #closingOf(instance: string, epoch: number, records: readonly EpochRecord[]): string {
    const next = records.find((each) => each.epoch === epoch + 1)?.header ?? '';
    const closing = next === '' ? this.#replica.engine.closing(instance) : next;
    assert(closing !== null, 'an instance with epochs is known');
    return closing;
  }

  async #publishOne(instance: string, record: EpochRecord, closing: string): Promise<void> {
    const { epoch, header, seed, firstMessage, lastMessage } = record;
    if (seed === null) return;
    const document = new EpochDocument(header, seed);
    if (lastMessage > 0) {
      const take = (group: Parameters<EpochDocument['add']>[0]): void => {
        if (group.instance === instance && group.epoch === epoch) document.add(group);
      };
      await replayDraws(
        this.#replica.lane,
        this.#ports,
        firstMessage,
        lastMessage,
        take,
        () => this.#stopped,
      );
    }
    const archive = await this.#ports.log.archive('EPOCHS');
    await archive.put(epochDocumentName(instance, epoch), document.bytes(closing));
    this.#ports.monitor.notice(this.#replica.lane, `Epoch ${epoch} of ${instance} is published.`);
  }

  #alarm(message: string): void {
    this.#ports.monitor.alarm(this.#replica.lane, 'epoch_not_published', message);
  }
}
