import { describe, expect, it } from 'vitest';
import type { Instance } from '../../src/jackpot/state/instance/instance.ts';
import type { Round } from '../../src/jackpot/state/instance/raffle.ts';
import * as at from '../../src/jackpot/state/money/accounts.ts';
import { post } from '../../src/jackpot/state/money/ledger.ts';
import { addWide } from '../../src/lib/wide.ts';
import type { InstanceConfigurationDocument } from '../../src/messages/instance-commands.ts';
import { nodeHashing } from '../../tools/verify/node-hashing.ts';
import { Followed } from '../../verifier/src/followed.ts';
import { verifyEpoch } from '../../verifier/src/verify.ts';
import { atoms, contribution, running } from '../jackpot/support/commands.ts';
import { jackpot, mustDrop, raffle } from './support/cases.ts';
import { PublishingLane } from './support/epochs.ts';
import { tamperWhenBegins } from './support/tampering.ts';

type Tamper = (instance: Instance) => void;
type Tampers = Readonly<Record<string, Tamper>>;

const dayMs = 86_400_000;
const pot = at.potAt(0);
const five = atoms('5');
const word = (offset: number, value: (before: number) => number): Tamper => {
  return ({ balances }) => {
    balances[offset] = value(balances[offset]!);
  };
};
const move = (from: number, to: number): Tamper => {
  return ({ balances }) => post(balances, from, to, five);
};

/** What the rules know of the first epoch's beginning, changed; every account still adds up. */
const everywhere: Tampers = {
  'a later cycle': word(pot + at.cycleAt, (cycle) => cycle + 1),
  'contributions counted already': word(pot + at.cycleContributionsAt, () => 1000),
  'a last drawn value of nothing': ({ balances }) =>
    balances.fill(0, pot + at.lastDrawnAt, pot + at.lastDrawnAt + 2),
  'a last drawn value above': ({ balances }) => addWide(balances, pot + at.lastDrawnAt, 1n),
  'a closed pot': (instance) => {
    instance.balances[pot + at.enabledAt] = 0;
    instance.refresh();
  },
  'a number other than the first': (instance) => {
    instance.sequence = 1000;
  },
  'a head before the first one': ({ epochs }) => {
    epochs.head = new Uint8Array(32).fill(1);
  },
  'money of players': move(at.playerAt, pot + at.seedAt),
  'a win that waits': move(at.operatorCapitalAt, at.winLiabilityAt),
  'a win that was paid': move(at.operatorCapitalAt, at.playerAt),
  'a remainder of currencies': move(at.operatorCapitalAt, at.fxAt),
  'a fee': move(at.operatorCapitalAt, at.operatorFeeAt),
  'a pool': move(at.operatorCapitalAt, at.diversionAt),
  'a pool under way': move(at.operatorCapitalAt, at.diversionPendingAt),
  'a pool delivered': move(at.operatorCapitalAt, at.externalAt),
  'a larger initial seed': move(at.operatorCapitalAt, pot + at.currentAt),
  'a smaller initial seed': ({ balances }) =>
    post(balances, pot + at.currentAt, at.operatorCapitalAt, atoms('1')),
  'an initial seed in the reserve': ({ balances }) =>
    post(balances, pot + at.currentAt, pot + at.seedAt, atoms('1')),
  'an initial seed in the house': ({ balances }) =>
    post(balances, pot + at.currentAt, at.houseAt, atoms('1')),
  'a carry': ({ balances }) => post(balances, pot + at.currentAt, pot + at.carryAt, atoms('1')),
  'an overflow': ({ balances }) => post(balances, pot + at.currentAt, pot + at.overflowAt, atoms('1')),
  'a carry that was adjusted': move(at.adjustmentAt, pot + at.carryAt),
  'balances that have left': ({ balances }) => post(balances, pot + at.currentAt, at.transferAt, atoms('1')),
};

const window = pot + at.windowsAt;
const windows: Tampers = {
  'a window of nothing': word(window + at.windowEndAt, () => 0),
  "tomorrow's window": word(window + at.windowEndAt, (end) => end + dayMs),
  "yesterday's window": word(window + at.windowEndAt, (end) => end - dayMs),
  'a window that is later': word(window + at.windowEndAt, (end) => end + 1),
  'a window that was drawn': word(window + at.windowEvaluatedAt, () => 1_700_000_000_000),
  'a window that was paid': word(window + at.windowPaidAt, () => 1_699_999_999_000),
};

const round = (change: (before: Round) => Partial<Round>): Tamper => {
  return ({ raffle }) => {
    const before = raffle!.round!;
    raffle!.round = { ...before, ...change(before) };
  };
};
const rounds: Tampers = {
  'a later round': round(({ number }) => ({ number: number + 1 })),
  'a longer round': round(({ endMs }) => ({ endMs: endMs + 60_000 })),
  'a shorter round': round(({ endMs }) => ({ endMs: endMs - 1000 })),
  'a round that began before': round(({ startMs }) => ({ startMs: startMs - 1000 })),
};

const two: InstanceConfigurationDocument = {
  ...jackpot(),
  pots: [...jackpot().pots, { ...jackpot().pots[0]!, id: 'second' }].map((each) => ({
    ...each,
    contribution: { Percentage: '0.3' },
  })),
};
const secondPot = at.potAt(1);
const many: Tampers = {
  'cycles that did not begin together': word(secondPot + at.cycleStartMsAt, (start) => start - 1000),
  'the second pot drawn before': ({ balances }) => addWide(balances, secondPot + at.lastDrawnAt, -1n),
};

const cases: readonly (readonly [name: string, InstanceConfigurationDocument, Tampers])[] = [
  ['a jackpot', jackpot(), everywhere],
  ['a jackpot whose pot is full', jackpot({ maximum_pot_value: '3' }), everywhere],
  ['two pots', two, { ...everywhere, ...many }],
  ['must-drop pots', mustDrop(), everywhere],
  ['a window', timed(), { ...everywhere, ...windows }],
  ['a raffle', raffle({ Minutes: 5 }), { ...everywhere, ...rounds }],
  [
    'a scheduled raffle',
    raffle({ Scheduled: { timestamps_end: [1_700_003_600_000, 1_800_000_000_000, 1_900_000_000_000] } }),
    rounds,
  ],
];

function timed(): InstanceConfigurationDocument {
  const time = { Time: { start_time: 3_600_000, end_time: 82_800_000 } };
  return jackpot({ criteria: { min_contribution: '0.01' }, pot_types: [time] });
}

function publish(
  configuration: InstanceConfigurationDocument,
  epoch: number,
  tamper: Tamper,
): readonly unknown[] {
  const lane = new PublishingLane();
  const [brand, create, open, activate] = running(configuration);
  lane.apply(brand!, create!, open!);
  tamperWhenBegins(lane.lane, 'jackpot', epoch, tamper);
  lane.apply(activate!);
  for (let turn = 0; turn < 2; turn += 1) {
    lane.apply(
      ...['p1', 'p2', 'p3'].map((player, index) =>
        contribution({ player, contributionId: new Uint8Array(16).fill(10 * turn + index) }),
      ),
    );
    lane.end();
  }
  return lane.published();
}

describe.each(cases)('the first epoch of %s', (_, configuration, tampers) => {
  it('is verified as it was', () => {
    for (const published of publish(configuration, 0, () => undefined).slice(0, 1))
      expect(verifyEpoch(published, nodeHashing).failure).toBeNull();
  });

  it.each(Object.keys(tampers))('is rejected with %s, though every figure behind fits', (name) => {
    const [published] = publish(configuration, 0, tampers[name]!);
    expect(verifyEpoch(published, nodeHashing).failure).toMatchObject({ check: 'opening' });
  });
});

describe.each(cases)('the second epoch of %s, where the first was followed', (_, configuration, tampers) => {
  const { 'a number other than the first': _sequence, ...others } = tampers;
  const honest = publish(configuration, 1, () => undefined);

  it('is verified as it was', () => {
    const followed = new Followed();
    for (const published of honest)
      expect(verifyEpoch(published, nodeHashing, { followed }).failure).toBeNull();
  });

  it.each(Object.keys(others))('is rejected with %s', (name) => {
    const forged = publish(configuration, 1, tampers[name]!);
    // The first epoch says the truth, the second one begins with something else.
    const followed = new Followed();
    expect(verifyEpoch(honest[0], nodeHashing, { followed }).failure).toBeNull();
    expect(verifyEpoch(forged[1], nodeHashing, { followed }).verified).toBe(false);
    // Both say the same lie.
    const row = new Followed();
    const verdicts = forged.map((each) => verifyEpoch(each, nodeHashing, { followed: row }).verified);
    expect(verdicts).toContain(false);
  });
});

describe('what a file cannot show', () => {
  const unknown: Tampers = {
    // A22 before the start, whose record is nowhere: the report says how much it was.
    'money of administrators before the start': move(at.adjustmentAt, pot + at.seedAt),
    // The last records of the other instance show it.
    'balances of another instance': move(at.transferAt, pot + at.carryAt),
    'what operators of another instance fronted': ({ balances }) => addWide(balances, at.seedDeficitAt, five),
    // Whoever saw the header before the first draw knows it.
    'the moment at which it started': word(pot + at.cycleStartMsAt, (start) => start - 1000),
  };
  it.each(Object.keys(unknown))('is %s', (name) => {
    const [published] = publish(jackpot(), 0, unknown[name]!);
    const report = verifyEpoch(published, nodeHashing);
    expect(report.failure).toBeNull();
    const opening = report.checks.find(({ id }) => id === 'opening')!;
    const isSaid = /[0-9]+ atoms (came|were put in)/.test(opening.detail);
    expect(isSaid).toBe(name !== 'the moment at which it started');
  });
});
