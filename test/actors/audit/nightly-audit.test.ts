import { expect, it } from 'vitest';
import {
  type AuditedLane,
  auditsLane,
  NightlyAudit,
  type NightlyAuditPorts,
} from '../../../src/actors/audit/nightly-audit.ts';
import { createActorMetrics } from '../../../src/actors/watches/metrics.ts';
import { ManualClock } from '../manual-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const midnightMs = Date.parse('2030-01-01T00:00:00Z');

function finding(code: string, from: number, to = from) {
  return { code, from, to, detail: '' };
}

function output(verified: boolean, findings: readonly object[] = []): string {
  return JSON.stringify({ verified, lanes: [{ lane: 0, verified, messages: 7, findings, notes: [] }] });
}

/** Minute by minute; what a minute began comes to its end in it. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= minuteMs) {
    clock.advance(Math.min(leftMs, minuteMs));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function world(changes: Partial<NightlyAuditPorts> = {}, hour = 3) {
  const clock = new ManualClock();
  clock.advance(midnightMs);
  const said: string[] = [];
  const runs: string[] = [];
  const stored: (readonly AuditedLane[])[] = [];
  const audit = new NightlyAudit(
    {
      clock,
      monitor: {
        alarm: (lane, code, message) => said.push(`${lane} ${code}: ${message}`),
        notice: (lane, message) => said.push(`${lane} ${message}`),
      },
      lanes: () => [0, 2],
      async run(lane, minutes) {
        runs.push(`${lane} within ${minutes}`);
        return output(true);
      },
      load: () => null,
      store: (audited) => void stored.push(audited),
      ...changes,
    },
    { hour, minutes: 120 },
  );
  audit.start();
  return { audit, clock, said, runs, stored };
}

it('audits its lanes once a night, one after the other, each within its part of the time', async () => {
  const { audit, clock, runs, said, stored } = world();
  await pass(clock, 3 * hourMs - 1);
  expect(runs).toEqual([]);
  await pass(clock, minuteMs + 1);
  expect(runs).toEqual(['0 within 60', '2 within 60']);
  await pass(clock, 12 * hourMs);
  expect(runs).toHaveLength(2);
  await pass(clock, dayMs);
  expect(runs).toHaveLength(4);
  expect(said.slice(0, 2)).toEqual([
    '0 Audited: 7 messages are as they should be.',
    '2 Audited: 7 messages are as they should be.',
  ]);
  expect(audit.audited().map(({ lane, verified }) => ({ lane, verified }))).toEqual([
    { lane: 0, verified: true },
    { lane: 2, verified: true },
  ]);
  expect(stored.at(-1)).toEqual(audit.audited());
  audit.stop();
  await pass(clock, 2 * dayMs);
  expect(runs).toHaveLength(4);
});

it('raises an alarm for findings, and another one where a lane could not be audited', async () => {
  const findings = [finding('outcome_differs', 5), finding('head_differs', 6, 9)];
  const { audit, clock, said } = world({
    run: (lane) =>
      lane === 0 ? Promise.resolve(output(false, findings)) : Promise.reject(new Error('no keys')),
  });
  await pass(clock, 4 * hourMs);
  expect(said[0]).toBe(
    '0 audit_failed: The audit found 2 faults: outcome_differs at 5, head_differs at 6 to 9. Runbook: docs/operate.md#potstreamauditfailed',
  );
  expect(said[1]).toMatch(/^2 audit_not_done: The lane was not audited: .*no keys/);
  expect(audit.audited()).toMatchObject([{ lane: 0, verified: false }]);
  const { text } = createActorMetrics(
    { error: () => {}, info: () => {} },
    { audited: () => audit.audited() },
  );
  expect(await text()).toContain('potstream_actors_lane_audit_verified{lane="0"} 0');
  expect(await text()).toContain('potstream_actors_lane_audit_messages{lane="0"} 7');
  audit.stop();
});

it('keeps results across restarts, and forgets lanes that it does not audit any more', async () => {
  const kept = { lane: 5, finishedMs: midnightMs - hourMs, verified: false, messages: 3 };
  const { audit, clock } = world({ load: () => [kept] });
  expect(audit.audited()).toEqual([kept]);
  await pass(clock, 8 * dayMs);
  expect(audit.audited().map(({ lane }) => lane)).toEqual([0, 2]);
  audit.stop();
  expect(world({ load: () => ({ damaged: true }) }).audit.audited()).toEqual([]);
});

it('is the standby’s work, and the owner’s where there is no standby', () => {
  const status = { caughtUp: true, halted: false } as const;
  const lane = (changes: object) => ({ ...status, ...changes }) as Parameters<typeof auditsLane>[0];
  expect(auditsLane(lane({ ownership: 'following' }), false)).toBe(true);
  expect(auditsLane(lane({ ownership: 'owning' }), true)).toBe(false);
  expect(auditsLane(lane({ ownership: 'owning' }), false)).toBe(true);
  expect(auditsLane(lane({ ownership: 'following', caughtUp: false }), false)).toBe(false);
  expect(auditsLane(lane({ ownership: 'following', halted: true }), false)).toBe(false);
});
