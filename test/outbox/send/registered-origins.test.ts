import { expect, it } from 'vitest';
import { encodeDirectoryValue } from '../../../src/contracts/directory/directory.ts';
import { directoryKey } from '../../../src/contracts/directory/directory-keys.ts';
import { followRegisteredOrigins } from '../../../src/outbox/send/registered-origins.ts';
import type { Table } from '../../../src/ports.ts';
import { memoryTable } from '../../gateway/support/memory-table.ts';

const origin = 'https://hooks.example.com';
const origins = (...list: string[]) => encodeDirectoryValue('webhookorigins', { origins: list });

it('the outbox receives the registered origins, and no other entry of the directory', async () => {
  const table = memoryTable();
  const received: string[] = [];
  const counted: Table = {
    ...table,
    watch: (handlers, under) => {
      const entry: typeof handlers.entry = (key, value, revision) => {
        received.push(key);
        handlers.entry(key, value, revision);
      };
      return table.watch({ ...handlers, entry }, under);
    },
  };
  await table.put(directoryKey.webhookOrigins('op'), origins(origin), 0);
  for (let n = 0; n < 100; n += 1)
    await table.put(directoryKey.source('op', `slot-${n}`), new Uint8Array([0xff]), 0);
  const reports: string[] = [];
  const followed = await followRegisteredOrigins(counted, (message) => reports.push(message));
  expect(followed.includes('op', origin)).toBe(true);
  expect(followed.includes('other', origin)).toBe(false);
  await table.put(directoryKey.webhookOrigins('other'), origins(origin), 0);
  await table.put(directoryKey.source('op', 'late'), new Uint8Array([0xff]), 0);
  await Promise.resolve();
  expect(followed.includes('other', origin)).toBe(true);
  expect(received).toEqual([directoryKey.webhookOrigins('op'), directoryKey.webhookOrigins('other')]);
  expect(reports).toEqual([]);
  await followed.stop();
});
