import type { Command } from '../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import {
  atoms,
  contribution,
  createInstance,
  openEpoch,
  running,
  setBrand,
  setStatus,
} from '../../jackpot/support/commands.ts';
import { type PublishedEpoch, PublishingLane } from './epochs.ts';

export interface PublishedCase {
  readonly name: string;
  readonly published: PublishedEpoch;
  /** The epochs before it, where it is not the first. */
  readonly before: readonly PublishedEpoch[];
  /** Types of its records of wins and events. */
  readonly shows: readonly string[];
}

type Changes = Readonly<Record<string, unknown>>;
const instance = 'jackpot';

/** Small epochs that show one thing each. */
export function publishedCases(): readonly PublishedCase[] {
  const one = (name: string, published: PublishedEpoch, ...shows: readonly string[]) => ({
    name,
    published,
    before: [] as readonly PublishedEpoch[],
    shows,
  });
  const later = (name: string, [before, published]: readonly PublishedEpoch[]) => ({
    ...one(name, published!),
    before: [before!],
  });
  return [
    one('a contribution that wins, one that does not', epochOf(jackpot(), spins(2)), 'win'),
    one('an adjustment', epochOf(jackpot(), [adjustment]), 'adjustment'),
    one('an external trigger', epochOf(jackpot({ pot_types: [{ External: {} }] }), [trigger]), 'trigger'),
    one('no contribution', epochOf(jackpot(), [])),
    one('must-drop pots and shared wins', epochOf(mustDrop(), [...spins(2), ...spins(1, 2)]), 'win'),
    one("a raffle's round", endedRound(), 'round'),
    one("a raffle's rounds, most without a ticket", emptyRound(), 'round', 'round', 'round'),
    later("a later epoch of a raffle's round, with tickets", laterRaffle(2)),
    later("a later epoch of a raffle's round, without", laterRaffle(0)),
    one('a model switch', modelSwitch(), 'switch'),
    one('a resume', epochOf(mustDrop(), pauseAndResume), 'resume'),
    { ...later('an epoch behind a resume', resumedBefore()), shows: ['win'] },
  ];
}

/** One pot; a contribution wins one time in two. */
export function jackpot(changes: Changes = {}): InstanceConfigurationDocument {
  return {
    currency: 'EUR',
    jackpot_type: 'Jackpot',
    contribution_rules: { contribution_type: { Fixed: '0.1' }, operator_contribution_percentage: '0.5' },
    house_pot: { contribution_type: { Percentage: '0.3' } },
    pots: [
      {
        id: 'mini',
        contribution: { Percentage: '0.7' },
        seed_contribution: { Percentage: '0.5' },
        seed_strategy: { initial_seed_value: '3', min_reseed_value: '1' },
        pot_types: [{ HitRate: { max_magic_number: 2, cost_per_attempt: '0.1' } }],
        ...changes,
      },
    ],
  };
}

export function mustDrop(): InstanceConfigurationDocument {
  const share = (rule: Changes) => ({ payout_percentage: '0.2', rule });
  return jackpot({
    payout_ruleset: {
      main_winner_percentage: '0.5',
      admin_fee: '0.05',
      payout_rules: [
        share({ ActivePlayers: { period_before_win: 60_000, max_number_of_payouts: 1 } }),
        share({ HighestContributors: { max_number_of_payouts: 2 } }),
      ],
    },
    criteria: { min_contribution: '0.01' },
    pot_types: [
      { Threshold: { min_value: '3.02', max_value: '3.1' } },
      { Time: { start_time: 0, end_time: 86_399_999 } },
    ],
  });
}

function endedRound(): PublishedEpoch {
  const lane = raffleLane({ Seconds: 60 });
  lane.apply(...spins(2));
  lane.end();
  return lane.published()[0]!;
}

function emptyRound(): PublishedEpoch {
  const lane = raffleLane({ Hours: 1 });
  lane.apply(...spins(1));
  for (let round = 1; round <= 2; round += 1) {
    lane.lane.nowMs += 3_600_000;
    lane.apply({ kind: 'Tick', instance });
  }
  lane.end();
  return lane.published()[0]!;
}

/** The second epoch of a round that began in the first one. */
function laterRaffle(tickets: number): readonly PublishedEpoch[] {
  const lane = raffleLane({ Weeks: 1 });
  lane.apply(...spins(1));
  lane.end();
  if (tickets > 0) lane.apply(...spins(tickets));
  lane.end();
  return lane.published();
}

/** The second epoch, of an instance that was resumed in the first one. */
function resumedBefore(): readonly PublishedEpoch[] {
  const lane = new PublishingLane();
  lane.apply(...running(mustDrop()));
  lane.apply(...pauseAndResume);
  lane.end();
  lane.apply(...spins(1));
  lane.end();
  return lane.published();
}

function raffleLane(duration: Changes): PublishingLane {
  const lane = new PublishingLane();
  lane.apply(...running(raffle(duration)));
  return lane;
}

export function raffle(duration: Changes): InstanceConfigurationDocument {
  const { pots, ...rest } = jackpot();
  const { pot_types: _, ...pot } = pots[0]!;
  return {
    ...rest,
    jackpot_type: 'Raffle',
    pots: [pot],
    raffle_rules: {
      cost_per_ticket: '0.05',
      cost_source: 'Contribution',
      allocation_mode: 'Instant',
      duration,
      prize_distribution: [{ prize_percentage: '0.5', number_of_winners: 2 }],
    },
  };
}

function modelSwitch(): PublishedEpoch {
  const lane = new PublishingLane();
  const target = 'other';
  lane.apply(
    ...running(jackpot({ pot_types: [{ External: {} }] })),
    createInstance(jackpot({ id: 'maxi' }), { instance: target }),
    openEpoch(target, 0, [0, 1, 2]),
  );
  lane.apply(...spins(1));
  lane.apply({
    kind: 'SwitchModel',
    instance,
    target,
    rules: [{ source: 'mini', targets: [['maxi', '1']] }],
    transferOptIns: false,
    override: false,
    reason: 'test',
    user: 'admin',
  });
  return lane.published()[0]!;
}

function epochOf(configuration: InstanceConfigurationDocument, commands: readonly Command[]): PublishedEpoch {
  const lane = new PublishingLane();
  lane.apply(...running(configuration), setBrand());
  if (commands.length > 0) lane.apply(...commands);
  lane.end();
  return lane.published()[0]!;
}

function spins(count: number, before = 0): readonly Command[] {
  return Array.from({ length: count }, (_, index) =>
    contribution({ player: `p${index}`, contributionId: new Uint8Array(16).fill(before + index + 1) }),
  );
}

const pauseAndResume: readonly Command[] = [setStatus('Paused'), setStatus('Active'), ...spins(1)];

const adjustment: Command = {
  kind: 'AdjustPot',
  instance,
  pot: 'mini',
  account: 'surplus_seed',
  targetAtoms: atoms('12.5'),
  reason: 'test',
  user: 'admin',
  mayDecrease: true,
  idempotencyKey: null,
  expectedVersion: null,
};

const trigger: Command = {
  kind: 'TriggerPot',
  instance,
  pot: 'mini',
  brand: 'op:main',
  player: 'p1',
  source: 'slot-1',
  user: 'admin',
  idempotencyKey: null,
};
