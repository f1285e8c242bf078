import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import type { DrawGroup } from '../../jackpot/state/lane/recorder.ts';
import { LogError } from '../../ports.ts';
import type { PageLimit } from '../ports/epoch-ports.ts';
import type { Throttle } from '../recovery/throttle.ts';
import { EpochPages, freePart } from './pages.ts';
import type { Replayed } from './replay.ts';
import { closingAfter, isRevealed } from './revealed.ts';
import type { Spool } from './spool.ts';
import type { EpochStore } from './store.ts';

/** Text of all open epochs that is held in memory; beyond it the largest ones are spilled. */
const maxBufferedBytes = 16 * 1024 * 1024;

interface RecordingPorts {
  readonly store: EpochStore;
  readonly spool: Spool;
  readonly throttle: Throttle;
  readonly pageLimit: PageLimit;
  readonly published: (instance: string, epoch: number) => void;
  readonly failed: (instance: string, epoch: number, error: unknown) => void;
}

/** An epoch that is written. `pages` null: it is published, or the replay began after its first draw. */
interface OpenEpoch {
  pages: EpochPages | null;
  /** Once it has ended. */
  closing: string;
}

/**
 * Writes down the draws of every epoch of every instance while the log passes, stores pages as they fill, and
 * publishes each epoch when its reveal passes.
 */
export class EpochRecording {
  readonly #ports: RecordingPorts;
  readonly #maxBufferedBytes: number;
  readonly #open = new Map<string, OpenEpoch>();
  #bufferedBytes = 0;

  constructor(ports: RecordingPorts, bufferedBytes = maxBufferedBytes) {
    this.#ports = ports;
    this.#maxBufferedBytes = bufferedBytes;
  }

  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  async take(replayed: Replayed): Promise<void> {
    const { commands, engine, events, groups, sequence } = replayed;
    await this.#ports.throttle.worked(commands);
    for (const group of groups) await this.#write(group, engine, sequence);
    for (const event of events) {
      if (event.kind === 'EpochEnded') this.#end(engine, event.instance, event.epoch);
      else if (event.kind === 'EpochRevealed') await this.#reveal(engine, event.instance, event.epoch);
    }
  }

  async #write(group: DrawGroup, engine: LaneEngine, sequence: number): Promise<void> {
    const { epoch, instance } = group;
    const open =
      this.#open.get(nameOf(instance, epoch)) ?? (await this.#begin(engine, instance, epoch, sequence));
    const { pages } = open;
    if (pages === null) return;
    const before = pages.bufferedBytes;
    for (const records of pages.write(group)) await this.#ports.throttle.worked(records);
    const full = pages.drainFull();
    this.#bufferedBytes += pages.bufferedBytes - before;
    try {
      if (full !== null) await this.#ports.store.put(instance, epoch, full);
    } catch (error) {
      full?.parts.forEach(freePart);
      this.#giveUp(open, instance, epoch, error);
    }
    if (this.#bufferedBytes > this.#maxBufferedBytes) await this.#spill();
  }

  async #begin(engine: LaneEngine, instance: string, epoch: number, sequence: number): Promise<OpenEpoch> {
    const record = engine.epochs(instance)?.find((each) => each.epoch === epoch);
    const isWhole = record?.firstMessage === sequence;
    const writes = isWhole && !(await this.#ports.store.isPublished(instance, epoch));
    const open = {
      pages: writes ? new EpochPages(record.header, this.#ports.pageLimit) : null,
      closing: '',
    };
    this.#open.set(nameOf(instance, epoch), open);
    return open;
  }

  /** What the epoch ends with is known now; afterwards an instance that is over may still be paid out of. */
  #end(engine: LaneEngine, instance: string, epoch: number): void {
    const open = this.#open.get(nameOf(instance, epoch));
    if (open !== undefined && open.pages !== null) open.closing = closingAfter(engine, instance, epoch);
  }

  async #reveal(engine: LaneEngine, instance: string, epoch: number): Promise<void> {
    const record = engine.epochs(instance)?.find((each) => each.epoch === epoch);
    if (record === undefined || !isRevealed(record)) return;
    const name = nameOf(instance, epoch);
    const open = this.#open.get(name);
    this.#open.delete(name);
    const pages = open === undefined ? await this.#emptyPages(instance, record) : open.pages;
    if (pages === null) return;
    this.#bufferedBytes -= pages.bufferedBytes;
    const closing = open?.closing || closingAfter(engine, instance, epoch);
    try {
      await this.#ports.store.remember(instance, record);
      await this.#ports.store.publish(instance, epoch, pages.end(record.seed, closing));
      this.#ports.published(instance, epoch);
    } catch (error) {
      pages.discard();
      this.#fail(instance, epoch, error);
    }
  }

  /** Pages of an epoch without draws; null where something was drawn before this replay. */
  async #emptyPages(
    instance: string,
    { epoch, firstMessage, header }: { epoch: number; firstMessage: number; header: string },
  ): Promise<EpochPages | null> {
    if (firstMessage > 0 || (await this.#ports.store.isPublished(instance, epoch))) return null;
    return new EpochPages(header, this.#ports.pageLimit);
  }

  /** Half of what may be held is left: the largest first, so that little of many blocks is wasted. */
  async #spill(): Promise<void> {
    const written = [...this.#open.values()].flatMap(({ pages }) => pages ?? []);
    written.sort((a, b) => b.bufferedBytes - a.bufferedBytes);
    for (const pages of written) {
      if (this.#bufferedBytes <= this.#maxBufferedBytes / 2) return;
      this.#bufferedBytes -= pages.bufferedBytes;
      await pages
        .spill((bytes) => this.#ports.spool.write(bytes))
        .finally(() => {
          this.#bufferedBytes += pages.bufferedBytes;
        });
    }
  }

  #giveUp(open: OpenEpoch, instance: string, epoch: number, error: unknown): void {
    if (open.pages !== null) {
      this.#bufferedBytes -= open.pages.bufferedBytes;
      open.pages.discard();
    }
    open.pages = null;
    this.#fail(instance, epoch, error);
  }

  #fail(instance: string, epoch: number, error: unknown): void {
    if (error instanceof LogError && error.code !== 'stopped') this.#ports.failed(instance, epoch, error);
    else throw error;
  }
}

function nameOf(instance: string, epoch: number): string {
  return `${instance}/${epoch}`;
}
