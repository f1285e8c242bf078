import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/messages/commands.ts';
import type {
  AdjustPot,
  InstanceConfigurationDocument,
  SetParameters,
} from '../../../src/messages/instance-commands.ts';
import {
  atoms,
  contribution,
  createInstance,
  openEpoch,
  running,
  setBrand,
  setStatus,
} from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { firstLane } from '../support/new-lane.ts';
import { onePot, sureHit } from '../support/scenario.ts';

function adjust(changes: Partial<AdjustPot> = {}): AdjustPot {
  return {
    kind: 'AdjustPot',
    instance: 'jackpot',
    pot: 'main',
    account: 'current_value',
    targetAtoms: atoms('5'),
    reason: 'test',
    user: 'admin',
    mayDecrease: false,
    idempotencyKey: null,
    expectedVersion: null,
    ...changes,
  };
}

function setParameters(configuration: InstanceConfigurationDocument): SetParameters {
  return {
    kind: 'SetParameters',
    instance: 'jackpot',
    configuration,
    reason: 'test',
    user: 'admin',
    expectedVersion: null,
  };
}

function ready(configuration = onePot()): TestLane {
  const lane = new TestLane();
  lane.apply(...running(configuration));
  return lane;
}

describe('an adjustment', () => {
  it('sets the account, books the difference, takes a number and moves the head', () => {
    const lane = ready();
    lane.apply(contribution());
    const before = lane.engine.liveValues('jackpot');
    const { outcomes, instances } = lane.apply(adjust());
    expect(outcomes).toMatchObject([{ kind: 'Done', instance: 'jackpot' }]);
    expect(instances).toMatchObject([{ instance: 'jackpot', firstSequence: 2 }]);
    expect(lane.accounts()).toMatchObject({ 'main.current': atoms('5'), adjustment: -atoms('4') });
    expect(lane.engine.liveValues('jackpot')?.head).not.toEqual(before?.head);
  });

  it.each<readonly [string, Partial<AdjustPot>]>([
    ['instance_not_found', { instance: 'other' }],
    ['version_conflict', { expectedVersion: 77 }],
    ['pot_not_found', { pot: 'other' }],
    ['invalid_parameter', { pot: 'house', account: 'seed_value' }],
    ['amount_negative', { targetAtoms: -1n }],
    ['amount_out_of_range', { targetAtoms: 9n * 10n ** 18n + 1n }],
    ['pot_limit_exceeded', { targetAtoms: atoms('10.00000001') }],
    ['forbidden', { targetAtoms: 0n }],
  ])('is refused: %s', (code, changes) => {
    const lane = ready(onePot({ maximum_pot_value: '10' }));
    lane.apply(contribution());
    expect(lane.apply(adjust(changes)).outcomes).toMatchObject([{ code }]);
    expect(lane.accounts().adjustment).toBe(0n);
  });

  it.each(['current_value', 'seed_value', 'surplus_seed'] as const)(
    'that nobody has approved is judged by the value at its place: %s',
    (account) => {
      const unapproved = { account, mayDecrease: true, unapprovedLimitAtoms: atoms('7') };
      const codes = (lane: TestLane) => {
        const outcomes = ['5', '4.99999999', '7', '7.00000001'].flatMap(
          (target) => lane.apply(adjust({ ...unapproved, targetAtoms: atoms(target) })).outcomes,
        );
        return outcomes.map((outcome) => (outcome.kind === 'Refused' ? outcome.code : outcome.kind));
      };
      const lane = ready();
      expect(codes(lane)).toEqual(['Done', 'forbidden', 'Done', 'forbidden']);
      expect(lane.apply(adjust({ account, mayDecrease: true })).outcomes).toMatchObject([{ kind: 'Done' }]);
      const first = new TestLane({}, firstLane);
      first.apply(...running(onePot()));
      expect(codes(first)).toEqual(['Done', 'Done', 'Done', 'Done']);
    },
  );

  it('between contributions of one message parts their draws into groups', () => {
    const lane = ready();
    const seen: number[] = [];
    lane.recorder = { group: ({ firstSequence }) => seen.push(firstSequence) };
    lane.apply(contribution(), contribution(), adjust(), contribution());
    expect(seen).toEqual([1, 3, 4]);
    expect(lane.accounts()['main.current']).toBe(atoms('6'));
  });
});

describe('an external trigger', () => {
  const trigger = {
    kind: 'TriggerPot',
    instance: 'jackpot',
    pot: 'main',
    brand: 'op:main',
    player: 'p1',
    source: 'slot',
    user: 'admin',
    idempotencyKey: null,
    checksOptIn: true,
  } as const;

  it.each<readonly [string, Partial<typeof trigger>, InstanceConfigurationDocument]>([
    ['instance_not_found', { instance: 'other' as 'jackpot' }, onePot()],
    ['brand_not_found', { brand: 'op:other' as 'op:main' }, onePot()],
    ['pot_not_found', { pot: 'other' as 'main' }, onePot()],
    ['trigger_not_supported', {}, onePot({ pot_types: [sureHit] })],
    ['pot_empty', {}, onePot()],
  ])('is refused: %s', (code, changes, configuration) => {
    const lane = ready(configuration);
    expect(lane.apply({ ...trigger, ...changes }).outcomes).toMatchObject([{ code }]);
  });

  const optIn = {
    kind: 'OptIn',
    instance: 'jackpot',
    brand: 'op:main',
    player: 'p1',
    country: 'DE',
    optIn: true,
    valueAtoms: null,
    currency: '',
    linked: false,
    user: '',
  } as const;
  /** Somebody else has put something into the pot. */
  const requiring = (rules: Readonly<Record<string, unknown>> = {}) => {
    const lane = ready(onePot({}, { opt_in_required: true, ...rules }));
    const [other] = lane.apply({ ...optIn, player: 'p2' }, contribution({ player: 'p2' })).outcomes.slice(1);
    expect(other).toMatchObject({ kind: 'Contributed' });
    return lane;
  };

  it('pays only who has opted in, where that is required', () => {
    const lane = requiring();
    const refused = [{ code: 'opt_in_required' }];
    expect(lane.apply(trigger).outcomes, 'unknown').toMatchObject(refused);
    lane.apply(optIn, { ...optIn, optIn: false });
    expect(lane.apply(trigger).outcomes, 'opted out').toMatchObject([{ code: 'player_opted_out' }]);
    lane.apply(optIn);
    expect(lane.apply(trigger).outcomes).toMatchObject([{ kind: 'Triggered' }]);
  });

  it('pays who has opted in with any currency, where opt-ins are kept by currency', () => {
    const lane = new TestLane();
    const rates = { kind: 'SetRates', version: 1, brand: '', base: 'EUR', updatedMs: 0 } as const;
    const configuration = onePot({}, { opt_in_required: true, opt_in_per_currency: true });
    lane.apply({ ...rates, multipliers: [['USD', '2', null]] }, ...running(configuration));
    lane.apply({ ...optIn, player: 'p2' }, contribution({ player: 'p2' }));
    lane.apply({ ...optIn, currency: 'USD' });
    expect(lane.apply(trigger).outcomes).toMatchObject([{ kind: 'Triggered' }]);
  });

  it('of a log from before the rule pays whomever it names', () => {
    const { checksOptIn: _, ...older } = trigger;
    expect(requiring().apply(older).outcomes).toMatchObject([{ kind: 'Triggered' }]);
  });

  it('pays in the currency of the last contribution of the player', () => {
    const lane = new TestLane();
    const rates = { kind: 'SetRates', version: 1, brand: '', base: 'EUR', updatedMs: 0 } as const;
    lane.apply({ ...rates, multipliers: [['USD', '2', null]] }, ...running(onePot()));
    lane.apply(contribution({ currency: 'USD' }));
    lane.restart();
    expect(lane.apply(trigger).events).toMatchObject([
      { winner: { paidCurrency: 'USD', paidAtoms: atoms('2') }, external: true },
    ]);
  });
});

describe('a parameter change', () => {
  it('of a pot binds at its next cycle, also inside a message; the odds of the running one stay', () => {
    const seeds = { initial_seed_value: '1', min_reseed_value: '1' };
    const lane = ready(onePot({ pot_types: [sureHit], seed_strategy: seeds }));
    const next = onePot({
      pot_types: [{ External: {} }],
      seed_strategy: { ...seeds, min_reseed_value: '3' },
    });
    lane.apply(setParameters(next));
    expect(lane.engine.describe('jackpot')?.configuration).toMatchObject({
      pots: [{ pot_types: [sureHit] }],
    });
    const { outcomes } = lane.apply(contribution(), contribution());
    expect(outcomes).toMatchObject([{ results: [{ win: { pot: 'main' } }] }, { results: [{ win: null }] }]);
    expect(lane.accounts()['main.current']).toBe(atoms('4'));
  });

  it('of the instance binds with the next epoch, which begins where the message ends', () => {
    const lane = ready();
    const change = setParameters(onePot({}, { contribution_type: { Fixed: '2' } }));
    const { outcomes, events } = lane.apply(change, contribution());
    expect(outcomes).toMatchObject([{ kind: 'Done' }, { results: [{ contributionAtoms: atoms('1') }] }]);
    expect(events.map((event) => event.kind)).toEqual([
      'InstanceChanged',
      'EpochEnded',
      'InstanceChanged',
      'EpochStarted',
    ]);
    expect(lane.apply(contribution()).outcomes).toMatchObject([
      { results: [{ contributionAtoms: atoms('2') }] },
    ]);
  });

  it('to a higher maximum applies at once, to a lower one does not', () => {
    const lane = ready(onePot({ maximum_pot_value: '1' }));
    lane.apply(setParameters(onePot({ maximum_pot_value: '3' })));
    lane.apply(contribution(), contribution());
    expect(lane.accounts()['main.current']).toBe(atoms('2'));
    lane.apply(setParameters(onePot({ maximum_pot_value: '1' })));
    lane.apply(contribution());
    expect(lane.accounts()['main.current']).toBe(atoms('3'));
  });

  it.each([
    ['another currency', onePot({}, {}, { currency: 'USD' })],
    ['another pot', onePot({ id: 'other' })],
    ['a malformed document', onePot({ contribution: { Percentage: '2' } })],
  ])('to %s is refused', (_, configuration) => {
    expect(ready().apply(setParameters(configuration)).outcomes).toMatchObject([{ code: 'config_invalid' }]);
  });
});

describe('allowed brands', () => {
  const allow = (brand: string, allowed: boolean): Command => ({
    kind: 'SetBrandAllowed',
    instance: 'jackpot',
    brand,
    allowed,
    user: '',
  });

  it('are written out when the first one goes; the last one leaves an explicit none', () => {
    const lane = new TestLane();
    lane.apply(setBrand({ brand: 'op:second' }), setBrand({ brand: 'net:one' }), ...running(onePot()));
    lane.apply(allow('op:second', false));
    expect(lane.apply(contribution({ brand: 'op:second' })).outcomes).toMatchObject([
      { code: 'brand_not_allowed' },
    ]);
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ kind: 'Contributed' }]);
    lane.apply(allow('op:main', false));
    expect(lane.engine.describe('jackpot')?.configuration).toMatchObject({
      contribution_rules: { allowed_brands: [] },
    });
    lane.apply(openEpoch('jackpot', 2, [3, 4]), allow('net:one', true));
    expect(lane.apply(contribution({ brand: 'net:one' })).outcomes).toMatchObject([{ kind: 'Contributed' }]);
  });
});

describe('a change that names another version than the instance has', () => {
  const outdated = { instance: 'jackpot', user: '', expectedVersion: 77 } as const;
  it.each<Command>([
    { kind: 'SetBrandAllowed', ...outdated, brand: 'op:main', allowed: false },
    {
      ...outdated,
      ...{ kind: 'TriggerPot', pot: 'main', brand: 'op:main', player: 'p1', source: 'slot' },
      idempotencyKey: null,
    },
    {
      ...outdated,
      ...{ kind: 'SwitchModel', target: 'jackpot', rules: [], transferOptIns: false },
      ...{ override: false, reason: '' },
    },
  ])('is refused: $kind', (command) => {
    const lane = ready(onePot({ pot_types: [{ External: {} }] }));
    lane.apply(contribution());
    expect(lane.apply(command).outcomes).toMatchObject([{ code: 'version_conflict' }]);
  });
});

describe('a new instance', () => {
  it('is refused with all faults of its configuration', () => {
    const lane = new TestLane();
    const { outcomes } = lane.apply(
      createInstance(onePot({ contribution: undefined, pot_types: [{ Magic: {} }] })),
    );
    expect(outcomes).toMatchObject([
      { code: 'config_invalid', message: expect.stringMatching(/HitRate.*; .*missing/) },
    ]);
  });

  it('is refused where its id is taken, its currency has no exponent, or its end is not later than its start', () => {
    const lane = ready();
    expect(lane.apply(createInstance(onePot())).outcomes).toMatchObject([{ code: 'already_exists' }]);
    const foreign = createInstance(onePot({}, {}, { currency: 'POINTS' }), { instance: 'points' });
    expect(lane.apply(foreign).outcomes).toMatchObject([{ code: 'currency_unknown' }]);
    const ended = createInstance(onePot(), { instance: 'ended', timestampStartMs: 5, timestampEndMs: 5 });
    expect(lane.apply(ended).outcomes).toMatchObject([{ code: 'config_invalid' }]);
  });

  it('has links within its group only', () => {
    const lane = ready();
    lane.apply(createInstance(onePot(), { instance: 'far', group: 'op:far' }));
    const link = { kind: 'SetLinks', instance: 'jackpot', user: '', expectedVersion: null } as const;
    expect(lane.apply({ ...link, links: ['far'] }).outcomes).toMatchObject([{ code: 'group_mismatch' }]);
    expect(lane.apply({ ...link, links: ['none'] }).outcomes).toMatchObject([{ code: 'instance_not_found' }]);
    lane.apply(setStatus('Paused'));
  });
});
