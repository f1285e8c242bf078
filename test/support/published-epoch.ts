import { type EpochPage, EpochPages } from '../../src/actors/epochs/pages.ts';
import type { PageLimit } from '../../src/actors/ports/epoch-ports.ts';
import type { DrawGroup } from '../../src/jackpot/state/lane/recorder.ts';

const noLimit: PageLimit = { textBytes: Number.POSITIVE_INFINITY, records: Number.POSITIVE_INFINITY };

/** What the owner of a lane publishes of an epoch: the text of each page, the first page first. */
export function pagesOf(
  { header, next, seed }: { readonly header: string; readonly seed: Uint8Array; readonly next: string },
  groups: Iterable<DrawGroup>,
  limit = noLimit,
): readonly string[] {
  const pages = new EpochPages(header, limit);
  const stored: EpochPage[] = [];
  for (const group of groups) {
    for (const _ of pages.write(group));
    const full = pages.drainFull();
    if (full !== null) stored.push(full);
  }
  stored.push(...pages.end(seed, next));
  return stored
    .sort((a, b) => a.page - b.page)
    .map(({ parts }) => Buffer.concat(parts as readonly Uint8Array[]).toString('utf8'));
}
