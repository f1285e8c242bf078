import { type ListedEpoch, readEpoch } from './public-data.ts';

/** Where a win stands of which only pot and moment are known. */
export type WinPlace =
  | { readonly kind: 'found'; readonly epoch: number; readonly sequence: number }
  /** Its epoch is not revealed yet. */
  | { readonly kind: 'later' }
  | { readonly kind: 'unknown' };

/** Epochs that are read in search of a win, the newest first. */
const mostEpochs = 12;

interface Published {
  readonly groups?:
    | readonly {
        readonly records: readonly { readonly t: number }[];
        readonly details: readonly { readonly pot?: string; readonly seq: number; readonly type: string }[];
      }[]
    | null;
}

export async function findWin(
  instance: string,
  listed: readonly ListedEpoch[],
  { atMs, pot }: { readonly pot: string; readonly atMs: number },
): Promise<WinPlace> {
  const revealed = listed.filter(({ state }) => state === 'revealed').slice(0, mostEpochs);
  for (const [index, { epoch }] of revealed.entries()) {
    const { groups } = JSON.parse(await readEpoch(instance, epoch)) as Published;
    const all = groups ?? [];
    const last = all.at(-1)?.records[0]?.t ?? 0;
    if (index === 0 && last < atMs) return { kind: 'later' };
    for (const { details, records } of all) {
      const isThen = records[0]?.t === atMs;
      const win = isThen ? details.find((each) => each.pot === pot && each.type !== 'adjustment') : undefined;
      if (win !== undefined) return { kind: 'found', epoch, sequence: win.seq };
    }
    if ((all[0]?.records[0]?.t ?? 0) <= atMs && all.length > 0) return { kind: 'unknown' };
  }
  return { kind: revealed.length === 0 ? 'later' : 'unknown' };
}
