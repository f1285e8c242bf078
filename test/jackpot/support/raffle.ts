import type { LaneEvent } from '../../../src/messages/events.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import type { TestLane } from './lane.ts';

export const minuteMs = 60_000;

/** A raffle of rounds of a minute: a ticket for each unit contributed, half of the pot for one winner. */
export function raffle(
  rules: Readonly<Record<string, unknown>> = {},
  changes: Partial<InstanceConfigurationDocument> = {},
  pot: Readonly<Record<string, unknown>> = {},
): InstanceConfigurationDocument {
  return {
    currency: 'EUR',
    jackpot_type: 'Raffle',
    contribution_rules: { contribution_type: { Fixed: '1' } },
    raffle_rules: {
      cost_per_ticket: '1',
      cost_source: 'Contribution',
      allocation_mode: 'Instant',
      duration: { Minutes: 1 },
      prize_distribution: [{ prize_percentage: '0.5', number_of_winners: 1 }],
      ...rules,
    },
    pots: [{ id: 'main', contribution: { Percentage: '1' }, ...pot }],
    ...changes,
  };
}

const maxSteps = 10_000;

/** Writes what the lane's owner would: ticks for deadlines that have passed, and the steps of work. */
export function drive(lane: TestLane): LaneEvent[] {
  const events: LaneEvent[] = [];
  for (let written = 0; written < maxSteps; written++) {
    const deadline = lane.engine.nextDeadline();
    const [job] = lane.engine.jobs();
    if (job !== undefined) {
      events.push(...lane.apply({ kind: 'Continue', job: job.job, step: job.step }).events);
    } else if (deadline !== null && deadline.atMs <= lane.nowMs) {
      events.push(...lane.apply({ kind: 'Tick', instance: deadline.instance }).events);
    } else return events;
  }
  throw new Error('the work does not end');
}

/** Every ticket record of the instance's current round. */
export function ticketsOf(lane: TestLane, player = '', instance = 'jackpot') {
  return lane.engine.tickets({ instance, brand: '', player, newestFirst: false, offset: 0, limit: 500 });
}
