import { type ListedEpoch, readEpoch } from './public-data.ts';

/** Where a win stands of which only pot and moment are known. */
export type WinPlace =
  | { readonly kind: 'found'; readonly epoch: number; readonly sequence: number }
  /** Its epoch is not revealed yet. */
  | { readonly kind: 'later' }
  | { readonly kind: 'unknown' };

/** Epochs that are read in search of a win, the newest first. */
const maxEpochs = 12;

interface Group {
  readonly records: readonly { readonly t: number }[];
  readonly details: readonly { readonly pot?: string; readonly seq: number; readonly type: string }[];
}

interface Published {
  readonly pages?: number;
  readonly groups?: readonly Group[] | null;
}

export async function findWin(
  instance: string,
  listed: readonly ListedEpoch[],
  { atMs, pot }: { readonly pot: string; readonly atMs: number },
): Promise<WinPlace> {
  const revealed = listed.filter(({ state }) => state === 'revealed').slice(0, maxEpochs);
  for (const [index, { epoch }] of revealed.entries()) {
    const { groups, pages = 1 } = JSON.parse(await readEpoch(instance, epoch)) as Published;
    const first = groups ?? [];
    const groupsOf = async (page: number): Promise<readonly Group[]> =>
      page === 0 ? first : ((JSON.parse(await readEpoch(instance, epoch, page)) as Published).groups ?? []);
    if (index === 0 && endOf(await groupsOf(pages - 1)) < atMs) return { kind: 'later' };
    const sequence = await searched(groupsOf, pages, { pot, atMs });
    if (sequence !== null) return { kind: 'found', epoch, sequence };
    if (first.length > 0 && startOf(first) <= atMs) return { kind: 'unknown' };
  }
  return { kind: revealed.length === 0 ? 'later' : 'unknown' };
}

/** Time does not run backwards over the pages, so only those around the moment are read. */
async function searched(
  groupsOf: (page: number) => Promise<readonly Group[]>,
  pages: number,
  { atMs, pot }: { readonly pot: string; readonly atMs: number },
): Promise<number | null> {
  let low = 0;
  for (let high = pages - 1; low < high; ) {
    const middle = (low + high) >> 1;
    if (endOf(await groupsOf(middle)) < atMs) low = middle + 1;
    else high = middle;
  }
  for (let page = low; page < pages; page += 1) {
    const groups = await groupsOf(page);
    for (const { details, records } of groups) {
      const isThen = records[0]?.t === atMs;
      const win = isThen ? details.find((each) => each.pot === pot && each.type !== 'adjustment') : undefined;
      if (win !== undefined) return win.seq;
    }
    if (endOf(groups) > atMs) return null;
  }
  return null;
}

function startOf(groups: readonly Group[]): number {
  return groups[0]?.records[0]?.t ?? 0;
}

function endOf(groups: readonly Group[]): number {
  return groups.at(-1)?.records[0]?.t ?? 0;
}
