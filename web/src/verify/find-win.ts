import { type ListedEpoch, readEpoch } from './public-data.ts';

/** Where a win stands of which only pot and moment are known. */
export type WinPlace =
  | { readonly kind: 'found'; readonly epoch: number; readonly sequence: number }
  /** Its epoch is not revealed yet. */
  | { readonly kind: 'later' }
  | { readonly kind: 'unknown' };

/** Epochs that are read in search of a win. */
const maxEpochs = 200;

interface Group {
  readonly records: readonly { readonly t: number }[];
  readonly details: readonly { readonly pot?: string; readonly seq: number; readonly type: string }[];
}

interface Published {
  readonly pages?: number;
  readonly groups?: readonly Group[] | null;
}

/** Time does not run backwards over the epochs, so few of them are read, however many there are. */
export async function findWin(
  instance: string,
  listed: readonly ListedEpoch[],
  win: { readonly pot: string; readonly atMs: number },
): Promise<WinPlace> {
  const newest = listed.find(({ state }) => state === 'revealed')?.epoch ?? -1;
  let low = 0;
  let high = newest;
  // Most likely the win is a recent one.
  let from = newest;
  let next = from;
  let isLater = true;
  for (let reads = 0; low <= high && reads < maxEpochs; reads += 1) {
    const epoch = await openEpoch(instance, next);
    if (epoch === null && next < high) {
      // An epoch without draws has no times: the one behind it is asked instead.
      next += 1;
      continue;
    }
    if (epoch === null) high = from - 1;
    else if (epoch.endMs < win.atMs) low = next + 1;
    else {
      isLater = false;
      const isWithin = epoch.startMs <= win.atMs;
      const sequence = isWithin ? await searched(epoch.groupsOf, epoch.pages, win) : null;
      if (sequence !== null) return { kind: 'found', epoch: next, sequence };
      if (isWithin && epoch.endMs > win.atMs) return { kind: 'unknown' };
      // Two epochs can meet within one millisecond.
      if (isWithin) low = next + 1;
      else high = from - 1;
    }
    from = (low + high) >> 1;
    next = from;
  }
  return { kind: isLater ? 'later' : 'unknown' };
}

/** null: it has no draws. */
async function openEpoch(instance: string, epoch: number) {
  const { groups, pages = 1 } = JSON.parse(await readEpoch(instance, epoch)) as Published;
  if (!groups?.length) return null;
  const groupsOf = async (page: number): Promise<readonly Group[]> =>
    page === 0 ? groups : ((JSON.parse(await readEpoch(instance, epoch, page)) as Published).groups ?? []);
  return { pages, groupsOf, startMs: startOf(groups), endMs: endOf(await groupsOf(pages - 1)) };
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
