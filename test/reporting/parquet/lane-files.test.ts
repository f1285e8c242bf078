import { expect, onTestFinished, test } from 'vitest';
import { StoreError } from '../../../src/reporting/base/errors.ts';
import { LaneFiles } from '../../../src/reporting/parquet/lane-files.ts';
import { hourMs } from '../../../src/reporting/parquet/warehouse.ts';
import { ManualClock } from '../../actors/manual-clock.ts';
import { systemId } from '../support/places.ts';

const minuteMs = 60_000;
const noon = Date.UTC(2026, 10, 28, 12);

async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= minuteMs) {
    clock.advance(minuteMs);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

function world(writeHours: (goesOn: () => Promise<boolean>) => Promise<boolean>) {
  const clock = new ManualClock();
  const spareTime = { isThere: true };
  const position = { lane: 3, sequence: 1, timestampMs: noon, head: '', systemId };
  const lane: { position: typeof position | null } = { position: null };
  const files = new LaneFiles(3, () => lane.position, {
    ...{ clock, spareTime, givesWayMs: 3 * minuteMs },
    writeHours: (_, goesOn) => writeHours(goesOn),
  });
  onTestFinished(() => files.stop());
  return {
    ...{ clock, spareTime, files },
    reach(timestampMs: number) {
      lane.position = { ...position, timestampMs };
    },
  };
}

test('the database is opened once an hour has closed, and not before the next one', async () => {
  let asked = 0;
  const { clock, files, reach } = world(async () => {
    asked += 1;
    return true;
  });
  await pass(clock, 5 * minuteMs);
  expect(asked).toBe(0);
  reach(noon + minuteMs);
  await pass(clock, 5 * minuteMs);
  expect(asked).toBe(1);
  reach(noon + hourMs - 1);
  await pass(clock, 5 * minuteMs);
  expect(asked).toBe(1);
  reach(noon + hourMs);
  await pass(clock, 5 * minuteMs);
  expect(asked).toBe(2);
  expect(files.lagMs).toBeLessThanOrEqual(minuteMs);
});

test('what a person has to end is a fault until hours are written again; the database is none', async () => {
  const full = new Error('ENOSPC');
  let error: Error | null = full;
  const { clock, files, reach } = world(async () => {
    if (error !== null) throw error;
    return true;
  });
  reach(noon);
  await pass(clock, 10 * minuteMs);
  expect(files.fault).toBe(full);
  expect(files.lagMs).toBe(10 * minuteMs);
  error = new StoreError('reporting_unavailable', 'no answer');
  await pass(clock, minuteMs);
  error = null;
  await pass(clock, minuteMs);
  expect(files.fault).toBeNull();
  expect(files.lagMs).toBe(0);
  error = new StoreError('reporting_unavailable', 'no answer');
  reach(noon + hourMs);
  await pass(clock, 2 * minuteMs);
  expect(files.fault).toBeNull();
  expect(files.lagMs).toBe(2 * minuteMs);
});

test('it gives way for as long as the books do, and ends at once when it is stopped', async () => {
  const went: boolean[] = [];
  const { clock, files, reach, spareTime } = world(async (goesOn) => {
    went.push(await goesOn());
    return true;
  });
  reach(noon);
  spareTime.isThere = false;
  await pass(clock, 2 * minuteMs);
  expect(went).toEqual([]);
  await pass(clock, 4 * minuteMs);
  expect(went).toEqual([true]);
  reach(noon + hourMs);
  await pass(clock, minuteMs);
  await files.stop();
  expect(went).toEqual([true, false]);
});
