import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atoms, contribution, running, setBrand } from '../../support/commands.ts';
import { TestLane } from '../../support/lane.ts';
import { onePot, sureHit } from '../../support/scenario.ts';
import { debitsOf, laneWith, paying, playerPays, settled } from './paying.ts';

const refusal = { kind: 'Refused', code: 'wallet_unavailable' };

/** docs/rules/wallets.md "Agreement" */
describe('a contribution whose gateway disagrees with the lane about the wallet', () => {
  it.each([
    { gateway: true, lane: false },
    { gateway: false, lane: true },
  ])('is refused before any money moves ($gateway, $lane)', ({ gateway, lane: wallet }) => {
    const lane = laneWith();
    lane.apply(setBrand({ wallet, walletMustMatch: true }));
    const before = lane.engine.describe('jackpot');
    const { outcomes, work } = lane.apply(paying({ wallet: gateway }));
    expect(outcomes).toMatchObject([refusal]);
    expect(work).toEqual([]);
    expect(lane.engine.describe('jackpot')).toEqual(before);
  });

  it.each([true, false])('is taken where both say %s', (wallet) => {
    const lane = laneWith();
    lane.apply(setBrand({ wallet, walletMustMatch: true }));
    const kind = wallet ? 'Pending' : 'Contributed';
    expect(lane.apply(paying({ wallet })).outcomes).toMatchObject([{ kind }]);
  });

  it('is taken as before where the lane was not told to compare', () => {
    const lane = laneWith();
    lane.apply(setBrand({ wallet: true }));
    expect(lane.apply(paying({ wallet: false })).outcomes).toMatchObject([{ kind: 'Contributed' }]);
  });

  it('is refused behind everything else, and its key is free for a repeat', () => {
    const lane = laneWith();
    lane.apply(setBrand({ wallet: true, walletMustMatch: true }));
    const idempotencyKey = new Uint8Array(16).fill(7);
    const other = paying({ wallet: false, currency: 'XXX', idempotencyKey });
    expect(lane.apply(other).outcomes).toMatchObject([{ kind: 'Refused', code: 'currency_unknown' }]);
    expect(lane.apply(paying({ wallet: false, idempotencyKey })).outcomes).toMatchObject([refusal]);
    expect(lane.apply(paying({ idempotencyKey })).outcomes).toMatchObject([{ kind: 'Pending' }]);
    expect(lane.apply(paying({ wallet: false, idempotencyKey })).outcomes).toMatchObject([
      { kind: 'Duplicate' },
    ]);
  });

  it('does not stop a debit that was opened while they agreed', () => {
    const lane = laneWith();
    lane.apply(setBrand({ wallet: true, walletMustMatch: true }));
    const [debit] = debitsOf(lane.apply(paying()));
    lane.apply(setBrand({ wallet: false, walletMustMatch: true }));
    expect(lane.apply(settled(debit!)).outcomes).toMatchObject([{ kind: 'Settled' }]);
    expect(lane.accounts()).toMatchObject({ player: -atoms('1') });
  });
});

describe('whatever a brand and its gateways say, in any order', () => {
  const step = fc.oneof(
    fc.record({ set: fc.constant(true), wallet: fc.boolean() }),
    fc.record({ set: fc.constant(false), wallet: fc.boolean() }),
  );

  it('a player whose stake was debited by us wins through the wallet, and no other player does', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 30 }), (steps) => {
        const lane = new TestLane();
        const configuration = onePot({ pot_types: [sureHit] }, playerPays);
        lane.apply(setBrand({ walletMustMatch: true }), ...running(configuration).slice(1));
        let isWallet = false;
        let number = 0;
        for (const { set, wallet } of steps) {
          if (set) {
            isWallet = wallet;
            lane.apply(setBrand({ wallet, walletMustMatch: true }));
            continue;
          }
          number += 1;
          const contributionId = new Uint8Array(16).fill(number);
          const asked = lane.apply(contribution({ wallet, contributionId }));
          if (wallet !== isWallet) {
            expect(asked.outcomes).toMatchObject([refusal]);
            continue;
          }
          const [debit] = debitsOf(asked);
          expect(debit !== undefined).toBe(wallet);
          const won = debit === undefined ? asked : lane.apply(settled(debit));
          expect(won.work.map(({ kind }) => kind)).toEqual(wallet ? ['CreditDue'] : []);
        }
        expect(lane.total()).toBe(0n);
      }),
    );
  });
});
