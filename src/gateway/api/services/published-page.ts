import { epochDocumentName } from '../../../contracts/jackpots/epochs.ts';
import type { Archive } from '../../../ports.ts';

/**
 * A page of a published epoch, from 0 on; null if it does not exist. Further pages are stored before the first one, so
 * an unfinished publication is not shown.
 * @throws LogError
 */
export async function publishedPage(
  archive: Pick<Archive, 'get' | 'has'>,
  instance: string,
  epoch: number,
  page: number,
): Promise<Uint8Array | null> {
  if (page > 0 && !(await archive.has(epochDocumentName(instance, epoch)))) return null;
  return await archive.get(epochDocumentName(instance, epoch, page));
}
