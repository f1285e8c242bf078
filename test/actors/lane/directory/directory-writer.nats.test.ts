import { afterEach, beforeEach, expect, it } from 'vitest';
import { encodeDirectoryValue } from '../../../../src/contracts/directory/directory.ts';
import { directoryKey } from '../../../../src/contracts/directory/directory-keys.ts';
import { ActorWorld } from '../../actor-world.ts';

let world: ActorWorld;
beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

/** A table of rates as large as the interface takes one; with more currencies than that it fits no message. */
async function putTable(brand: string, currencies = 1_000): Promise<number> {
  const multipliers = Object.fromEntries(
    Array.from({ length: currencies }, (_, index) => [
      `C${index}`,
      `${100_000_000 + index}.123456789012345678`,
    ]),
  );
  const value = encodeDirectoryValue('rates', { base_currency: 'EUR', multipliers, updated: Date.now() });
  const table = await world.log.table('DIRECTORY');
  return (await table.put(directoryKey.rates(brand), value, 0)) as number;
}

/** The lane has everything up to that revision. */
async function written(revision: number): Promise<void> {
  await world.until(async () => {
    const answer = await world.query({ kind: 'directory', revision }).catch(() => null);
    return answer?.kind === 'directory';
  }, `revision ${revision} is written`);
}

it('many large tables that came while nobody owned the lane are written, and what comes behind them', async () => {
  for (let brand = 0; brand < 20; brand += 1) await putTable(`tenant${brand}:main`);
  const host = await world.startHost('h1');
  await world.owned(host);
  await written(await world.putBrand('late:main'));
  expect(world.alarms).toEqual([]);
  await host.abort();

  const next = await world.startHost('h2');
  await world.owned(next);
  await written(await world.putBrand('later:main'));
  expect(world.alarms).toEqual([]);
});

it("an entry that fits no message keeps nobody else's from the lane", async () => {
  await putTable('greedy:main', 9_000);
  await putTable('modest:main', 3);
  const host = await world.startHost('h1');
  await world.owned(host);
  await written(await world.putBrand('late:main'));
  expect(world.alarms).toEqual([expect.stringMatching(/^directory_entry_refused: .*rates/)]);
  expect(host.statuses()[0]).toMatchObject({ stopped: null });
});
