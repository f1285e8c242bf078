import { expect, it } from 'vitest';
import { StoreError } from '../../../src/reporting/base/errors.ts';
import type { LaneBatch } from '../../../src/reporting/base/lane-batch.ts';
import { ReopeningStore } from '../../../src/reporting/role/reopening-store.ts';

const batch = { lane: 0 } as LaneBatch;

/** Databases that are opened one after the other; each refuses as it is told. */
function opened(...refusals: readonly (StoreError['code'] | null)[]) {
  const closed: number[] = [];
  let count = 0;
  const store = new ReopeningStore(
    async () => {
      const number = count;
      count += 1;
      return {
        position: async () => null,
        async write() {
          const code = refusals[number] ?? null;
          if (code !== null) throw new StoreError(code, 'refused');
        },
        forget: async () => [],
        streamPosition: async () => null,
        writeStream: async () => {},
        close: async () => void closed.push(number),
      };
    },
    (error) => {
      throw error;
    },
  );
  return { store, closed, count: () => count };
}

it('a database that has refused something is opened again', async () => {
  const { store, closed, count } = opened('reporting_fenced', null);
  await expect(store.write(batch)).rejects.toThrow('refused');
  await store.write(batch);
  expect([count(), closed]).toEqual([2, [0]]);
});

it('one that does not answer is kept', async () => {
  const { store, closed, count } = opened('reporting_unavailable');
  await expect(store.write(batch)).rejects.toThrow('refused');
  await store.position(0);
  expect([count(), closed]).toEqual([1, []]);
});

it('one that could not be opened is tried again', async () => {
  let tries = 0;
  const store = new ReopeningStore(
    async () => {
      tries += 1;
      if (tries === 1) throw new StoreError('reporting_unavailable', 'not yet');
      return {
        ...{ position: async () => null, write: async () => {}, close: async () => {} },
        ...{ streamPosition: async () => null, writeStream: async () => {}, forget: async () => [] },
      };
    },
    () => {},
  );
  await expect(store.position(0)).rejects.toThrow('not yet');
  expect(await store.position(0)).toBeNull();
  await store.close();
});
