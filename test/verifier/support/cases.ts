import type { Command, InstanceConfigurationDocument } from '../../../src/jackpot/commands.ts';
import { atoms, contribution, running } from '../../jackpot/support/commands.ts';
import { type PublishedEpoch, PublishingLane } from './epochs.ts';

export interface PublishedCase {
  readonly name: string;
  readonly published: PublishedEpoch;
}

const instance = 'jackpot';

/** Small epochs that show one thing each. */
export function publishedCases(): readonly PublishedCase[] {
  return [
    { name: 'a contribution that wins, one that does not', published: epochOf(pot(), spins(2)) },
    { name: 'an adjustment', published: epochOf(pot(), [adjustment]) },
    { name: 'an external trigger', published: epochOf(pot({ pot_types: [{ External: {} }] }), [trigger]) },
    { name: 'no contribution', published: epochOf(pot(), []) },
  ];
}

/** One pot; a contribution wins one time in two. */
function pot(changes: Readonly<Record<string, unknown>> = {}): InstanceConfigurationDocument {
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

function epochOf(configuration: InstanceConfigurationDocument, commands: readonly Command[]): PublishedEpoch {
  const lane = new PublishingLane();
  lane.apply(...running(configuration));
  if (commands.length > 0) lane.apply(...commands);
  lane.end();
  return lane.published()[0]!;
}

function spins(count: number): readonly Command[] {
  return Array.from({ length: count }, (_, index) =>
    contribution({ player: `p${index}`, contributionId: new Uint8Array(16).fill(index + 1) }),
  );
}

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
