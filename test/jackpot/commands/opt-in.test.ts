import { describe, expect, it } from 'vitest';
import type { OptIn } from '../../../src/messages/player-commands.ts';
import {
  atoms,
  contribution,
  createInstance,
  openEpoch,
  running,
  setRates,
  setStatus,
} from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

const rates = setRates([['USD', '2', null]]);
const rules = { opt_in_required: true, max_contribution: { max_contribution_value: '5' } };

function optIn(changes: Partial<OptIn> = {}): OptIn {
  return {
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
    ...changes,
  };
}

function ready(changes: Readonly<Record<string, unknown>> = {}): TestLane {
  const lane = new TestLane();
  lane.apply(rates, ...running(onePot({}, { ...rules, ...changes })));
  return lane;
}

describe('an opt-in', () => {
  it('lets a player contribute, an opt-out does not, and the record keeps what was contributed', () => {
    const lane = ready();
    lane.apply(optIn());
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ kind: 'Contributed' }]);
    lane.apply(optIn({ optIn: false }));
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ code: 'player_opted_out' }]);
    expect(lane.engine.optInStatus('jackpot', 'op:main', 'p1')).toMatchObject({
      optedIn: false,
      contributionCount: 1,
      contributionAtoms: atoms('1'),
      pots: [['main', 1, atoms('1')]],
    });
  });

  it('of an unknown player is no opt-in, with zeros', () => {
    expect(ready().engine.optInStatus('jackpot', 'op:main', 'p9')).toEqual({
      instance: 'jackpot',
      brand: 'op:main',
      player: 'p9',
      optedIn: false,
      preferences: [],
      contributionCount: 0,
      contributionAtoms: 0n,
      pots: [['main', 0, 0n]],
      lastUpdatedMs: 0,
    });
  });

  it('tells the feeds', () => {
    const { outcomes, events } = ready().apply(optIn({ valueAtoms: atoms('3'), currency: 'EUR' }));
    expect(outcomes).toEqual([{ kind: 'OptedIn', succeeded: ['jackpot'], failed: [] }]);
    expect(events).toMatchObject([
      { kind: 'OptInChanged', status: { optedIn: true, preferences: [['EUR', atoms('3')]] } },
    ]);
  });

  it.each([
    ['in its own currency', 'EUR', '3', 'EUR', '3'],
    ['converted where only another is stored', 'EUR', '3', 'USD', '6'],
    ['rounded to whole cents of the player', 'EUR', '2.999', 'EUR', '3'],
  ])('uses the preferred value %s', (_, stored, value, used, request) => {
    const lane = ready({ operator_contribution_percentage: '0' });
    lane.apply(optIn({ valueAtoms: atoms(value), currency: stored }));
    const { outcomes } = lane.apply(contribution({ currency: used }));
    expect(outcomes).toMatchObject([{ results: [{ requestAtoms: atoms(request) }] }]);
  });

  it('clamps a preference that a new rate has moved out of its limits', () => {
    const lane = ready();
    lane.apply(optIn({ valueAtoms: atoms('10'), currency: 'USD' }));
    lane.apply(setRates([['USD', '1', null]], { version: 2 }));
    const { outcomes } = lane.apply(contribution({ currency: 'USD' }));
    expect(outcomes).toMatchObject([{ results: [{ requestAtoms: atoms('5') }] }]);
  });

  it.each([
    ['below the default', '0.99', 'EUR'],
    ['above the maximum', '5.01', 'EUR'],
    ['below the converted default', '1.99', 'USD'],
  ])('refuses a preference %s', (_, value, currency) => {
    const { outcomes } = ready().apply(optIn({ valueAtoms: atoms(value), currency }));
    expect(outcomes).toMatchObject([{ code: 'amount_out_of_range' }]);
  });

  it('counts for its currency only where the rules say so', () => {
    const lane = ready({ opt_in_per_currency: true });
    lane.apply(optIn({ currency: 'EUR', valueAtoms: atoms('2') }));
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ results: [{ requestAtoms: atoms('2') }] }]);
    expect(lane.apply(contribution({ currency: 'USD' })).outcomes).toMatchObject([
      { code: 'opt_in_required' },
    ]);
  });

  it.each([
    [false, [{ code: 'player_opted_out' }]],
    [true, [{ results: [{ requestAtoms: atoms('2') }] }]],
  ])('is what it was last (%s) for a stated currency once opt-ins become per currency', (last, expected) => {
    const lane = ready();
    lane.apply(optIn({ currency: 'EUR', valueAtoms: atoms('2') }));
    lane.apply(optIn({ optIn: false }));
    if (last) lane.apply(optIn());
    lane.apply({
      kind: 'SetParameters',
      instance: 'jackpot',
      configuration: onePot({}, { ...rules, opt_in_per_currency: true }),
      reason: 'currencies apart',
      user: '',
      expectedVersion: null,
    });
    expect(lane.apply(contribution()).outcomes).toMatchObject(expected);
  });

  it.each([
    ['leaving', optIn({ currency: 'EUR', optIn: false })],
    ['joining without a value', optIn({ currency: 'EUR' })],
    ['joining with a third currency', optIn({ currency: 'JPY' })],
  ])('per currency: %s states nothing, so the latest preference stays the latest', (_, move) => {
    const lane = new TestLane();
    const table = [['JPY', '100', null] as const, ['PLN', '4', null] as const, ['USD', '2', null] as const];
    lane.apply(setRates(table), ...running(onePot({}, { opt_in_per_currency: true })));
    lane.apply(
      optIn({ currency: 'EUR', valueAtoms: atoms('2') }),
      optIn({ currency: 'USD', valueAtoms: atoms('6') }),
      move,
    );
    expect(lane.engine.optInStatus('jackpot', 'op:main', 'p1')).toMatchObject({
      preferences: [
        ['EUR', atoms('2')],
        ['USD', atoms('6')],
      ],
    });
    expect(lane.apply(contribution({ currency: 'PLN' })).outcomes).toMatchObject([
      { results: [{ requestAtoms: atoms('12') }] },
    ]);
  });

  it('spreads to linked instances with their default, never by a contribution', () => {
    const lane = ready();
    lane.apply(
      createInstance(onePot({}, rules), { instance: 'linked' }),
      openEpoch('linked', 0, [0, 1, 2]),
      setStatus('Active', 'linked'),
      { kind: 'SetLinks', instance: 'jackpot', links: ['linked'], user: '', expectedVersion: null },
    );
    lane.apply(optIn());
    expect(lane.apply(contribution({ linked: true })).outcomes).toMatchObject([
      { results: [{ instance: 'jackpot' }] },
    ]);
    expect(lane.apply(optIn({ linked: true, valueAtoms: atoms('4'), currency: 'EUR' })).outcomes).toEqual([
      { kind: 'OptedIn', succeeded: ['jackpot', 'linked'], failed: [] },
    ]);
    expect(lane.apply(contribution({ linked: true })).outcomes).toMatchObject([
      {
        results: [
          { instance: 'jackpot', contributionAtoms: atoms('4') },
          { instance: 'linked', contributionAtoms: atoms('1') },
        ],
      },
    ]);
  });

  it('is listed by instance and by player, and survives a restart', () => {
    const lane = ready();
    lane.apply(
      optIn({ player: 'a' }),
      optIn({ player: 'b', optIn: false }),
      optIn({ player: 'ü', valueAtoms: atoms('2') }),
    );
    const listed = lane.engine.optIns('jackpot', true, 0, 10);
    expect(listed?.map((each) => each.player)).toEqual(['a', 'ü']);
    expect(lane.engine.optIns('jackpot', null, 1, 1)?.map((each) => each.player)).toEqual(['b']);
    expect(lane.engine.playerOptIns('op:main', 'ü', 0, 10)).toHaveLength(1);
    lane.restart();
    expect(lane.engine.optIns('jackpot', true, 0, 10)).toEqual(listed);
  });
});

describe('a preferred currency without a value', () => {
  const status = (lane: TestLane) => lane.engine.optInStatus('jackpot', 'op:main', 'p1');

  it('is kept, and the value that is used stays as it was', () => {
    const lane = ready();
    lane.apply(optIn({ currency: 'USD', statesCurrency: true }));
    expect(status(lane)).toMatchObject({ statedCurrency: 'USD', preferences: [], optedIn: true });
    expect(lane.apply(contribution()).outcomes).toMatchObject([
      { kind: 'Contributed', results: [{ contributionAtoms: atoms('1') }] },
    ]);
    lane.apply(optIn({ currency: 'EUR', valueAtoms: atoms('3'), statesCurrency: true }));
    expect(status(lane)).toMatchObject({ preferences: [['EUR', atoms('3')]] });
    expect(status(lane)).not.toHaveProperty('statedCurrency');
    // Another currency without a value does not take the value away.
    lane.apply(optIn({ currency: 'USD', statesCurrency: true }));
    expect(status(lane)).toMatchObject({ statedCurrency: 'USD', preferences: [['EUR', atoms('3')]] });
    expect(lane.apply(contribution()).outcomes).toMatchObject([
      { kind: 'Contributed', results: [{ contributionAtoms: atoms('3') }] },
    ]);
    // The same one without a value changes nothing.
    lane.apply(optIn({ currency: 'EUR', statesCurrency: true }));
    expect(status(lane)).toMatchObject({ preferences: [['EUR', atoms('3')]] });
    expect(status(lane)).not.toHaveProperty('statedCurrency');
  });

  it('is kept with opt-ins per currency, too, and not by an opt-out or on a link', () => {
    const lane = ready({ opt_in_per_currency: true });
    lane.apply(optIn({ currency: 'USD', statesCurrency: true }));
    expect(status(lane)).toMatchObject({ statedCurrency: 'USD', optedIn: true });
    lane.apply(optIn({ currency: 'USD', optIn: false, statesCurrency: true }));
    expect(status(lane)).toMatchObject({ optedIn: false });
    expect(status(lane)).not.toHaveProperty('statedCurrency');
  });

  it('stays the latest when another currency is joined that is not stated', () => {
    const lane = ready({ opt_in_per_currency: true });
    lane.apply(optIn({ currency: 'USD', statesCurrency: true }), optIn({ currency: 'EUR' }));
    expect(status(lane)).toMatchObject({ statedCurrency: 'USD', optedIn: true });
  });

  it('was not kept by the commands of older logs', () => {
    const lane = ready();
    lane.apply(optIn({ currency: 'USD' }));
    expect(status(lane)).toMatchObject({ preferences: [], optedIn: true });
    expect(status(lane)).not.toHaveProperty('statedCurrency');
  });
});
