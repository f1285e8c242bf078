import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { type Approval, maxRowsOfOperator, openApprovals } from '../../src/access/approvals.ts';
import type { Sealer } from '../../src/access/keys/seal.ts';
import type { Table } from '../../src/ports.ts';
import { ManualClock } from '../actors/manual-clock.ts';

const nowMs = 1_000_000;
const bodyBytes = 64 * 1024;

function approval(id: string, members: Partial<Approval> = {}): Approval {
  return {
    v: 1,
    id,
    owner: 'acme:main',
    operation: 'A22',
    name: 'Adjust',
    method: 'PUT',
    path: '/config/instances/{id}',
    params: { id: 'jackpot' },
    idempotency_key: null,
    if_match: null,
    media_type: 'application/json',
    sealed: '',
    sha256: '',
    reason: null,
    proposed_by: 'ada',
    address: '127.0.0.1',
    created: nowMs,
    expires: nowMs + 1_000,
    state: 'rejected',
    decided_by: 'bob',
    decided: nowMs,
    decision_reason: null,
    attempts: 0,
    claimed_until: 0,
    fences: {},
    result: null,
    ...members,
  };
}

/** A table that holds nothing itself: each entry is made when it is asked for. */
async function opened(count: number, make: (at: number) => Approval) {
  const clock = new ManualClock();
  clock.advance(nowMs);
  const bytesOf = (at: number) => Buffer.from(JSON.stringify(make(at)));
  const table = {
    get: async (id: string) => ({ key: id, value: bytesOf(Number(id.slice(1))), revision: 1 }),
    async watch({ entry, current }: Parameters<Table['watch']>[0]) {
      for (let at = 0; at < count; at += 1) entry(`a${at}`, bytesOf(at), at + 1);
      current?.();
      return { stop: async () => {} };
    },
  };
  return openApprovals(table as unknown as Table, { sealer: {} as Sealer, clock });
}

it('keeps nothing of the contents of approvals in memory, and reads them when they are shown', async () => {
  const before = heapBytes();
  const approvals = await opened(1_000, (at) =>
    approval(`a${at}`, {
      sealed: `${at} ${'x'.repeat(bodyBytes)}`,
      state: at % 2 === 0 ? 'open' : 'executed',
    }),
  );
  expect(approvals.sorted.size).toBe(1_000);
  // The contents have 64 MB.
  expect(heapBytes() - before).toBeLessThan(8 * 1024 * 1024);
  const page = await approvals.readAll([approvals.find('a7')!, approvals.find('a3')!]);
  expect(page.map(({ id, sealed }) => [id, sealed.slice(0, 3)])).toEqual([
    ['a7', '7 x'],
    ['a3', '3 x'],
  ]);
});

it('beyond its number an operator displaces its own decided ones, the oldest first', async () => {
  const ownerOf = (at: number) => (at < 3 ? 'other' : 'acme:main');
  const stateOf = (at: number) => (at === 3 ? 'open' : at === 4 ? 'approved' : 'rejected');
  const approvals = await opened(maxRowsOfOperator + 5, (at) =>
    approval(`a${at}`, { owner: ownerOf(at), state: stateOf(at) }),
  );
  expect([...approvals.ofOperator('other')].map(({ id }) => id)).toEqual(['a0', 'a1', 'a2']);
  const own = [...approvals.ofOperator('acme')].map(({ id }) => id);
  expect(own).toHaveLength(maxRowsOfOperator);
  expect(own.slice(0, 3)).toEqual(['a3', 'a4', 'a7']);
  expect([...approvals.approved()].map(({ id }) => id)).toEqual(['a4']);
});

function heapBytes(): number {
  setFlagsFromString('--expose_gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
