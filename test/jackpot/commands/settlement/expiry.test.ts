import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atoms, setStatus } from '../../support/commands.ts';
import type { TestLane } from '../../support/lane.ts';
import { debitsOf, laneWith, paying, settled } from './paying.ts';

/** Every report of the wallet role carries the deadline of its debit (docs/decisions/0270). */
describe('a report that a debit was made, with the time of its deadline', () => {
  it('counts up to that time, and changes nothing behind it', () => {
    const lane = laneWith();
    const [inTime, late] = debitsOf(
      lane.apply(paying(), paying({ contributionId: new Uint8Array(16).fill(2) })),
    );
    const expiresMs = inTime!.deadlineMs;
    lane.nowMs = expiresMs - 1;
    expect(lane.apply({ ...settled(inTime!), expiresMs }).outcomes).toMatchObject([{ kind: 'Settled' }]);
    const before = lane.engine.describe('jackpot');
    expect(lane.apply({ ...settled(late!), expiresMs }).outcomes).toEqual([
      { kind: 'Done', instance: '', version: 0 },
    ]);
    expect(lane.engine.describe('jackpot')).toEqual(before);
    expect(lane.engine.openDebits(0, 10)).toMatchObject([
      { transactionId: late!.transactionId, debited: false },
    ]);
  });

  it('that came too late leaves the debit to its cancellation, whatever comes after', () => {
    const lane = laneWith();
    const [debit] = debitsOf(lane.apply(paying()));
    const expiresMs = debit!.deadlineMs;
    lane.nowMs = expiresMs;
    lane.apply({ ...settled(debit!), expiresMs });
    lane.restart();
    lane.apply({ ...settled(debit!), expiresMs });
    expect(lane.apply(settled(debit!, 'cancelled')).outcomes).toMatchObject([
      { contributions: [{ result: { kind: 'Refused', code: 'wallet_unavailable' } }] },
    ]);
    expect(lane.accounts()).toMatchObject({ player: 0n });
  });

  it('in time is applied later, where its instance is paused at the deadline', () => {
    const lane = laneWith();
    const [debit] = debitsOf(lane.apply(paying()));
    const expiresMs = debit!.deadlineMs;
    lane.apply(setStatus('Paused'), { ...settled(debit!), expiresMs });
    lane.nowMs = expiresMs + 60_000;
    lane.apply(setStatus('Active'), { kind: 'Tick', instance: 'jackpot' });
    lane.apply({ kind: 'Tick', instance: 'jackpot' });
    expect(lane.accounts()).toMatchObject({ player: -atoms('1') });
  });

  it('without that time counts always, as lanes of earlier versions recorded it', () => {
    const lane = laneWith();
    const [debit] = debitsOf(lane.apply(paying()));
    lane.nowMs = debit!.deadlineMs + 3_600_000;
    expect(lane.apply(settled(debit!)).outcomes).toMatchObject([{ kind: 'Settled' }]);
  });
});

const report = fc.record({
  afterMs: fc.constantFrom(0, 1, 900, 2_000, 4_000),
  debit: fc.nat(2),
  result: fc.constantFrom('debited' as const, 'debited' as const, 'refused' as const, 'cancelled' as const),
  restart: fc.boolean(),
});

describe('any order of reports', () => {
  it('pays the pots if and only if the first report that counts says debited', () => {
    const seen = { applied: 0, expired: 0 };
    fc.assert(
      fc.property(fc.array(report, { minLength: 1, maxLength: 20 }), (reports) => {
        const lane = laneWith();
        const ids = [1, 2, 3].map((fill) => new Uint8Array(16).fill(fill));
        const debits = debitsOf(lane.apply(...ids.map((contributionId) => paying({ contributionId }))));
        const known = new Map<string, string>();
        for (const { afterMs, debit, result, restart } of reports) {
          const { transactionId, deadlineMs: expiresMs } = debits[debit]!;
          lane.nowMs += afterMs;
          lane.apply({ ...settled(debits[debit]!, result), ...(result === 'debited' ? { expiresMs } : {}) });
          if (restart) lane.restart();
          const isExpired = result === 'debited' && lane.nowMs > expiresMs;
          if (!isExpired && !known.has(transactionId)) known.set(transactionId, result);
          seen.expired += isExpired ? 1 : 0;
        }
        const paid = [...known.values()].filter((result) => result === 'debited').length;
        seen.applied += paid;
        expect(lane.accounts()).toMatchObject({ player: -atoms(String(paid)) });
        expect(lane.total()).toBe(0n);
        expect(openOf(lane)).toEqual(
          debits.map(({ transactionId }) => transactionId).filter((id) => !known.has(id)),
        );
        expect(lane.replayed().describe('jackpot')).toEqual(lane.engine.describe('jackpot'));
      }),
    );
    expect(seen.applied).toBeGreaterThan(0);
    expect(seen.expired).toBeGreaterThan(0);
  });
});

function openOf(lane: TestLane): readonly string[] {
  return lane.engine.openDebits(0, 10).map(({ transactionId }) => transactionId);
}
