import { expect, it } from 'vitest';
import { explain, sharesOf } from '../../bench/lib/causes.ts';
import type { Cause } from '../../bench/lib/host-watch.ts';
import { TimelineRecorder } from '../../bench/lib/latency-timeline.ts';

const epochMs = 1_700_000_000_000;

it('slow answers that wait at the same time are one excursion, and each slice has its own percentiles', () => {
  const recorder = new TimelineRecorder({ sliceMs: 1_000, excursionMs: 20 }, epochMs, 0, 10_000);
  for (let ms = 1; ms <= 999; ms += 1) recorder.add(ms - 1, ms);
  // A stop from 1,500 to 1,560: what was due meanwhile comes together behind it.
  for (let due = 1_500; due < 1_560; due += 10) recorder.add(due, 1_560);
  recorder.add(1_700, 1_800);
  const { slices, excursions, moreExcursions } = recorder.report();
  expect(slices).toEqual([
    { requests: 999, p50Ms: 1, p99Ms: 1, p999Ms: 1, maxMs: 1 },
    { requests: 7, p50Ms: 40, p99Ms: 100, p999Ms: 100, maxMs: 100 },
  ]);
  expect(excursions).toEqual([
    // Two of the six waited no longer than 20 ms.
    { fromMs: epochMs + 1_500, toMs: epochMs + 1_560, requests: 4, maxMs: 60 },
    { fromMs: epochMs + 1_700, toMs: epochMs + 1_800, requests: 1, maxMs: 100 },
  ]);
  expect(moreExcursions).toBe(0);
});

it('a cause belongs to the excursions of its time, and its share of the time is told beside them', () => {
  const cause = (kind: Cause['kind'], of: string, fromMs: number, durationMs: number): Cause => ({
    ...{ kind, of, fromMs, durationMs },
  });
  const causes = [
    cause('gc', 'potstream gateway major', 1_490, 40),
    cause('snapshot', 'lane 2', 0, 10_000),
    cause('disk', 'fsync', 3_000, 30),
  ];
  const excursions = [
    { fromMs: 1_500, toMs: 1_560, requests: 6, maxMs: 60 },
    { fromMs: 5_000, toMs: 5_030, requests: 1, maxMs: 30 },
  ];
  const explained = explain(excursions, causes);
  expect(explained.map((each) => each.causes.map(({ kind }) => kind))).toEqual([
    ['gc', 'snapshot'],
    ['snapshot'],
  ]);
  expect(sharesOf(explained, causes, 10_000)).toEqual([
    { name: 'snapshot lane 2', excursions: 2, ofTime: 1, maxMs: 10_000 },
    { name: 'gc potstream gateway major', excursions: 1, ofTime: 0.004, maxMs: 40 },
    { name: 'disk fsync', excursions: 0, ofTime: 0.003, maxMs: 30 },
  ]);
});
