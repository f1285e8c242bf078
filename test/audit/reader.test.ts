import { describe, expect, it } from 'vitest';
import { encodeMessage, hashOf, noPrevious } from '../../src/audit/chain.ts';
import type { AuditEntry } from '../../src/audit/entry.ts';
import { type AuditFilter, type AuditPage, type AuditPosition, readTrail } from '../../src/audit/reader.ts';
import type { StoredAudit } from '../../src/ports.ts';
import { entry } from './entries.ts';
import { type MemoryAudit, memoryAudit } from './memory-audit.ts';

const changes = 700;

/** Change n begins at n seconds; its outcome follows after another change's intent. */
const log = memoryAudit(trail());

describe('a list of the audit trail', () => {
  it.each([
    [{}, 0, 3, [699, 698, 697]],
    [{}, 698, 3, [1, 0]],
    [{ fromMs: 698_000 }, 0, 10, [699, 698]],
    [{ toMs: 250_000 }, 0, 2, [250, 249]],
    [{ fromMs: 10_000, toMs: 12_000 }, 0, 10, [12, 11, 10]],
    [{ user: 'user-3' }, 1, 2, [683, 673]],
    [{ operation: 'A7' }, 0, 2, [697, 690]],
    [{ toMs: -1 }, 0, 5, []],
  ])('has the changes that match %j, the newest first', async (filter, skip, limit, expected) => {
    expect(await list(filter, skip, limit, false)).toEqual(expected);
  });

  it.each([
    [{}, 0, 3, [0, 1, 2]],
    [{ fromMs: 500_000 }, 1, 2, [501, 502]],
    [{ fromMs: 10_000, toMs: 12_000 }, 0, 10, [10, 11, 12]],
    [{ user: 'user-3', fromMs: 690_000 }, 0, 5, [693]],
  ])('has the changes that match %j, the oldest first', async (filter, skip, limit, expected) => {
    expect(await list(filter, skip, limit, true)).toEqual(expected);
  });

  it.each([false, true])('shows each change with its outcome (oldest first: %j)', async (oldestFirst) => {
    const page = await readTrail(log, all({}), { skip: 0, limit: 500, oldestFirst });
    const open = page.records.filter(({ outcome }) => outcome === null).map(({ intent }) => intent.id);
    expect(open).toEqual(oldestFirst ? [] : ['699']);
    expect(page.unreadMs).toBeNull();
  });

  it('stops after ten thousand messages, and says where', async () => {
    const many = memoryAudit(manyMessages(10_050));
    const page = await readTrail(many, all({ user: 'nobody' }), { skip: 0, limit: 5, oldestFirst: false });
    expect(page).toEqual({ records: [], unreadMs: 51, last: { sequence: 51, id: '' }, total: null });
    const next = await readTrail(many, all({ user: 'nobody', toMs: 51 }), {
      skip: 0,
      limit: 5,
      oldestFirst: false,
    });
    expect(next.unreadMs).toBe(51);
  });

  it.each([false, true])('goes on by positions over all messages (oldest first: %j)', async (oldestFirst) => {
    const many = memoryAudit(manyMessages(25_000));
    const numbers = Array.from({ length: 25_000 }, (_, at) => at);
    const inOrder = oldestFirst ? numbers : numbers.toReversed();
    // Few match: pages end where the scan does.
    const rare = memoryAudit(manyMessages(25_000, (at) => (at % 12_000 === 0 ? 'rare' : 'often')));
    expect(await walked(many, all({}), 4_000, oldestFirst)).toEqual({ ids: inOrder, pages: 7 });
    const { ids, pages } = await walked(rare, all({ user: 'rare' }), 5, oldestFirst);
    expect(ids).toEqual(inOrder.filter((at) => at % 12_000 === 0));
    expect(pages).toBe(3);
  });

  it('has nothing behind a change that has left the trail, and its outcomes behind one that is there', async () => {
    const shortened = { ...log, extent: async () => ({ ...(await log.extent()), firstSequence: 300 }) };
    const place = { skip: 0, limit: 5, oldestFirst: false };
    const behind = (sequence: number, id: string) =>
      readTrail(shortened, all({}), { ...place, after: { sequence, id } });
    expect((await behind(200, '199')).records).toEqual([]);
    const found = (await behind(500, '499')).records;
    expect(found.map(({ intent, outcome }) => [intent.id, outcome?.id])).toEqual(
      ['498', '497', '496', '495', '494'].map((id) => [id, id]),
    );
  });

  it('leaves out what cannot be read', async () => {
    const [first, second, ...others] = trail();
    const damaged = memoryAudit([first!, { ...second!, bytes: Buffer.from('{}') }, ...others]);
    const page = await readTrail(damaged, all({}), { skip: 0, limit: 500, oldestFirst: true });
    expect(page.records.map(({ intent }) => intent.id).slice(0, 2)).toEqual(['0', '2']);
  });
});

async function list(
  filter: Partial<AuditFilter>,
  skip: number,
  limit: number,
  oldestFirst: boolean,
): Promise<number[]> {
  const page = await readTrail(log, all(filter), { skip, limit, oldestFirst });
  return page.records.map(({ intent }) => Number(intent.id));
}

function all(filter: Partial<AuditFilter>): AuditFilter {
  return { matches: () => true, ...filter };
}

function trail(): StoredAudit[] {
  const contents = Array.from({ length: changes }, (_, at): AuditEntry[] => {
    const members = { timestamp: at * 1000, user: `user-${at % 10}`, operation: at % 7 === 4 ? 'A7' : 'A8' };
    const intent = entry(String(at), 'intent', members);
    if (at === 0) return [intent];
    return [intent, entry(String(at - 1), 'outcome', { timestamp: at * 1000, outcome: 'applied' })];
  });
  return chained(contents, (at) => at * 1000);
}

async function walked(from: MemoryAudit, filter: AuditFilter, limit: number, oldestFirst: boolean) {
  const ids: number[] = [];
  let pages = 0;
  for (let after: AuditPosition | null = null; pages === 0 || after !== null; pages += 1) {
    const page: AuditPage = await readTrail(from, filter, { skip: 0, limit, oldestFirst, after });
    ids.push(...page.records.map(({ intent }) => Number(intent.id)));
    after = page.last;
  }
  return { ids, pages };
}

function manyMessages(count: number, userOf: (at: number) => string = () => 'ada'): StoredAudit[] {
  return chained(
    Array.from({ length: count }, (_, at) => [
      entry(String(at), 'event', { timestamp: at, user: userOf(at) }),
    ]),
    (at) => at + 1,
  );
}

function chained(contents: readonly AuditEntry[][], timeOf: (at: number) => number): StoredAudit[] {
  let previous = noPrevious;
  return contents.map((entries, at) => {
    const bytes = encodeMessage({ sequence: at + 1, previous, entries });
    previous = hashOf(bytes);
    return { sequence: at + 1, timestampMs: timeOf(at), bytes, relayed: false };
  });
}
