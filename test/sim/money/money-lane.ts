import { expect } from 'vitest';
import { encodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import type { SetBrand } from '../../../src/messages/lane-commands.ts';
import { atoms, createInstance, setBrand, setRates, setStatus } from '../../jackpot/support/commands.ts';
import { raffle } from '../../jackpot/support/raffle.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { lane, type SimSystem } from '../sim-system.ts';

const restMs = 120_000;

/** The player pays all of `gold` and of the raffle, and half of `silver`, to which gold is linked. */
export const instances = ['gold', 'silver', 'raffle'] as const;
export const brands = ['op:main', 'op:limited', 'op:switched'] as const;
export type BrandPath = (typeof brands)[number];

const often = { pot_types: [{ HitRate: { max_magic_number: 2, cost_per_attempt: '1' } }] };
const seeds = { seed_strategy: { initial_seed_value: '3', min_reseed_value: '3' } };
const shared = {
  payout_ruleset: {
    main_winner_percentage: '0.6',
    payout_rules: [{ payout_percentage: '0.3', rule: { HighestContributors: { max_number_of_payouts: 6 } } }],
  },
};

function configurations(): readonly (readonly [(typeof instances)[number], InstanceConfigurationDocument])[] {
  const paid = (share: string) => ({ operator_contribution_percentage: share });
  return [
    ['gold', onePot({ ...often, ...seeds }, paid('0'))],
    ['silver', onePot({ ...often, ...seeds, ...shared }, paid('0.5'))],
    [
      'raffle',
      raffle(
        { prize_distribution: [{ prize_percentage: '0.6', number_of_winners: 5 }] },
        { contribution_rules: { contribution_type: { Fixed: '1' }, ...paid('0') } },
      ),
    ],
  ];
}

let names = 0;

/** As the owner does when the directory changes. */
export function appendControl(system: SimSystem, commands: readonly Command[]): void {
  names += 1;
  const bytes = encodeCommandBatch({ batchId: new Uint8Array(16), gateway: '', commands });
  system.server.appendCommand(lane, 'control', bytes, `control-${names}`);
}

export function brandCommand(brand: BrandPath, wallet: boolean, closeRounds: boolean): SetBrand {
  const limit = brand === 'op:limited' ? atoms('2') : null;
  // Two of three share W4s among debits, where no rounds are closed.
  const batchDebits = !closeRounds && brand !== 'op:limited';
  const facts = { brand, wallet, closeRounds, batchDebits };
  return setBrand({ ...facts, verificationLimitAtoms: limit, walletMustMatch: true });
}

/** An owner, brands with wallets, rates and running instances. */
export async function prepareMoney(system: SimSystem, closeRounds: boolean): Promise<void> {
  const rates = setRates([
    ['JPY', '163.27', null],
    ['USD', '2', null],
  ]);
  appendControl(system, [rates, ...brands.map((brand) => brandCommand(brand, true, closeRounds))]);
  system.startHost();
  await createInstances(system, instances);
}

/** Running instances, `gold` linked to `silver`, as an administrator makes them once the lane has an owner. */
export async function createInstances(
  system: SimSystem,
  names: readonly (typeof instances)[number][],
): Promise<void> {
  const { world, gateway } = system;
  await world.until(() => system.owned, restMs, 'an owner');
  const commands: Command[] = configurations()
    .filter(([name]) => names.includes(name))
    .flatMap(([instance, configuration]) => [
      createInstance(configuration, { instance }),
      setStatus('Active', instance),
    ]);
  commands.push({
    kind: 'SetLinks',
    instance: 'gold',
    links: ['silver'],
    user: 'admin',
    expectedVersion: null,
  });
  for (const command of commands) {
    let outcome: unknown = null;
    void gateway.send(lane, command).then((answer) => {
      outcome = answer.outcome;
    });
    await world.until(() => outcome !== null, restMs, command.kind);
    expect(outcome, command.kind).toMatchObject({ kind: 'Done' });
  }
}
