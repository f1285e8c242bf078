import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { beginRebuild } from '../../../src/reporting/store/open.ts';
import { selectRows } from '../../../src/reporting/store/questions/select.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { batchTo, rowWith } from '../support/batches.ts';
import { onEachDatabase, systemId } from '../support/places.ts';

onEachDatabase((books) => {
  test('books are made anew beside the old ones, and take their place in one step', async () => {
    const place = await books.place();
    const old = await books.open(place);
    await old.write(batchWith('old', 3, -1));
    const left = await beginRebuild(place, systemId);
    await left.store.write(batchWith('left', 1, -1));
    await left.store.close();

    const rebuild = await beginRebuild(place, systemId);
    expect(await rebuild.store.position(0)).toBeNull();
    await rebuild.store.write(batchWith('new', 2, -1));
    expect(await statuses(old)).toEqual(['old']);
    await old.write(batchTo(4, 3));
    await rebuild.swap();

    await expect(old.write(batchTo(5, 4))).rejects.toMatchObject({ code: 'reporting_fenced' });
    const opened = await books.open(place);
    expect(await opened.position(0)).toMatchObject({ sequence: 2 });
    expect(await statuses(opened)).toEqual(['new']);
    await opened.write(batchTo(5, 2));
    if ('directory' in place)
      expect(readdirSync(place.directory).filter((file) => file.endsWith('.db'))).toEqual(['books-2.db']);

    const again = await beginRebuild(place, systemId);
    await again.store.write(batchWith('newest', 6, -1));
    await again.swap();
    expect(await statuses(await books.open(place))).toEqual(['newest']);
  });

  test('books of another release or system, and none at all, are made anew', async () => {
    const place = await books.place();
    await (await books.open(place, 'another')).close();
    const rebuild = await beginRebuild(place, systemId);
    await rebuild.store.write(batchWith('new', 1, -1));
    await rebuild.swap();
    expect(await statuses(await books.open(place))).toEqual(['new']);

    const empty = await books.place();
    const first = await beginRebuild(empty, systemId);
    await first.store.write(batchWith('first', 1, -1));
    await first.swap();
    expect(await statuses(await books.open(empty))).toEqual(['first']);
  });
});

function batchWith(status: string, sequence: number, after: number) {
  return batchTo(sequence, after, { rows: { statuses: [rowWith('statuses', { sequence, status })] } });
}

async function statuses(store: BooksStore): Promise<string[]> {
  const rows = await selectRows(store, 'statuses', { where: [], limit: 10 });
  return rows.map(({ status }) => status);
}
