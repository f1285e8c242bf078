import {
  decodeEpochIndex,
  encodeEpochIndex,
  epochDocumentName,
  epochIndexKey,
  type RevealedRecord,
} from '../../contracts/jackpots/epochs.ts';
import { pause } from '../../lib/pauses.ts';
import { type Archive, LogError } from '../../ports.ts';
import type { ActorPorts } from '../ports/actor-ports.ts';
import { throughOutages } from '../ports/outages.ts';
import { type EpochPage, freePart, type PagePart } from './pages.ts';

export const retryDelayMs = 5000;
/** For one page; then the epoch is begun anew. */
const maxTries = 5;

/** Public data of epochs: the table EPOCHS from their reveal on, the archive EPOCHS with every draw. */
export class EpochStore {
  readonly #ports: Pick<ActorPorts, 'clock' | 'log'>;
  readonly #stopped: () => boolean;

  constructor(ports: Pick<ActorPorts, 'clock' | 'log'>, stopped: () => boolean) {
    this.#ports = ports;
    this.#stopped = stopped;
  }

  isPublished(instance: string, epoch: number): Promise<boolean> {
    return this.#throughOutages(async () => (await this.#archive()).has(epochDocumentName(instance, epoch)));
  }

  known(instance: string, epoch: number): Promise<RevealedRecord | null> {
    return this.#throughOutages(async () => {
      const entry = await (await this.#ports.log.table('EPOCHS')).get(epochIndexKey(instance, epoch));
      return entry === null ? null : decodeEpochIndex(entry.value);
    });
  }

  remember(instance: string, record: RevealedRecord): Promise<void> {
    return this.#throughOutages(async () => {
      const table = await this.#ports.log.table('EPOCHS');
      await table.put(epochIndexKey(instance, record.epoch), encodeEpochIndex(record), 0);
    });
  }

  /** The pages before it need not be made anew because one cannot be stored at once. */
  async put(instance: string, epoch: number, { page, parts }: EpochPage): Promise<void> {
    const archive = await this.#archive();
    const text = await Promise.all(parts.map(textOf));
    for (let tries = 1; ; tries += 1) {
      if (this.#stopped()) throw new LogError('stopped', 'The lane is not here any more.');
      try {
        await archive.put(epochDocumentName(instance, epoch, page), text);
        return parts.forEach(freePart);
      } catch (error) {
        const goesOn = error instanceof LogError && error.retryable && !this.#stopped();
        if (!goesOn || tries === maxTries) throw error;
      }
      await pause(this.#ports.clock, retryDelayMs);
    }
  }

  /** The pages that are left; those beyond them are of an owner that was killed, and cut them smaller. */
  async publish(instance: string, epoch: number, left: readonly EpochPage[]): Promise<void> {
    const archive = await this.#archive();
    const last = Math.max(...left.map(({ page }) => page));
    for (let page = last + 1; await archive.has(epochDocumentName(instance, epoch, page)); page += 1)
      await archive.remove(epochDocumentName(instance, epoch, page));
    for (const page of left) await this.put(instance, epoch, page);
  }

  #archive(): Promise<Archive> {
    return this.#ports.log.archive('EPOCHS');
  }

  async #throughOutages<T>(work: () => Promise<T>): Promise<T> {
    let result: { readonly value: T } | null = null;
    result = await throughOutages(this.#ports.clock, this.#stopped, async () => ({ value: await work() }));
    if (result === null) throw new LogError('stopped', 'The lane is not here any more.');
    return result.value;
  }
}

function textOf(part: PagePart): Uint8Array | Promise<Uint8Array> {
  return part instanceof Uint8Array ? part : part.read();
}
