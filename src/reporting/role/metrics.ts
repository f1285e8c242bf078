import type { Registry } from 'prom-client';
import { ProcessMetrics } from '../../lib/node-metrics.ts';
import type { WrittenBatch } from '../lane/lane-writer.ts';
import type { ReportingAlarm, Trouble } from '../lane/trouble.ts';
import type { CheckedLane } from './nightly-check.ts';
import type { BooksLag } from './reporting.ts';

interface ReportingMetrics {
  readonly registry: Registry;
  readonly written: (batch: WrittenBatch) => void;
  alarm(code: ReportingAlarm): void;
}

/** What the gauges show at the moment they are asked. */
interface ReportingState {
  lags(): readonly BooksLag[];
  troubles(): ReadonlyMap<number, Trouble>;
  checked(): readonly CheckedLane[];
}

/** The reporting role's metrics. */
export function createReportingMetrics({ lags, troubles, checked }: ReportingState): ReportingMetrics {
  const metrics = new ProcessMetrics();
  const rows = metrics.counter('potstream_reporting_rows_total', 'Rows written to the reporting database.', [
    'lane',
  ]);
  const seconds = metrics.histogram(
    'potstream_reporting_write_seconds',
    'How long transactions of the reporting database took.',
    [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  );
  const alarms = metrics.counter(
    'potstream_reporting_alarms_total',
    'Conditions that a person must look at, by the codes of a closed list.',
    ['code'],
  );
  metrics.gauge(
    'potstream_reporting_lane_lag_messages',
    'Messages of the lane that the books do not have yet.',
    (gauge) => {
      gauge.reset();
      for (const { lane, messages } of lags()) gauge.set({ lane }, messages);
    },
    ['lane'],
  );
  metrics.gauge(
    'potstream_reporting_lane_lag_seconds',
    'Age of the last message in the books of a lane that has later ones.',
    (gauge) => {
      gauge.reset();
      for (const { lane, ageMs } of lags()) gauge.set({ lane }, ageMs / 1000);
    },
    ['lane'],
  );
  metrics.gauge(
    'potstream_reporting_lane_trouble',
    'What keeps the books of a lane from going on.',
    (gauge) => {
      gauge.reset();
      for (const [lane, { code }] of troubles()) gauge.set({ lane, code }, 1);
    },
    ['lane', 'code'],
  );
  metrics.gauge(
    'potstream_reporting_check_findings',
    'Findings of the last nightly check of the lane.',
    (gauge) => {
      gauge.reset();
      for (const { lane, findings } of checked()) gauge.set({ lane }, findings);
    },
    ['lane'],
  );
  metrics.gauge(
    'potstream_reporting_check_timestamp_seconds',
    'When the last nightly check of the lane ended.',
    (gauge) => {
      gauge.reset();
      for (const { lane, finishedMs } of checked()) gauge.set({ lane }, finishedMs / 1000);
    },
    ['lane'],
  );
  return {
    registry: metrics.registry,
    written({ lane, rows: count, tookMs }) {
      rows.inc({ lane }, count);
      seconds.observe(tookMs / 1000);
    },
    alarm: (code) => alarms.inc({ code }),
  };
}
