import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeHashing } from '../../tools/verify/node-hashing.ts';
import { Followed } from '../../verifier/src/followed.ts';
import { verifyEpoch } from '../../verifier/src/verify.ts';
import {
  atoms,
  contribution,
  createInstance,
  openEpoch,
  running,
  setBrand,
  setRates,
  setStatus,
} from '../jackpot/support/commands.ts';
import { configurations, histories } from '../jackpot/support/histories.ts';
import { jackpot, raffle } from './support/cases.ts';
import { PublishingLane } from './support/epochs.ts';

const rates = setRates([
  ['JPY', '163.27', null],
  ['USD', '1.0839', null],
]);

describe('an honest epoch', () => {
  it('is verified, one behind the other, whatever the rules', () => {
    const seen = { draws: 0, wins: 0, adjustments: 0, epochs: 0 };
    fc.assert(
      fc.property(configurations, histories, (configuration, history) => {
        const lane = new PublishingLane();
        lane.apply(rates, ...running(configuration));
        for (const commands of history) lane.apply(...commands);
        lane.end();
        const followed = new Followed();
        let previousHead: string | null = null;
        lane.published().forEach((published, epoch) => {
          const nextHeader = lane.header(epoch + 1);
          const report = verifyEpoch(published, nodeHashing, { followed, previousHead, nextHeader });
          expect(report.failure).toBeNull();
          expect(report.checks.map(({ state }) => state)).toEqual(report.checks.map(() => 'verified'));
          previousHead = published.closing.head;
          seen.epochs += 1;
          for (const name of ['draws', 'wins', 'adjustments'] as const) seen[name] += report.counts[name];
        });
      }),
      { numRuns: 150, seed: 7 },
    );
    expect(seen.epochs).toBeGreaterThan(200);
    expect(seen.draws).toBeGreaterThan(2000);
    expect(seen.wins).toBeGreaterThan(200);
    expect(seen.adjustments).toBeGreaterThan(50);
  });
});

/** The epochs of a lane, one behind the other, and each alone. */
function expectVerified(lane: PublishingLane): readonly Published[] {
  const followed = new Followed();
  const published = lane.published() as unknown as readonly Published[];
  for (const each of published) {
    expect(verifyEpoch(each, nodeHashing, { followed }).failure).toBeNull();
    expect(verifyEpoch(each, nodeHashing).failure).toBeNull();
  }
  return published;
}

interface Published {
  readonly groups: readonly { readonly records: readonly Readonly<Record<string, unknown>>[] }[];
  readonly closing: { readonly pots: readonly Readonly<Record<string, unknown>>[] };
}

describe('what an honest epoch may hold', () => {
  it('a debit that was asked for before the operator paid another part', () => {
    const lane = new PublishingLane();
    const paying = (share: string) => {
      const { contribution_rules: rules, ...rest } = jackpot();
      return {
        ...rest,
        contribution_rules: { ...(rules as object), operator_contribution_percentage: share },
      };
    };
    lane.apply(...running(paying('0')), setBrand({ wallet: true }));
    const { work } = lane.apply(contribution({ wallet: true, currency: 'EUR' }));
    lane.apply({
      kind: 'SetParameters',
      instance: 'jackpot',
      configuration: paying('1'),
      reason: 'test',
      user: 'admin',
      expectedVersion: null,
    });
    const debit = work.find(({ kind }) => kind === 'DebitDue') as { debit: { transactionId: string } };
    lane.apply({ kind: 'DebitSettled', transactionId: debit.debit.transactionId, result: 'debited' });
    lane.end();
    const [, second] = expectVerified(lane);
    expect(second!.groups[0]!.records[0]).toMatchObject({
      c: '10000000',
      player: '10000000',
      priced_before: true,
    });
  });

  it('a contribution in another currency', () => {
    const lane = new PublishingLane();
    lane.apply(rates, ...running(jackpot()));
    lane.apply(contribution({ currency: 'JPY', baseWagerAtoms: atoms('100') }));
    lane.end();
    const [first] = expectVerified(lane);
    expect(first!.groups[0]!.records[0]).toMatchObject({ converted: true });
  });

  it('a raffle whose pot says triggers, which it never draws', () => {
    const lane = new PublishingLane();
    const { pots, ...rest } = raffle({ Seconds: 60 });
    const [pot] = pots;
    const pot_types = [{ HitRate: { max_magic_number: 2, cost_per_attempt: '0.1' } }];
    lane.apply(...running({ ...rest, pots: [{ ...pot!, pot_types }] }));
    lane.apply(contribution());
    lane.end();
    expectVerified(lane);
  });

  it('a reserve that leaves the next cycle no room for the carry', () => {
    const lane = new PublishingLane();
    const adjust = (account: 'current_value' | 'seed_value', targetAtoms: bigint) =>
      ({
        kind: 'AdjustPot',
        instance: 'jackpot',
        pot: 'mini',
        account,
        targetAtoms,
        reason: 'test',
        user: 'admin',
        mayDecrease: true,
        idempotencyKey: null,
        expectedVersion: null,
      }) as const;
    lane.apply(...running(jackpot({ pot_types: [{ External: {} }] })));
    lane.apply(adjust('current_value', atoms('3.00500001')), adjust('seed_value', atoms('90000000000')));
    const trigger = {
      kind: 'TriggerPot',
      instance: 'jackpot',
      pot: 'mini',
      brand: 'op:main',
      player: 'p1',
    } as const;
    lane.apply({ ...trigger, source: 'slot-1', user: 'admin', idempotencyKey: null });
    lane.end();
    const [first] = expectVerified(lane);
    expect(first!.closing.pots[0]).toMatchObject({ carry: '500001' });
  });

  it('the deficit of an instance that handed over no money', () => {
    const lane = new PublishingLane();
    const seeds = { initial_seed_value: '1', min_reseed_value: '1' };
    const source = jackpot({
      seed_strategy: seeds,
      contribution: { Percentage: '1' },
      seed_contribution: { Percentage: '0' },
      pot_types: [{ External: {} }],
    });
    const trigger = {
      kind: 'TriggerPot',
      instance: 'source',
      pot: 'mini',
      brand: 'op:main',
      player: 'p1',
    } as const;
    const triggered = { ...trigger, source: 'slot-1', user: 'admin', idempotencyKey: null };
    lane.apply(...running({ ...source, house_pot: {}, max_instantiation_count: 2 }, 'source'));
    lane.apply(triggered);
    lane.apply({ ...triggered, idempotencyKey: null });
    lane.apply(createInstance(jackpot()), openEpoch('jackpot', 0, [0, 1, 2]));
    lane.apply({ ...setStatus('Completed', 'source'), to: 'jackpot' });
    lane.apply(setStatus('Active'));
    lane.apply(contribution());
    lane.end();
    expectVerified(lane);
    const header = lane.header(0) as { received?: boolean; accumulated_seed_deficit: string };
    expect(header).toMatchObject({ received: true, accumulated_seed_deficit: '100000000' });
  });
});
