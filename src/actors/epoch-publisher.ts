import { epochDocumentName } from '../contracts/epoch-documents.ts';
import type { EpochRecord } from '../contracts/log/messages.ts';
import type { DrawGroup } from '../jackpot/draw/recorder.ts';
import { assert } from '../lib/assert.ts';
import { type Archive, LogError } from '../lib/ports.ts';
import { type EpochPage, EpochPages, type PageLimit } from './epoch-pages.ts';
import { replayDraws } from './epoch-replay.ts';
import { Pace } from './pace.ts';
import type { LanePorts } from './ports.ts';
import type { Replica } from './replica.ts';
import { pause, throughOutages } from './waiting.ts';

const mostQueued = 1000;
const tryAgainAfterMs = 5000;
/** For one page; then the epoch is begun anew. */
const mostTries = 5;
/** A killed owner's successor knows the last eight of an instance: half as many may wait before there is a hurry. */
const mostWaitingAtEase = 4;

interface Job {
  readonly instance: string;
  /** As it was revealed: while it waits here the lane may forget it. */
  readonly record: EpochRecord;
  /** Header of the epoch behind, where that one has begun. */
  readonly nextHeader: string;
}

/**
 * Writes revealed epochs into the archive EPOCHS for public reads, one after the other, beside the lane's own work, page
 * by page. The first page is stored last: where it is the epoch is published. What a killed owner left out is found by
 * the next one, which begins anew: the lane's state keeps its last revealed epochs.
 */
export class EpochPublisher {
  readonly #replica: Replica;
  readonly #ports: LanePorts;
  readonly #pageLimit: PageLimit;
  readonly #queue: Job[] = [];
  #working: Promise<void> | null = null;
  #stopped = false;

  constructor(replica: Replica, ports: LanePorts, pageLimit: PageLimit) {
    this.#replica = replica;
    this.#ports = ports;
    this.#pageLimit = pageLimit;
  }

  /** Looks for revealed epochs that the archive does not have. */
  start(): void {
    const { engine } = this.#replica;
    const revealed = [...engine.instances()].flatMap((instance) =>
      (engine.epochs(instance) ?? [])
        .filter(({ state }) => state === 'revealed')
        .map(({ epoch }) => ({ instance, epoch })),
    );
    const { clock, log } = this.#ports;
    const stopped = (): boolean => this.#stopped;
    const looking = async (): Promise<void> => {
      for (const { epoch, instance } of revealed) {
        const name = epochDocumentName(instance, epoch);
        const has = await throughOutages(clock, stopped, async () => (await log.archive('EPOCHS')).has(name));
        if (has === false) this.publish(instance, epoch);
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
    const records = this.#replica.engine.epochs(instance) ?? [];
    const record = records.find((each) => each.epoch === epoch);
    if (record === undefined || record.seed === null) return;
    this.#queue.push({ instance, record, nextHeader: headerOf(records, epoch + 1) });
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#queue.length = 0;
    await this.#working;
  }

  /** An outage may be as long as it likes: nobody else will publish these epochs while the lane is ours. */
  async #work(): Promise<void> {
    for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) {
      if (await this.#isOver(job)) continue;
      await pause(this.#ports.clock, tryAgainAfterMs);
      // Behind the others, for what keeps this one out may let them in.
      if (!this.#stopped) this.#queue.push(job);
    }
  }

  /** Whether it is published, or never will be; false: an outage. */
  async #isOver(job: Job): Promise<boolean> {
    try {
      await this.#publishOne(job);
      return true;
    } catch (error) {
      if (this.#stopped) return true;
      this.#alarm(`Epoch ${job.record.epoch} of ${job.instance} is not published: ${String(error)}`);
      return !(error instanceof LogError && error.retryable);
    }
  }

  async #publishOne(job: Job): Promise<void> {
    const { instance, record } = job;
    const { epoch, header, seed, firstMessage, lastMessage } = record;
    assert(seed !== null, 'only revealed epochs are published');
    const pages = new EpochPages(header, seed, this.#pageLimit);
    const pace = new Pace(this.#ports.clock, () => this.#isBehind(instance));
    const archive = await this.#ports.log.archive('EPOCHS');
    const store = async ({ page, parts }: EpochPage): Promise<void> => {
      if (this.#stopped) throw new LogError('stopped', 'The lane is not here any more.');
      await this.#storeThroughOutages(archive, epochDocumentName(instance, epoch, page), parts);
    };
    const take = async (group: DrawGroup): Promise<void> => {
      if (group.instance !== instance || group.epoch !== epoch) return;
      for (const records of pages.write(group)) await pace.worked(records);
      const full = pages.takeFull();
      if (full !== null) await store(full);
    };
    if (lastMessage > 0) {
      const { lane } = this.#replica;
      const worked = (commands: number): Promise<void> => pace.worked(commands);
      await replayDraws(lane, this.#ports, firstMessage, lastMessage, take, worked, () => this.#stopped);
    }
    const left = pages.end(this.#closingOf(job));
    await this.#removeFrom(archive, instance, epoch, Math.max(...left.map(({ page }) => page)) + 1);
    for (const page of left) await store(page);
    this.#ports.monitor.notice(this.#replica.lane, `Epoch ${epoch} of ${instance} is published.`);
  }

  #isBehind(instance: string): boolean {
    return this.#queue.filter((job) => job.instance === instance).length >= mostWaitingAtEase;
  }

  /** The pages before it need not be made anew because one cannot be stored at once. */
  async #storeThroughOutages(archive: Archive, name: string, parts: EpochPage['parts']): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await archive.put(name, parts);
      } catch (error) {
        const goesOn = error instanceof LogError && error.retryable && !this.#stopped;
        if (!goesOn || tries === mostTries) throw error;
      }
      await pause(this.#ports.clock, tryAgainAfterMs);
    }
  }

  /** Pages beyond the last one are of an owner that was killed, and cut them smaller. */
  async #removeFrom(archive: Archive, instance: string, epoch: number, first: number): Promise<void> {
    for (let page = first; await archive.has(epochDocumentName(instance, epoch, page)); page += 1)
      await archive.remove(epochDocumentName(instance, epoch, page));
  }

  /** What the next epoch begins with; none begins behind the last one of an instance that is over. */
  #closingOf({ instance, nextHeader, record }: Job): string {
    if (nextHeader !== '') return nextHeader;
    const { engine } = this.#replica;
    const next = headerOf(engine.epochs(instance) ?? [], record.epoch + 1);
    const closing = next === '' ? engine.closing(instance) : next;
    assert(closing !== null, 'an instance with epochs is known');
    return closing;
  }

  #alarm(message: string): void {
    this.#ports.monitor.alarm(this.#replica.lane, 'epoch_not_published', message);
  }
}

/** Empty where the epoch has not begun. */
function headerOf(records: readonly EpochRecord[], epoch: number): string {
  return records.find((each) => each.epoch === epoch)?.header ?? '';
}
