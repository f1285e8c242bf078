import { describe, expect, it } from 'vitest';
import { LaneConditions } from '../../src/directory/lane-conditions.ts';
import type { LaneCondition } from '../../src/messages/bus-messages.ts';

const beginMs = 1_000_000;

function word(lane: number, condition: LaneCondition, code = '', host = 'one') {
  return { lane, host, condition, code };
}

/** Two lanes of which lane 1 is read and heard. */
function withLane1(): LaneConditions {
  const conditions = new LaneConditions(2);
  conditions.timePassed(beginMs);
  conditions.read(1);
  conditions.observe(word(1, 'serving'), beginMs);
  return conditions;
}

describe('how lanes stand', () => {
  it('waits at first, and not for a lane that says that it stopped', () => {
    const conditions = withLane1();
    expect(conditions.settled).toBe(false);
    expect(conditions.fault(0)).toBe('overloaded');
    conditions.observe(word(0, 'stopped', 'hole'), beginMs + 1);
    expect(conditions.settled).toBe(true);
    expect(conditions.fault(0)).toBe('instance_unavailable');
    expect(conditions.unknownFault()).toBe('instance_unavailable');
    expect(conditions.missing()).toEqual([0]);
    expect(conditions.reports()).toEqual([
      { lane: 0, condition: 'stopped', code: 'hole' },
      { lane: 1, condition: 'serving', code: '' },
    ]);
  });

  it('tells a lane that says nothing at all from one that stopped, and goes on without it', () => {
    const conditions = withLane1();
    conditions.timePassed(beginMs + 29_999);
    expect(conditions.settled).toBe(false);
    conditions.observe(word(1, 'serving'), beginMs + 30_000);
    conditions.timePassed(beginMs + 30_000);
    expect(conditions.settled).toBe(true);
    expect(conditions.reports()[0]).toEqual({ lane: 0, condition: 'silent', code: 'no_heartbeat' });
    expect(conditions.fault(0)).toBe('overloaded');
    conditions.observeForeign(0, beginMs + 30_001);
    expect(conditions.reports()[0]).toEqual({ lane: 0, condition: 'silent', code: 'foreign_heartbeat' });
  });

  it('takes a lane in that comes back, and keeps nobody waiting while it is read', () => {
    const conditions = withLane1();
    conditions.observe(word(0, 'stopped', 'engine_fault'), beginMs);
    conditions.observe(word(0, 'serving', '', 'two'), beginMs + 40_000);
    conditions.observe(word(1, 'serving'), beginMs + 40_000);
    expect(conditions.settled).toBe(true);
    expect(conditions.reports()[0]).toEqual({ lane: 0, condition: 'starting', code: 'unread' });
    conditions.read(0);
    expect(conditions.fault(0)).toBeNull();
    expect(conditions.unknownFault()).toBeNull();
    expect(conditions.reports().map(({ condition }) => condition)).toEqual(['serving', 'serving']);
  });

  it('believes who serves a lane before another host that stopped there, and nobody for ever', () => {
    const conditions = withLane1();
    conditions.observe(word(1, 'stopped', 'hole', 'standby'), beginMs + 100);
    expect(conditions.fault(1)).toBeNull();
    conditions.observe(word(1, 'stopped', 'hole', 'one'), beginMs + 200);
    expect(conditions.fault(1)).toBe('instance_unavailable');
    conditions.timePassed(beginMs + 6_000);
    expect(conditions.fault(1)).toBeNull();
    expect(conditions.reports()[1]).toEqual({ lane: 1, condition: 'silent', code: 'no_heartbeat' });
  });

  it('says that nothing serves where every lane stopped or was never read', () => {
    const conditions = withLane1();
    conditions.observe(word(0, 'stopped', 'hole'), beginMs);
    expect(conditions.anyServes).toBe(true);
    conditions.observe(word(1, 'stopped', 'hole'), beginMs + 1);
    expect(conditions.anyServes).toBe(false);
  });
});
