import { expect, test } from 'vitest';
import { type ClaimFacts, decideClaim } from '../../../src/actors/placement/claim-rule.ts';

/** A warm standby beside an owner that lives. */
const standby: ClaimFacts = {
  self: 'b',
  placement: { owner: 'a', standby: 'b' },
  owner: 'a',
  silentMs: 150,
  isGone: false,
  isHeard: true,
  isLeasedElsewhere: true,
  lag: 0,
  keptUpMs: 1_000,
};
const alone: ClaimFacts = {
  ...standby,
  placement: { owner: 'b', standby: null },
  owner: null,
  silentMs: 0,
  isLeasedElsewhere: false,
};

test.each<[string, ClaimFacts, string]>([
  ['a standby waits while the owner lives', standby, 'wait'],
  ['a standby waits at four missed heartbeats', { ...standby, silentMs: 950 }, 'wait'],
  ['a standby claims at five, whatever the lease says', { ...standby, silentMs: 1_000 }, 'claim'],
  ['or once nats-server says that it is gone', { ...standby, silentMs: 250, isGone: true }, 'claim'],
  ['which only a host does that the placement names', { ...standby, self: 'c', isGone: true }, 'wait'],
  ['a host that the placement does not name waits', { ...standby, self: 'c', silentMs: 60_000 }, 'wait'],
  ['a host alone claims at once', alone, 'claim'],
  ['also after a life of its own', { ...alone, owner: 'b' }, 'claim'],
  ['but not while another host has the lease', { ...alone, isLeasedElsewhere: true }, 'wait'],
  ['until that host was silent for long', { ...alone, isLeasedElsewhere: true, silentMs: 1_000 }, 'claim'],
  [
    'nobody takes a lane from an owner that it never heard and that renews its lease',
    { ...standby, silentMs: 60_000, isHeard: false },
    'wait',
  ],
  [
    'until that lease is over',
    { ...standby, silentMs: 3_000, isHeard: false, isLeasedElsewhere: false },
    'claim',
  ],
  ['nor does the placed owner move it', { ...standby, self: 'a', owner: 'b', isHeard: false }, 'wait'],
  [
    'a standby of a lane without an owner leaves it to the placed owner',
    { ...standby, owner: null, isLeasedElsewhere: false },
    'wait',
  ],
  ['a placed owner moves a lane whose owner lives', { ...standby, self: 'a', owner: 'b' }, 'move'],
  ['but not before it is warm', { ...standby, self: 'a', owner: 'b', lag: 1_001 }, 'wait'],
  ['nor until it has kept up for a while', { ...standby, self: 'a', owner: 'b', keptUpMs: 950 }, 'wait'],
  [
    'a claim of a lane without a live owner does not wait for that',
    { ...standby, silentMs: 1_000, keptUpMs: 0 },
    'claim',
  ],
])('%s', (_, facts, decision) => {
  expect(decideClaim(facts)).toBe(decision);
});
