import { expect, it } from 'vitest';
import { DiskWatch } from '../../../src/actors/watches/disk-watch.ts';
import { ManualClock } from '../manual-clock.ts';

it('a disk without room is an alarm each hour while it lasts, and at once when it comes back', () => {
  const clock = new ManualClock();
  const alarms: string[] = [];
  const monitor = {
    alarm: (_lane: number, code: string, message: string) => alarms.push(`${code}: ${message}`),
  };
  let free: number | null = 2_000_000;
  const watch = new DiskWatch({ clock, monitor, freeBytes: () => free }, 1_000_000);
  watch.start();
  free = null;
  clock.advance(10_000);
  expect([watch.warnings(), alarms]).toEqual([[], []]);
  free = 512;
  clock.advance(3_599_000);
  expect(watch.warnings()).toEqual(['the disk of this host has only 512 bytes left']);
  expect(alarms).toEqual([
    'disk_full: The disk of this host has only 512 bytes left. Runbook: docs/operate.md#potstreamdiskfull',
  ]);
  clock.advance(20_000);
  expect(alarms).toHaveLength(2);
  free = 1_000_000;
  clock.advance(10_000);
  expect(watch.warnings()).toEqual([]);
  free = 0;
  clock.advance(10_000);
  expect(alarms).toHaveLength(3);
  watch.stop();
  clock.advance(7_200_000);
  expect(alarms).toHaveLength(3);
});
