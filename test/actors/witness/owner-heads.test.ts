import { expect, it } from 'vitest';
import type { Replica } from '../../../src/actors/replica/replica.ts';
import { OwnerHeads, StandbyDiverged } from '../../../src/actors/witness/owner-heads.ts';
import type { Heartbeat } from '../../../src/messages/bus-messages.ts';

const head = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const beat = (appliedSequence: number, laneHead?: Uint8Array): Heartbeat => ({
  ...{ lane: 0, host: 'owner', term: 1, storedOutcome: 0, condition: 'serving', code: '' },
  ...{ appliedSequence, laneHead },
});
const at = (appliedSequence: number, laneHead: Uint8Array): Replica =>
  ({ appliedSequence, laneHead }) as Replica;

/** A follower that remembers its heads from 5 on; the head of sequence n is n. */
const heads = (): OwnerHeads => new OwnerHeads((sequence) => (sequence < 5 ? null : head(sequence)));

it('compares at once where it is as far as the owner, or further', () => {
  expect(() => heads().observe(beat(7, head(7)), at(7, head(7)))).not.toThrow();
  expect(() => heads().observe(beat(7, head(1)), at(7, head(7)))).toThrow(StandbyDiverged);
  expect(() => heads().observe(beat(6, head(6)), at(7, head(7)))).not.toThrow();
  expect(() => heads().observe(beat(6, head(1)), at(7, head(7)))).toThrow(StandbyDiverged);
});

it('knows nothing of what it forgot, and of owners that say nothing', () => {
  expect(() => heads().observe(beat(4, head(1)), at(7, head(7)))).not.toThrow();
  expect(() => heads().observe(beat(7), at(7, head(7)))).not.toThrow();
});

it('compares later where the owner is ahead: with the first head that it was given', () => {
  for (const [given, fails] of [
    [head(9), false],
    [head(1), true],
  ] as const) {
    const compared = heads();
    compared.observe(beat(9, given), at(7, head(7)));
    compared.observe(beat(12, head(12)), at(7, head(7)));
    compared.applied(8, head(8));
    const reached = () => compared.applied(9, head(9));
    if (fails) expect(reached).toThrow(StandbyDiverged);
    else expect(reached).not.toThrow();
    // It is over; the next one counts.
    expect(() => compared.applied(12, head(2))).not.toThrow();
    compared.observe(beat(13, head(13)), at(12, head(12)));
    expect(() => compared.applied(13, head(2))).toThrow(StandbyDiverged);
  }
});
