import { expect, test } from 'vitest';
import type { HostedLaneStatus } from '../../../src/actors/lane/lane-status.ts';
import { createActorMetrics } from '../../../src/actors/watches/metrics.ts';

const owned: HostedLaneStatus = {
  lane: 2,
  ownership: 'owning',
  term: 7,
  caughtUp: true,
  engineVersion: 1,
  appliedSequence: 10,
  storedOutcome: 10,
  pendingRecords: 0,
  full: '',
  stopped: null,
  halted: false,
};

function metricsOf(status: () => HostedLaneStatus) {
  const lines: unknown[] = [];
  const log = {
    error: (fields: object, message: string) => lines.push(['error', fields, message]),
    info: (fields: object, message: string) => lines.push(['info', fields, message]),
  };
  const metrics = createActorMetrics(log, { statuses: () => [status()] });
  return { ...metrics, lines };
}

test('an alarm is counted by lane and code, and is a line of the log', async () => {
  const { monitor, text, lines } = metricsOf(() => owned);
  monitor.alarm(2, 'hole', 'Gone.');
  monitor.alarm(2, 'hole', 'Gone.');
  monitor.alarm(2, 'fenced', 'Another host.');
  monitor.notice(2, 'Caught up.');
  const written = await text();
  expect(written).toContain('potstream_actors_alarms_total{lane="2",code="hole"} 2');
  expect(written).toContain('potstream_actors_alarms_total{lane="2",code="fenced"} 1');
  expect(lines[0]).toEqual(['error', { lane: 2, code: 'hole' }, 'Gone.']);
  expect(lines[3]).toEqual(['info', { lane: 2 }, 'Caught up.']);
});

test.each([
  ['works', {}, 1],
  ['stopped, though its last claim was ours', { stopped: 'hole' }, 0],
  ['is not claimed yet', { ownership: 'following' }, 0],
] as const)('a lane that %s', async (_, more, gauge) => {
  const { text } = metricsOf(() => ({ ...owned, ...more }));
  expect(await text()).toContain(`potstream_actors_lane_owned{lane="2"} ${gauge}`);
});
