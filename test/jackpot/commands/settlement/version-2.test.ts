import { describe, expect, it } from 'vitest';
import { createLane, type MessageOutcome } from '../../../../src/jackpot/lane/lane.ts';
import type { Command } from '../../../../src/messages/commands.ts';
import type { CreateInstance } from '../../../../src/messages/instance-commands.ts';
import type { SetBrand } from '../../../../src/messages/lane-commands.ts';
import type { Contribute } from '../../../../src/messages/player-commands.ts';
import type { CreditRecord } from '../../../../src/messages/settlements.ts';
import { contribution, createInstance, running, setBrand } from '../../support/commands.ts';
import { testHashing } from '../../support/hashing.ts';
import { settings, TestLane } from '../../support/lane.ts';
import { onePot, sureHit } from '../../support/scenario.ts';
import { debitsOf, paying, playerPays, settled } from './paying.ts';

/** A lane whose log has not been upgraded. */
function firstVersion(): TestLane {
  const lane = new TestLane();
  lane.engine = createLane(testHashing, settings);
  return lane;
}

const upgrade: Command = { kind: 'UpgradeTo', version: 2 };

const winning = { pot_types: [sureHit], seed_strategy: { initial_seed_value: '10', min_reseed_value: '10' } };

function withJackpot(
  lane: TestLane,
  configuration = onePot(winning, playerPays),
  changes: Partial<CreateInstance> = {},
  brand: Partial<SetBrand> = {},
): TestLane {
  const [, , ...rest] = running(configuration);
  lane.apply(
    setBrand({ wallet: true, provider: 'acme', closeRounds: true, ...brand }),
    createInstance(configuration, changes),
    ...rest,
    { kind: 'Bind', of: 'source', owner: 'op', ids: ['wheel'], instance: 'jackpot', priority: null },
  );
  return lane;
}

const trigger: Command = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'main',
  brand: 'op:main',
  player: 'p1',
  source: 'slot-9',
  user: 'admin',
  idempotencyKey: null,
};

describe('the source of transactions', () => {
  const origin = { gameCode: 'dragons', gameCategory: '', sourceType: '' };
  const byInstance = { target: { type: 'instance', id: 'jackpot' }, origin: null } as const;
  const bySource = { target: { type: 'source', id: 'wheel' }, origin } as const;
  const byGame = { target: { type: 'instance', id: 'jackpot' }, origin } as const;

  it.each<readonly [string, Partial<Contribute>, string, string, string]>([
    ['a source', bySource, 'slot-1', 'wheel', 'wheel'],
    ['a game', byGame, 'slot-1', 'dragons', 'dragons'],
    ['the instance', byInstance, 'slot-1', 'slot-1', 'jackpot'],
  ])(
    'of a contribution to %s is the game code of the instance, if it has one',
    (_, to, game, before, without) => {
      const sourceIn = (lane: TestLane) => debitsOf(lane.apply(paying(to)))[0]?.source;
      expect(sourceIn(withJackpot(new TestLane()))).toBe(game);
      expect(sourceIn(withJackpot(firstVersion()))).toBe(before);
      const gameless = { gameCode: '' };
      expect(sourceIn(withJackpot(new TestLane(), undefined, gameless))).toBe(without);
      expect(sourceIn(withJackpot(firstVersion(), undefined, gameless))).toBe(without);
    },
  );

  it('of a win is that, too, and a debit that was opened before keeps its own, with what closes its round', () => {
    const lane = withJackpot(firstVersion(), onePot({}, playerPays));
    const [debit] = debitsOf(lane.apply(paying(bySource)));
    lane.apply(upgrade);
    expect(lane.engine.openDebits(0, 10)).toEqual([debit]);
    expect(lane.apply(settled(debit!)).work).toMatchObject([
      { credit: { kind: 'close', source: 'wheel', contributionId: debit!.contributionId } },
    ]);
    const winner = withJackpot(new TestLane());
    const [paid] = debitsOf(winner.apply(paying(bySource)));
    expect(winner.apply(settled(paid!)).work).toMatchObject([{ credit: { kind: 'main', source: 'slot-1' } }]);
  });

  it('of a win that was triggered is that, too', () => {
    const configuration = onePot({ ...winning, pot_types: [{ External: {} }] });
    const sourceIn = (lane: TestLane) => {
      lane.apply(contribution());
      return lane.apply(trigger).work;
    };
    expect(sourceIn(withJackpot(new TestLane(), configuration))).toMatchObject([
      { credit: { source: 'slot-1' } },
    ]);
    expect(sourceIn(withJackpot(firstVersion(), configuration))).toMatchObject([
      { credit: { source: 'slot-9' } },
    ]);
    const gameless = withJackpot(new TestLane(), configuration, { gameCode: '' });
    expect(sourceIn(gameless)).toMatchObject([{ credit: { source: 'slot-9' } }]);
  });
});

describe('the game round of a community share', () => {
  const shared = onePot(
    {
      ...winning,
      payout_ruleset: {
        main_winner_percentage: '0.5',
        payout_rules: [
          { payout_percentage: '0.5', rule: { HighestContributors: { max_number_of_payouts: 10 } } },
        ],
      },
    },
    playerPays,
  );

  function sharesIn(lane: TestLane, brand: Partial<SetBrand> = {}): readonly CreditRecord[] {
    withJackpot(lane, shared, {}, brand);
    const [debit] = debitsOf(lane.apply(paying()));
    lane.apply(settled(debit!));
    const won = lane.engine.openCredits(0, 10, [], '');
    expect(won.find(({ kind }) => kind === 'main')?.contributionId).toBe(debit!.contributionId);
    return won.filter(({ kind }) => kind === 'community');
  }

  it('is its own', () => {
    const [share, ...others] = sharesIn(new TestLane());
    expect(others).toEqual([]);
    expect(share).toMatchObject({ contributionId: share!.transactionId, ownRound: true });
  });

  it('is its own where a person has to release it', () => {
    const lane = new TestLane();
    const [share] = sharesIn(lane, { verificationLimitAtoms: 1n });
    expect(share).toMatchObject({ state: 'withheld', contributionId: share!.transactionId, ownRound: true });
    lane.restart();
    const { transactionId } = share!;
    const release: Command = { kind: 'ReleaseCredit', transactionId, reason: 'looked at', user: 'admin' };
    expect(lane.apply(release).work).toMatchObject([
      { kind: 'CreditDue', credit: { contributionId: transactionId, ownRound: true } },
    ]);
  });

  it('is that of the winning contribution where it was opened before', () => {
    const lane = firstVersion();
    const [share] = sharesIn(lane);
    expect(share).not.toHaveProperty('ownRound');
    expect(share!.contributionId).not.toBe(share!.transactionId);
    lane.apply(upgrade);
    lane.restart();
    expect(lane.engine.openCredits(0, 10, [], share!.batchId)).toEqual([share]);
  });
});

describe('the time of a result', () => {
  function linkedIn(lane: TestLane): { readonly lane: TestLane; readonly pending: MessageOutcome } {
    const configuration = onePot({}, playerPays);
    withJackpot(lane, configuration);
    lane.apply(...running(configuration, 'linked').slice(1), {
      ...{ kind: 'SetLinks', instance: 'jackpot', links: ['linked'] },
      ...{ user: 'admin', expectedVersion: null },
    });
    return { lane, pending: lane.apply(paying({ linked: true })) };
  }

  function answered({ lane, pending }: ReturnType<typeof linkedIn>) {
    const [main] = debitsOf(pending);
    const first = lane.apply(settled(main!));
    expect(first.outcomes).toMatchObject([{ kind: 'Done' }]);
    const firstMs = lane.nowMs;
    lane.nowMs += 5_000;
    lane.restart();
    const [link] = debitsOf(first);
    const { outcomes } = lane.apply(settled(link!));
    expect(outcomes).toMatchObject([
      { contributions: [{ result: { results: [{}, { instance: 'linked' }] } }] },
    ]);
    return { firstMs, outcomes };
  }

  it('is that of its own record, where the answer waits for other debits', () => {
    const { outcomes, firstMs } = answered(linkedIn(new TestLane()));
    expect(outcomes).toMatchObject([
      { contributions: [{ result: { results: [{ instance: 'jackpot', timestampMs: firstMs }, {}] } }] },
    ]);
    expect(
      JSON.stringify(outcomes, (_, value) => (typeof value === 'bigint' ? `${value}` : value)).match(
        /timestampMs/g,
      ),
    ).toHaveLength(1);
  });

  it('is not told by the first version', () => {
    const { outcomes } = answered(linkedIn(firstVersion()));
    expect(
      JSON.stringify(outcomes, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toContain('timestampMs');
  });
});
