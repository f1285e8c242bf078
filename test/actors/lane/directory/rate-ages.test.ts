import { expect, it } from 'vitest';
import { DirectoryWatch } from '../../../../src/actors/lane/directory/directory-watch.ts';
import { RateAges } from '../../../../src/actors/lane/directory/rate-ages.ts';
import { encodeDirectoryValue } from '../../../../src/contracts/directory/directory.ts';
import { directoryKey } from '../../../../src/contracts/directory/directory-keys.ts';
import { memoryTable } from '../../../gateway/support/memory-table.ts';

const hourMs = 3_600_000;

it('rates that nobody replaces raise an alarm, again each hour while they are in force', async () => {
  const table = memoryTable();
  const put = (
    brand: string,
    updated: number,
    multipliers: Record<string, string> = { USD: '1.1' },
    before = 0,
  ) =>
    table.put(
      directoryKey.rates(brand),
      encodeDirectoryValue('rates', { base_currency: 'EUR', multipliers, updated }),
      before,
    );
  const first = await put('', 0);
  await put('op:main', 60 * hourMs);
  await put('op:gone', 0, {});
  const watch = new DirectoryWatch(() => {});
  await watch.start(table);
  let nowMs = 72 * hourMs;
  let poll = () => {};
  const clock = {
    nowMs: () => nowMs,
    elapsedMs: () => nowMs,
    after: (_delayMs: number, task: () => void) => {
      poll = task;
      return () => {};
    },
  };
  const alarms: string[] = [];
  const monitor = {
    alarm: (_lane: number, code: string, message: string) => alarms.push(`${code}: ${message}`),
  };
  const ages = new RateAges(watch, { clock, monitor } as never, 72 * hourMs);
  ages.start();
  expect(alarms).toEqual([]);
  nowMs += 1;
  poll();
  poll();
  expect(alarms).toEqual([
    'rates_old: The default currency rates were stored 72 hours ago and are still in force. Runbook: docs/operate.md#potstreamratesold',
  ]);
  expect(ages.oldTables()).toBe(1);
  nowMs += hourMs;
  poll();
  expect(alarms).toHaveLength(2);
  await put('', nowMs, { USD: '1.2' }, first!);
  nowMs += 72 * hourMs + 1;
  poll();
  expect(alarms).toHaveLength(3);
  expect(ages.oldTables()).toBe(2);
  expect(alarms[2]).toContain('The currency rates of op:main were stored 85 hours ago');
  expect(alarms[2]).toContain('The default currency rates were stored 72 hours ago');
  for (let n = 0; n < 5; n += 1) await put(`op:brand${n}`, 0);
  poll();
  expect(alarms[3]).toContain('So are those of 2 other brands.');

  await put('op:young', nowMs);
  const strict = new RateAges(watch, { clock, monitor } as never, hourMs / 2);
  nowMs += hourMs / 2 + 1;
  strict.start();
  expect(alarms[4]).toContain('were stored');
  expect(alarms[4]).not.toContain(' 0 hours');
  await watch.stop();
});
