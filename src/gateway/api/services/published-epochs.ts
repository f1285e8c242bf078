import {
  decodeEpochIndex,
  epochDocumentName,
  epochIndexKey,
  type RevealedRecord,
} from '../../../contracts/jackpots/epochs.ts';
import type { Archive, Table } from '../../../ports.ts';

/** A page of a published epoch, or null. The first page is stored last. @throws LogError */
export async function publishedPage(
  archive: Pick<Archive, 'get' | 'has'>,
  instance: string,
  epoch: number,
  page: number,
): Promise<Uint8Array | null> {
  if (page > 0 && !(await archive.has(epochDocumentName(instance, epoch)))) return null;
  return await archive.get(epochDocumentName(instance, epoch, page));
}

/** What is known of epochs that their lane has forgotten. Both throw LogError. */
export interface RevealedEpochs {
  /** From the reveal on; null where it was not written down. */
  known(instance: string, epoch: number): Promise<RevealedRecord | null>;
  /** Whether every draw can be read. */
  isPublished(instance: string, epoch: number): Promise<boolean>;
}

export function createRevealedEpochs(
  table: () => Promise<Pick<Table, 'get'>>,
  archive: () => Promise<Pick<Archive, 'has'>>,
): RevealedEpochs {
  return {
    async known(instance, epoch) {
      const entry = await (await table()).get(epochIndexKey(instance, epoch));
      return entry === null ? null : decodeEpochIndex(entry.value);
    },
    isPublished: async (instance, epoch) => (await archive()).has(epochDocumentName(instance, epoch)),
  };
}
