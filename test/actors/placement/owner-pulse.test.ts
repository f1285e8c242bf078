import { expect, it } from 'vitest';
import { maxMoveLag } from '../../../src/actors/placement/claim-rule.ts';
import { OwnerPulse } from '../../../src/actors/placement/owner-pulse.ts';

const ownerApplied = 5_000;
const pollMs = 50;

function pulseOf(...polls: readonly ({ caughtUp: boolean; appliedSequence: number } | null)[]): OwnerPulse {
  const pulse = new OwnerPulse();
  pulse.appliedSequence = ownerApplied;
  for (const here of polls) pulse.polled(here);
  return pulse;
}

const close = { caughtUp: true, appliedSequence: ownerApplied - maxMoveLag };

it('a host keeps up from the poll on at which it has caught up and is close enough', () => {
  expect(pulseOf(close, close, close).keptUpMs(pollMs)).toBe(150);
  expect(pulseOf().keptUpMs(pollMs)).toBe(0);
});

it.each([
  ['is too far behind', { ...close, appliedSequence: close.appliedSequence - 1 }],
  ['replays', { ...close, caughtUp: false }],
  ['does not follow the lane', null],
])('it begins anew after a poll at which it %s', (_, here) => {
  expect(pulseOf(close, close, here).keptUpMs(pollMs)).toBe(0);
  expect(pulseOf(close, close, here, close).keptUpMs(pollMs)).toBe(50);
});
