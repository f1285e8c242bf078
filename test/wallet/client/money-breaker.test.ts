import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WalletAnswer } from '../../../src/wallet/client/answer.ts';
import { walletLimits } from '../../../src/wallet/client/limits.ts';
import { moneyPurposes, Policies } from '../../../src/wallet/client/policies.ts';
import { systemClock } from '../../../src/wiring.ts';

const answered: WalletAnswer = { kind: 'accepted', body: {} };
const nothing: WalletAnswer = { kind: 'unknown', reason: 'no_answer' };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it.each(moneyPurposes)(
  'the breaker of each %s opens after eight tries, and lets one through within 2 s',
  async (purpose) => {
    const policies = new Policies(systemClock);
    let recovered = 0;
    policies.onRecovery(purpose, () => {
      recovered += 1;
    });
    let sent = 0;
    const attempt = (answer: WalletAnswer) =>
      policies.attempt(purpose, async () => {
        sent += 1;
        return answer;
      });
    for (let tries = 0; tries < walletLimits.failuresToOpen; tries += 1) await attempt(nothing);
    expect(await attempt(answered)).toEqual({ kind: 'unknown', reason: 'breaker_open' });
    expect(sent).toBe(walletLimits.failuresToOpen);
    const asked = () => Array.from({ length: 3 }, () => policies.mayAttempt(purpose));
    // Others are not affected.
    for (const other of moneyPurposes) {
      if (other === purpose) continue;
      expect(policies.mayAttempt(other)).toBe(true);
      expect(await policies.attempt(other, async () => answered)).toEqual(answered);
    }
    // One may prepare the call that is let through.
    vi.advanceTimersByTime(2_000);
    expect(asked()).toEqual([true, false, false]);
    vi.advanceTimersByTime(2_000);
    expect(await attempt(nothing)).toEqual(nothing);
    expect(await attempt(answered)).toEqual({ kind: 'unknown', reason: 'breaker_open' });
    vi.advanceTimersByTime(2_000);
    expect(await attempt(answered)).toEqual(answered);
    expect(recovered).toBe(1);
    expect(asked()).toEqual([true, true, true]);
    expect(await attempt(answered)).toEqual(answered);
  },
);
