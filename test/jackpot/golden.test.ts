import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Command } from '../../src/jackpot/commands.ts';
import { atoms, contribution, openEpoch, running, seedOf, setRates, setStatus } from './support/commands.ts';
import { TestLane } from './support/lane.ts';

/**
 * The same log must give the same bytes for as long as any log holds its commands. If this test fails, the engine has
 * changed what logged commands mean: that is a new engine version (UpgradeTo) beside the old one, not a new golden file.
 */
it('a golden log gives the outcomes, heads and balances that it always gave', () => {
  const file = new URL('./golden.json', import.meta.url);
  // Before the first release only: POTSTREAM_WRITE_GOLDEN=1 writes the file anew.
  if (process.env.POTSTREAM_WRITE_GOLDEN === '1') writeFileSync(file, `${JSON.stringify(play(), null, 2)}\n`);
  const golden = JSON.parse(readFileSync(file, 'utf8'));
  expect(play()).toEqual(golden);
});

function play() {
  const lane = new TestLane({ epochSequences: 60 });
  const heads: string[] = [];
  const outcomes = createHash('sha256');
  const apply = (...commands: readonly Command[]) => {
    const outcome = lane.apply(...commands);
    // Descriptions are views and may gain members; everything else is what the log's commands mean.
    const events = outcome.events.filter((event) => event.kind !== 'InstanceChanged');
    outcomes.update(JSON.stringify({ ...outcome, events }, plain));
    for (const { instance, head } of outcome.instances)
      heads.push(`${instance} ${Buffer.from(head).toString('hex')}`);
  };
  apply(
    setRates([
      ['JPY', '163.27', null],
      ['USD', '1.0839', null],
    ]),
    ...running(document),
  );
  apply(...running({ ...document, currency: 'USD' }, 'second').slice(1));
  apply({ kind: 'SetLinks', instance: 'jackpot', links: ['second'], user: '', expectedVersion: null });
  for (let message = 0; message < 40; message++) {
    apply(...Array.from({ length: 7 }, (_, index) => contributionOf(message * 7 + index)));
    if (message === 9) apply(adjustment);
    if (message === 19) apply(trigger, setStatus('Paused', 'second'));
    if (message === 29) apply({ ...parameters, expectedVersion: null });
    for (const { instance, open, reveal } of lane.engine.epochDuties(lane.nowMs)) {
      for (const { epoch } of reveal)
        apply({ kind: 'RevealEpoch', instance, epoch, seed: seedOf(instance, epoch) });
      if (open !== null) apply(openEpoch(instance, open.epoch, open.commit));
    }
  }
  const accounts = Object.fromEntries(
    Object.entries(lane.accounts()).map(([name, value]) => [name, String(value)]),
  );
  return { heads: [heads.length, heads.at(-2), heads.at(-1)], outcomes: outcomes.digest('hex'), accounts };
}

const document = {
  currency: 'EUR',
  jackpot_type: 'Jackpot',
  contribution_rules: { contribution_type: { Percentage: '0.05' }, operator_contribution_percentage: '0.4' },
  house_pot: { contribution_type: { Percentage: '0.1' }, diversion_rules: { diversion_percentage: '0.25' } },
  pots: ['0.3', '0.2', '0.35'].map((Percentage, index) => ({
    id: `pot-${index}`,
    contribution: { Percentage },
    seed_contribution: { Percentage: '0.4' },
    seed_strategy: { initial_seed_value: '1', min_reseed_value: '1' },
    maximum_pot_value: index === 2 ? '1.2' : '',
    pot_types: [
      { HitRate: { max_magic_number: 20 * (index + 1), cost_per_attempt: '0.1' } },
      { External: {} },
    ],
  })),
};

const parameters = {
  kind: 'SetParameters',
  instance: 'jackpot',
  configuration: { ...document, win_selector_strategy: 'Highest' },
  reason: 'test',
  user: 'admin',
} as const;

const adjustment = {
  kind: 'AdjustPot',
  instance: 'jackpot',
  pot: 'pot-1',
  account: 'surplus_seed',
  targetAtoms: atoms('7'),
  reason: 'test',
  user: 'admin',
  mayDecrease: false,
  idempotencyKey: null,
  expectedVersion: null,
} as const;

const trigger = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'pot-0',
  brand: 'op:main',
  player: 'player-1',
  source: 'slot',
  user: 'admin',
  idempotencyKey: null,
} as const;

function contributionOf(number: number): Command {
  const contributionId = new Uint8Array(16);
  new DataView(contributionId.buffer).setUint32(12, number);
  return contribution({
    contributionId,
    player: `player-${number % 5}`,
    baseWagerAtoms: atoms(['1', '2.5', '0.33', '20'][number % 4]!),
    currency: ['EUR', 'USD', 'JPY'][number % 3]!,
    linked: number % 2 === 0,
  });
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
