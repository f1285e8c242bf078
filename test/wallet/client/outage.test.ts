import { expect, it } from 'vitest';
import type { WalletAnswer } from '../../../src/wallet/client/answer.ts';
import { Outage } from '../../../src/wallet/client/brand-client.ts';
import { walletLimits } from '../../../src/wallet/client/limits.ts';
import { nextPauseMs } from '../../../src/wallet/execution/lane-job.ts';

const accepted: WalletAnswer = { kind: 'accepted', body: {} };
const refused: WalletAnswer = { kind: 'refused', status: 422, code: 'x', message: 'No.' };
const nothing: WalletAnswer = { kind: 'unknown', reason: 'no_answer' };
const { minOutageMs } = walletLimits;

it('an outage ends with the first known answer, once', () => {
  const outage = new Outage();
  expect(outage.ends(accepted, 0)).toBe(false);
  expect(outage.ends(nothing, 100)).toBe(false);
  expect(outage.ends(nothing, 90_000)).toBe(false);
  expect(outage.ends(refused, 90_001)).toBe(true);
  expect(outage.ends(accepted, 90_002)).toBe(false);
});

it('an unknown answer among known ones is no outage', () => {
  const outage = new Outage();
  for (let nowMs = 0; nowMs < 10 * minOutageMs; nowMs += minOutageMs) {
    expect(outage.ends(nothing, nowMs)).toBe(false);
    expect(outage.ends(accepted, nowMs + minOutageMs - 1)).toBe(false);
  }
});

it('pauses double to 5 s within a minute, and from there to 5 min', () => {
  const pauses: number[] = [];
  for (let ageMs = 0; pauses.at(-1) !== 300_000; ageMs += pauses.at(-1)!)
    pauses.push(nextPauseMs(pauses.length + 1, ageMs));
  const early = pauses.slice(0, pauses.indexOf(5_000));
  expect(early).toEqual([500, 1_000, 2_000, 4_000]);
  const late = pauses.slice(pauses.lastIndexOf(5_000) + 1);
  expect(late).toHaveLength(6);
  late.slice(0, -1).reduce((before, pauseMs) => {
    expect(pauseMs / before).toBeGreaterThan(1.8);
    expect(pauseMs / before).toBeLessThan(3);
    return pauseMs;
  }, 5_000);
});
