import { afterEach, describe, expect, it, vi } from 'vitest';
import { findWin } from '../../web/src/verify/find-win.ts';
import { linkText, readLink } from '../../web/src/verify/link.ts';
import type { ListedEpoch } from '../../web/src/verify/public-data.ts';

describe('a link to the page that verifies', () => {
  it('names a jackpot, an epoch and a draw', () => {
    const link = { instance: 'aurora', epoch: 3, sequence: 2071 };
    expect(linkText(link)).toBe('?instance=aurora&epoch=3&seq=2071');
    expect(readLink(linkText(link))).toEqual({ ...link, win: null });
  });

  it('or a win by its pot and moment', () => {
    expect(readLink('?instance=a&pot=mini&at=1700')).toMatchObject({ win: { pot: 'mini', atMs: 1700 } });
  });

  it.each(['?epoch=x&seq=-1', '?epoch=1.5&seq=1e3', ''])('takes %s for nothing', (search) => {
    expect(readLink(search)).toEqual({ instance: '', epoch: null, sequence: null, win: null });
  });
});

describe('a win of which pot and moment are known', () => {
  const group = (t: number, ...details: readonly object[]) => ({ records: [{ t }], details });
  const epochs: Readonly<Record<number, object>> = {
    0: { groups: [group(100), group(120, { type: 'win', seq: 12, pot: 'mini' })] },
    1: {
      groups: [
        group(200, { type: 'adjustment', seq: 20, pot: 'mini' }, { type: 'win', seq: 21, pot: 'grand' }),
        group(290),
      ],
    },
  };
  const listed = [2, 1, 0].map(
    (epoch) => ({ epoch, state: epoch < 2 ? 'revealed' : 'running' }) as ListedEpoch,
  );
  const find = (pot: string, atMs: number) => findWin('aurora', listed, { pot, atMs });

  afterEach(() => vi.unstubAllGlobals());

  it('is found in its epoch, said to come later, or not known', async () => {
    vi.stubGlobal('fetch', async (path: string) => Response.json(epochs[Number(path.at(-1))]));
    expect(await find('mini', 120)).toEqual({ kind: 'found', epoch: 0, sequence: 12 });
    expect(await find('grand', 200)).toEqual({ kind: 'found', epoch: 1, sequence: 21 });
    expect(await find('mini', 200)).toEqual({ kind: 'unknown' });
    expect(await find('mini', 300)).toEqual({ kind: 'later' });
  });

  it('is found among many epochs with few reads, also beside epochs without draws', async () => {
    const last = 5_000;
    const isEmpty = (epoch: number) => epoch % 7 !== 3;
    const drawsOf = (epoch: number) =>
      isEmpty(epoch)
        ? { groups: [] }
        : { groups: [group(epoch * 100), group(epoch * 100 + 50, { type: 'win', seq: epoch, pot: 'mini' })] };
    let reads = 0;
    vi.stubGlobal('fetch', async (path: string) => {
      reads += 1;
      return Response.json(drawsOf(Number(path.split('/').at(-1))));
    });
    const newest = [{ epoch: last, state: 'revealed' } as ListedEpoch];
    for (const epoch of [3, 10, 2_502, 4_994]) {
      reads = 0;
      const place = await findWin('aurora', newest, { pot: 'mini', atMs: epoch * 100 + 50 });
      expect([isEmpty(epoch), place]).toEqual([false, { kind: 'found', epoch, sequence: epoch }]);
      expect(reads).toBeLessThan(110);
    }
    expect(await findWin('aurora', newest, { pot: 'mini', atMs: 4_400 })).toEqual({ kind: 'unknown' });
    expect(await findWin('aurora', newest, { pot: 'mini', atMs: last * 100 + 60 })).toEqual({
      kind: 'later',
    });
  });

  it('is found on a later page of its epoch', async () => {
    const win = { type: 'win', seq: 77, pot: 'mini' };
    const pages = [
      { pages: 4, groups: [group(100)] },
      { page: 1, groups: [group(110), group(120)] },
      { page: 2, groups: [group(120, win), group(130)] },
      { page: 3, groups: [group(140)] },
    ];
    vi.stubGlobal('fetch', async (path: string) => {
      const { pathname, searchParams } = new URL(path, 'http://localhost');
      const page = Number(searchParams.get('page') ?? '0');
      return Response.json(pathname.endsWith('/1') ? pages[page] : epochs[0]);
    });
    expect(await find('mini', 120)).toEqual({ kind: 'found', epoch: 1, sequence: 77 });
    expect(await find('mini', 130)).toEqual({ kind: 'unknown' });
    expect(await find('mini', 141)).toEqual({ kind: 'later' });
  });
});
