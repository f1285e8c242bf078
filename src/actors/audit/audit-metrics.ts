import { Gauge, type Registry } from 'prom-client';
import type { AuditedLane } from './nightly-audit.ts';

/** The last nightly audit of each lane that this host audits. */
export function addAuditGauges(registers: Registry[], audited: () => readonly AuditedLane[]): void {
  const rows: readonly [name: string, help: string, value: (row: AuditedLane) => number][] = [
    [
      'lane_audit_verified',
      '1 where the last nightly audit of the lane found nothing wrong, 0 where it did.',
      ({ verified }) => Number(verified),
    ],
    [
      'lane_audit_timestamp_seconds',
      'When the last nightly audit of the lane ended.',
      ({ finishedMs }) => finishedMs / 1000,
    ],
    [
      'lane_audit_messages',
      'Messages that the last nightly audit of the lane replayed.',
      ({ messages }) => messages,
    ],
  ];
  for (const [name, help, value] of rows) {
    new Gauge({
      name: `potstream_actors_${name}`,
      help,
      labelNames: ['lane'],
      registers,
      collect() {
        this.reset();
        for (const row of audited()) this.set({ lane: row.lane }, value(row));
      },
    });
  }
}
