import { expect, it } from 'vitest';
import { DirectoryWatch } from '../../../../src/actors/lane/directory/directory-watch.ts';
import { encodeDirectoryValue } from '../../../../src/contracts/directory/directory.ts';
import { directoryKey } from '../../../../src/contracts/directory/directory-keys.ts';
import { memoryTable } from '../../../gateway/support/memory-table.ts';

it('tells lanes of a wallet, which contributions must agree with, and of its limit', async () => {
  const table = memoryTable();
  const value = encodeDirectoryValue('brand', {
    name: 'Main',
    enabled: true,
    created_timestamp: 0,
    salt: Buffer.alloc(32, 7).toString('base64url'),
    wallet: true,
    provider: 'acme',
    close_rounds: true,
    verification_limit: '10',
    verification_currency: 'EUR',
  });
  await table.put(directoryKey.brand('op:main'), value, 0);
  const watch = new DirectoryWatch(() => {});
  await watch.start(table);
  expect(watch.since(0).map(({ command }) => command)).toMatchObject([
    {
      kind: 'SetBrand',
      brand: 'op:main',
      wallet: true,
      walletMustMatch: true,
      batchDebits: false,
      provider: 'acme',
      closeRounds: true,
      verificationLimitAtoms: 1_000_000_000n,
      verificationCurrency: 'EUR',
    },
  ]);
  await watch.stop();
});

it('reads no entry of a kind that lanes do not need, and knows its revision', async () => {
  const table = memoryTable();
  const troubles: string[] = [];
  const watch = new DirectoryWatch((message) => troubles.push(message));
  await watch.start(table);
  // It would not read: that nobody complains shows that nobody tried.
  const unreadable = new Uint8Array([0xff]);
  const revision = await table.put(directoryKey.source('op', 'slot'), unreadable, 0);
  await table.put(directoryKey.operator('op'), unreadable, 0);
  await Promise.resolve();
  expect(troubles).toEqual([]);
  expect(watch.revision).toBe(revision! + 1);
  expect(watch.since(0)).toEqual([]);
  await table.put(directoryKey.brand('op:main'), unreadable, 0);
  await Promise.resolve();
  expect(troubles).toHaveLength(1);
  await watch.stop();
});

it('gives facts newer than a revision, and none behind the newest one', async () => {
  const table = memoryTable();
  const watch = new DirectoryWatch(() => {});
  await watch.start(table);
  const segment = encodeDirectoryValue('segment', {
    name: null,
    priority: 1,
    created_timestamp: 0,
    group: '',
  });
  const first = (await table.put(directoryKey.segment('op', 'a'), segment, 0))!;
  const second = (await table.put(directoryKey.segment('op', 'b'), segment, 0))!;
  await Promise.resolve();
  const keys = (revision: number) => watch.since(revision).map((fact) => fact.revision);
  expect(keys(0)).toEqual([first, second]);
  expect(keys(first)).toEqual([second]);
  expect(keys(second)).toEqual([]);
  await watch.stop();
});
