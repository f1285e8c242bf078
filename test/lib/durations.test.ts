import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { Durations, durationMetric } from '../../src/lib/durations.ts';

test('a histogram of a registry counts up to and with its bounds', async () => {
  const durations = new Durations([0.01, 0.1]);
  for (const seconds of [0.005, 0.01, 0.05, 3]) durations.observe(seconds);
  const registry = new Registry();
  const metric = durationMetric('x_seconds', 'Help.', () => [{ labels: { kind: 'a' }, durations }]);
  registry.registerMetric(metric as never);
  const lines = (await registry.metrics()).trim().split('\n');
  expect(lines).toEqual([
    '# HELP x_seconds Help.',
    '# TYPE x_seconds histogram',
    'x_seconds_bucket{kind="a",le="0.01"} 2',
    'x_seconds_bucket{kind="a",le="0.1"} 3',
    'x_seconds_bucket{kind="a",le="+Inf"} 4',
    'x_seconds_sum{kind="a"} 3.065',
    'x_seconds_count{kind="a"} 4',
  ]);
});
