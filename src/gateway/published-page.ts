import { epochDocumentName } from '../contracts/epoch-documents.ts';
import type { Archive } from '../ports.ts';

/**
 * A page of a published epoch, from 0 on; null where there is none. Further pages are stored before the first one, so
 * what an owner left half done is not shown. Throws LogError.
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
