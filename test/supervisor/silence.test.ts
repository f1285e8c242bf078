import { expect, test } from 'vitest';
import { pollIntervalMs, Silence } from '../../src/lib/silence.ts';
import { isHung, isSilent } from '../../src/supervisor/hang-policy.ts';

const policy = { afterMs: 15_000, action: 'replace' } as const;

test('silence is counted in looks: who did not look has not waited', () => {
  const silence = new Silence();
  silence.reset();
  // Hours may go by here: a stopped parent looks once when it goes on.
  silence.polled();
  expect(silence.ms).toBe(pollIntervalMs);
  for (let look = 1; look < 30; look += 1) silence.polled();
  expect(silence.ms).toBe(15_000);
  silence.reset();
  expect(silence.ms).toBe(0);
});

test('a child is unready long before it is hung, and has more time while it may wait', () => {
  expect(isSilent(4_500, policy)).toBe(false);
  expect(isSilent(5_000, policy)).toBe(true);
  expect(isHung(14_500, false, policy)).toBe(false);
  expect(isHung(15_000, false, policy)).toBe(true);
  expect(isHung(59_500, true, policy)).toBe(false);
  expect(isHung(60_000, true, policy)).toBe(true);
});
