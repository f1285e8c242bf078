import { epochDocumentName } from '../contracts/epoch-documents.ts';
import { assert } from '../lib/assert.ts';
import { type Archive, LogError } from '../lib/ports.ts';
import { type EpochPage, EpochPages, type PageLimit } from './epoch-pages.ts';
import { EpochReplay, type Replayed } from './epoch-replay.ts';
import { forgottenEpochs, unpublishedBefore } from './epoch-search.ts';
import { Pace } from './pace.ts';
import type { LanePorts } from './ports.ts';
import type { Replica } from './replica.ts';
import { type RevealedEpoch, revealedEpochs } from './revealed-epochs.ts';
import { pause, throughOutages } from './waiting.ts';

const mostQueued = 1000;
const tryAgainAfterMs = 5000;
/** For one page; then the epoch is begun anew. */
const mostTries = 5;
/** The lane itself knows the last eight of an instance: half as many may wait before there is a hurry. */
const mostWaitingAtEase = 4;

/**
 * Writes revealed epochs into the archive EPOCHS for public reads, one after the other, beside the lane's own work, page
 * by page. The first page is stored last: where it is the epoch is published. What a killed owner left out is found by
 * the next one, which begins anew.
 */
export class EpochPublisher {
  readonly #replica: Replica;
  readonly #ports: LanePorts;
  readonly #pageLimit: PageLimit;
  readonly #replay: EpochReplay;
  #queue: RevealedEpoch[] = [];
  /** There may be epochs that are neither published nor in the queue. */
  #mustLook = false;
  #isWorking = false;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(replica: Replica, ports: LanePorts, pageLimit: PageLimit) {
    this.#replica = replica;
    this.#ports = ports;
    this.#pageLimit = pageLimit;
    this.#replay = new EpochReplay(replica.lane, ports, () => this.#stopped);
  }

  /** Looks for revealed epochs that the archive does not have. */
  start(): void {
    this.#mustLook = true;
    this.#begin();
  }

  publish(instance: string, epoch: number): void {
    const revealed = revealedEpochs(this.#replica.engine, instance).find(
      ({ record }) => record.epoch === epoch,
    );
    if (revealed === undefined) return;
    if (this.#queue.length < mostQueued) this.#queue.push(revealed);
    else this.#mustLook = true;
    this.#begin();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#queue = [];
    await this.#working;
  }

  #begin(): void {
    if (this.#stopped || this.#isWorking) return;
    this.#isWorking = true;
    this.#working = this.#work().catch((error) => {
      this.#isWorking = false;
      this.#alarm(`Publishing met a bug: ${String(error)}`);
    });
  }

  /** An outage may be as long as it likes: nobody else will publish these epochs while the lane is ours. */
  async #work(): Promise<void> {
    while (!this.#stopped) {
      const revealed = this.#queue.shift();
      if (revealed !== undefined) {
        if (await this.#isOver(revealed)) continue;
        await pause(this.#ports.clock, tryAgainAfterMs);
        // Behind the others, for what keeps this one out may let them in.
        if (!this.#stopped) this.#queue.push(revealed);
      } else if (this.#mustLook) {
        this.#mustLook = false;
        const found = await this.#unpublished();
        if (found.length > mostQueued) this.#mustLook = true;
        // Before those that were revealed meanwhile: the archive has no gaps then.
        if (!this.#stopped) this.#queue.unshift(...found.slice(0, mostQueued));
      } else break;
    }
    this.#replay.forget();
    this.#isWorking = false;
  }

  /** Revealed epochs of all instances that are not in the archive, in the order of the log. */
  async #unpublished(): Promise<RevealedEpoch[]> {
    const { engine } = this.#replica;
    const lastMessage = engine.appliedSequence;
    const known = [...engine.instances()].map((instance) => revealedEpochs(engine, instance));
    const unpublished: RevealedEpoch[] = [];
    const forgotten = new Map<string, readonly number[]>();
    try {
      for (const epochs of known) {
        const first = epochs[0];
        if (first === undefined) continue;
        const isPublished = (epoch: number): Promise<boolean> => this.#has(first.instance, epoch);
        for (const each of epochs) if (!(await isPublished(each.record.epoch))) unpublished.push(each);
        const missing = await unpublishedBefore(first.record.epoch, isPublished);
        if (missing.length > 0) forgotten.set(first.instance, missing);
      }
      if (forgotten.size > 0) unpublished.push(...(await this.#remembered(forgotten, lastMessage)));
    } catch (error) {
      if (this.#stopped) return [];
      this.#alarm(`It is not known whether older epochs are published: ${String(error)}`);
      if (error instanceof LogError && error.retryable) {
        this.#mustLook = true;
        await pause(this.#ports.clock, tryAgainAfterMs);
      }
    }
    return unpublished.sort((a, b) => a.record.firstMessage - b.record.firstMessage);
  }

  async #remembered(
    forgotten: ReadonlyMap<string, readonly number[]>,
    lastMessage: number,
  ): Promise<RevealedEpoch[]> {
    const pace = new Pace(this.#ports.clock, () => true);
    const worked = (commands: number): Promise<void> => pace.worked(commands);
    const found = await forgottenEpochs(forgotten, lastMessage, this.#replay, worked);
    const wanted = [...forgotten.values()].reduce((total, epochs) => total + epochs.length, 0);
    if (found.length < wanted)
      this.#alarm(`Of ${wanted - found.length} epochs the log does not tell any more what they were.`);
    return found;
  }

  async #has(instance: string, epoch: number): Promise<boolean> {
    const { clock, log } = this.#ports;
    const name = epochDocumentName(instance, epoch);
    const has = await throughOutages(
      clock,
      () => this.#stopped,
      async () => (await log.archive('EPOCHS')).has(name),
    );
    if (has === null) throw new LogError('stopped', 'The lane is not here any more.');
    return has;
  }

  /** Whether it is published, or never will be; false: an outage. */
  async #isOver(revealed: RevealedEpoch): Promise<boolean> {
    try {
      await this.#publishOne(revealed);
      return true;
    } catch (error) {
      if (this.#stopped) return true;
      const { instance, record } = revealed;
      this.#alarm(`Epoch ${record.epoch} of ${instance} is not published: ${String(error)}`);
      return !(error instanceof LogError && error.retryable);
    }
  }

  async #publishOne(revealed: RevealedEpoch): Promise<void> {
    const { instance, record } = revealed;
    const { epoch, header, seed, firstMessage, lastMessage } = record;
    const pages = new EpochPages(header, seed, this.#pageLimit);
    const pace = new Pace(this.#ports.clock, () => this.#isBehind(instance));
    const archive = await this.#ports.log.archive('EPOCHS');
    const store = async ({ page, parts }: EpochPage): Promise<void> => {
      if (this.#stopped) throw new LogError('stopped', 'The lane is not here any more.');
      await this.#storeThroughOutages(archive, epochDocumentName(instance, epoch, page), parts);
    };
    const take = async ({ commands, groups }: Replayed): Promise<void> => {
      await pace.worked(commands.length);
      for (const group of groups) {
        if (group.instance !== instance || group.epoch !== epoch) continue;
        for (const records of pages.write(group)) await pace.worked(records);
        const full = pages.takeFull();
        if (full !== null) await store(full);
      }
    };
    if (lastMessage > 0) await this.#replay.from(firstMessage, lastMessage, take);
    const left = pages.end(this.#closingOf(revealed));
    await this.#removeFrom(archive, instance, epoch, Math.max(...left.map(({ page }) => page)) + 1);
    for (const page of left) await store(page);
    this.#ports.monitor.notice(this.#replica.lane, `Epoch ${epoch} of ${instance} is published.`);
  }

  #isBehind(instance: string): boolean {
    return this.#queue.filter((each) => each.instance === instance).length >= mostWaitingAtEase;
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
  #closingOf({ instance, nextHeader, record }: RevealedEpoch): string {
    if (nextHeader !== '') return nextHeader;
    const { engine } = this.#replica;
    const next = engine.epochs(instance)?.find(({ epoch }) => epoch === record.epoch + 1)?.header ?? '';
    const closing = next === '' ? engine.closing(instance) : next;
    assert(closing !== null, 'an instance with epochs is known');
    return closing;
  }

  #alarm(message: string): void {
    this.#ports.monitor.alarm(this.#replica.lane, 'epoch_not_published', message);
  }
}
