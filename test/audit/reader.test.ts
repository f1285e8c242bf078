import { describe, expect, it } from 'vitest';
import { encodeMessage, hashOf, noPrevious } from '../../src/audit/chain.ts';
import type { AuditEntry } from '../../src/audit/entry.ts';
import { type AuditFilter, readTrail } from '../../src/audit/reader.ts';
import type { StoredAudit } from '../../src/ports.ts';
import { entry } from './entries.ts';
import { memoryAudit } from './memory-audit.ts';

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
    expect(page).toEqual({ records: [], unreadMs: 51 });
    const next = await readTrail(many, all({ user: 'nobody', toMs: 51 }), {
      skip: 0,
      limit: 5,
      oldestFirst: false,
    });
    expect(next.unreadMs).toBe(51);
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

function manyMessages(count: number): StoredAudit[] {
  return chained(
    Array.from({ length: count }, (_, at) => [entry(String(at), 'event', { timestamp: at })]),
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
