import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeMessage, hashOf, noPrevious } from '../../src/audit/chain.ts';
import type { AuditEntry } from '../../src/audit/entry.ts';
import { IndexedTrail } from '../../src/audit/indexed-trail.ts';
import {
  type AuditFilter,
  type AuditPage,
  type AuditPlace,
  type AuditPosition,
  readTrail,
} from '../../src/audit/reader.ts';
import { entry } from './entries.ts';
import { type MemoryAudit, memoryAudit } from './memory-audit.ts';

/** Messages of some entries each; the outcome of a change follows some entries behind its intent, or never. */
const contents = fc.array(
  fc.record({
    user: fc.constantFrom('ada', 'bob'),
    operation: fc.constantFrom('A7', 'A8'),
    owner: fc.constantFrom('acme', 'other', ''),
    kind: fc.constantFrom('event' as const, 'intent' as const, 'open' as const),
    isLast: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);
const question = fc.record({
  user: fc.option(fc.constantFrom('ada', 'bob', 'nobody'), { nil: undefined }),
  operation: fc.option(fc.constantFrom('A7', 'A8'), { nil: undefined }),
  fromMs: fc.option(fc.integer({ min: 0, max: 45 }), { nil: undefined }),
  toMs: fc.option(fc.integer({ min: 0, max: 45 }), { nil: undefined }),
  owner: fc.option(fc.constantFrom('acme', 'other'), { nil: undefined }),
  skip: fc.nat(10),
  limit: fc.integer({ min: 1, max: 10 }),
  oldestFirst: fc.boolean(),
});

describe('a trail with an index', () => {
  it('has the pages that a scan of all messages would give, also of what is stored between them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(contents, question), { maxLength: 4 }), async (rounds) => {
        const log = memoryAudit();
        const trail = new IndexedTrail(log);
        for (const [more, { owner, skip, limit, oldestFirst, ...times }] of rounds) {
          await append(log, entriesOf(more, log.messages.length));
          const matches = ({ owners }: { readonly owners: readonly string[] }) =>
            owner === undefined || owners.includes(owner);
          const place = { skip, limit, oldestFirst };
          const filter = { ...times, matches };
          const first = await trail.page(filter, place);
          expect(first).toEqual(await readTrail(log, filter, place));
          const all = await readTrail(log, filter, { ...place, limit: 1_000 });
          const counted = await trail.page(filter, { ...place, skip: 0, countsTo: 1_000 });
          expect(counted.total).toBe(
            (await readTrail(log, filter, { ...place, skip: 0, limit: 1_000 })).records.length,
          );
          // The rows behind each page, until none are left.
          const walked = [...first.records];
          for (let { last } = first; last !== null; ) {
            const next = { ...place, skip: 0, after: last };
            const page = await trail.page(filter, next);
            expect(page).toEqual(await readTrail(log, filter, next));
            walked.push(...page.records);
            last = page.last;
          }
          expect(walked).toEqual(all.records);
        }
      }),
    );
  });

  it('reads the messages of a page and no others, wherever the page is and whatever it is filtered by', async () => {
    const log = memoryAudit();
    const changes = Array.from({ length: 6_000 }, (_, at) => [
      entry(String(at), 'intent', { timestamp: at, user: at % 50 === 0 ? 'ada' : 'bob' }),
      entry(String(at), 'outcome', { timestamp: at, outcome: 'applied' }),
    ]);
    await append(
      log,
      changes.flat().map((each) => [each]),
    );
    const counting = counted(log);
    const trail = new IndexedTrail(counting.log);
    await trail.catchUp();
    const costOf = async (filter: Partial<AuditFilter>, place: Partial<AuditPlace>) => {
      counting.reset();
      const page = await trail.page(
        { matches: () => true, ...filter },
        { skip: 0, limit: 50, oldestFirst: false, ...place },
      );
      return [
        page.records.length,
        page.records.filter(({ outcome }) => outcome === null).length,
        counting.messages(),
      ];
    };
    for (const oldestFirst of [false, true]) {
      for (const skip of [0, 2_500, 5_950]) {
        const [records, open, messages] = await costOf({}, { skip, oldestFirst });
        expect([records, open]).toEqual([50, 0]);
        // A batch of the log has 128.
        expect(messages).toBeLessThanOrEqual(128);
      }
      expect(await costOf({ user: 'ada' }, { skip: 60, oldestFirst })).toEqual([50, 0, 50 * 128]);
      expect(await costOf({ user: 'nobody' }, { oldestFirst })).toEqual([0, 0, 0]);
    }
  });

  it('forgets the oldest changes, and says from where on it has not looked', async () => {
    const log = memoryAudit();
    const many = Array.from({ length: 11_500 }, (_, at) => [
      entry(String(at), 'event', { timestamp: at * 1000 }),
    ]);
    await append(log, many);
    const trail = new IndexedTrail(log, 1_000);
    await trail.catchUp();
    const all = (filter: Partial<AuditFilter> = {}): AuditFilter => ({ matches: () => true, ...filter });
    const place = { skip: 0, limit: 5, oldestFirst: false };
    const none = await trail.page(all({ user: 'nobody' }), place);
    expect(none.records).toEqual([]);
    expect(none.unreadMs).toBe(10_500_000);
    expect((await trail.page(all({ user: 'nobody', fromMs: 11_000_000 }), place)).unreadMs).toBeNull();
    const idsOf = async (filter: Partial<AuditFilter>, oldestFirst: boolean) =>
      (await trail.page(all(filter), { ...place, oldestFirst })).records.map(({ intent }) =>
        Number(intent.id),
      );
    expect(await idsOf({}, false)).toEqual([11_499, 11_498, 11_497, 11_496, 11_495]);
    expect(await idsOf({ toMs: 700_000 }, false)).toEqual([700, 699, 698, 697, 696]);
    expect(await idsOf({}, true)).toEqual([0, 1, 2, 3, 4]);
  });

  it('goes on by positions from what the index has to what it has forgotten, and counts what it can', async () => {
    const log = memoryAudit();
    // Two changes a message, so that the index ends within one.
    const many = Array.from({ length: 3_000 }, (_, at) => [
      entry(String(2 * at), 'event', { timestamp: at * 1000 }),
      entry(String(2 * at + 1), 'event', { timestamp: at * 1000, user: at === 5 ? 'cyd' : 'bob' }),
    ]);
    await append(log, many);
    const trail = new IndexedTrail(log, 999);
    await trail.catchUp();
    const numbers = Array.from({ length: 6_000 }, (_, at) => at);
    const walk = async (filter: Partial<AuditFilter>, limit: number, oldestFirst: boolean) => {
      const found: number[] = [];
      for (let after: AuditPosition | null | undefined; after !== null; ) {
        const place = { skip: 0, limit, oldestFirst, after: after ?? null };
        const page: AuditPage = await trail.page({ matches: () => true, ...filter }, place);
        found.push(...page.records.map(({ intent }) => Number(intent.id)));
        after = page.last;
      }
      return found;
    };
    for (const limit of [37, 500]) {
      expect(await walk({}, limit, false)).toEqual(numbers.toReversed());
      expect(await walk({}, limit, true)).toEqual(numbers);
    }
    expect(await walk({ user: 'cyd' }, 5, false)).toEqual([11]);
    const totalOf = async (filter: Partial<AuditFilter>, countsTo: number, oldestFirst = false) => {
      const place = { skip: 0, limit: 5, oldestFirst, countsTo };
      return (await trail.page({ matches: () => true, ...filter }, place)).total;
    };
    expect(await totalOf({}, 500)).toBe(501);
    // Older ones may match, too: nobody has looked.
    expect(await totalOf({}, 10_000)).toBeNull();
    expect(await totalOf({ user: 'cyd' }, 10_000)).toBeNull();
    const recently = { fromMs: 2_900_000 };
    expect([await totalOf(recently, 10_000), await totalOf(recently, 10_000, true)]).toEqual([200, 200]);
  });
});

function entriesOf(
  changes: readonly { user: string; operation: string; owner: string; kind: string; isLast: boolean }[],
  before: number,
): AuditEntry[][] {
  const messages: AuditEntry[][] = [[]];
  let waiting: AuditEntry[] = [];
  for (const [at, { user, operation, owner, kind, isLast }] of changes.entries()) {
    const id = `${before} ${at}`;
    const members = { timestamp: at, user, operation, owners: [owner] };
    messages.at(-1)!.push(entry(id, kind === 'event' ? 'event' : 'intent', members));
    if (kind === 'intent') waiting.push(entry(id, 'outcome', { ...members, outcome: 'applied' }));
    if (!isLast) continue;
    messages.push(waiting);
    waiting = [];
  }
  messages.push(waiting);
  return messages.filter((entries) => entries.length > 0);
}

async function append(log: MemoryAudit, messages: readonly (readonly AuditEntry[])[]): Promise<void> {
  for (const entries of messages) {
    const last = log.messages.at(-1);
    const sequence = (last?.sequence ?? 0) + 1;
    const previous = last === undefined ? noPrevious : hashOf(last.bytes);
    const timestampMs = entries[0]!.timestamp;
    log.messages.push({
      sequence,
      timestampMs,
      bytes: encodeMessage({ sequence, previous, entries }),
      relayed: false,
    });
  }
}

/** Counts the messages that a trail reads. */
function counted(log: MemoryAudit) {
  let messages = 0;
  return {
    log: {
      extent: log.extent,
      read: async (sequence: number) => {
        messages += 1;
        return log.messages[sequence - 1] ?? null;
      },
      readFrom: async (from: number) => {
        const batch = log.messages.slice(from - 1, from + 127);
        messages += batch.length;
        return batch;
      },
    },
    reset: () => {
      messages = 0;
    },
    messages: () => messages,
  };
}
