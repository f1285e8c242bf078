import { expect, it } from 'vitest';
import { DirectoryWatch } from '../../../src/actors/directory/directory-watch.ts';
import { encodeDirectoryValue } from '../../../src/contracts/directory.ts';
import { directoryKey } from '../../../src/contracts/directory-keys.ts';
import { memoryTable } from '../../gateway/support/memory-table.ts';

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
      provider: 'acme',
      closeRounds: true,
      verificationLimitAtoms: 1_000_000_000n,
      verificationCurrency: 'EUR',
    },
  ]);
  await watch.stop();
});
