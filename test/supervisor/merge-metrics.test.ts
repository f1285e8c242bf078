import { expect, test } from 'vitest';
import { mergeMetrics } from '../../src/supervisor/merge-metrics.ts';

const gateway = `# HELP requests_total Requests.
# TYPE requests_total counter
requests_total 3
# HELP latency_seconds Latency.
# TYPE latency_seconds histogram
latency_seconds_bucket{le="0.1"} 2
latency_seconds_count 3
`;
const actors = `# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{kind="query"} 5
`;

test('families are side by side, announced once, each sample with its role', () => {
  const merged = mergeMetrics([
    { role: 'gateway', text: gateway },
    { role: 'actors', text: actors },
  ]);
  expect(merged).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{role="gateway"} 3
requests_total{role="actors",kind="query"} 5
# HELP latency_seconds Latency.
# TYPE latency_seconds histogram
latency_seconds_bucket{role="gateway",le="0.1"} 2
latency_seconds_count{role="gateway"} 3
`);
});

test('nothing gives nothing', () => {
  expect(mergeMetrics([{ role: 'demo', text: '' }])).toBe('');
});
