import { describe, expect, it } from 'vitest';
import { maxNamedCurrencies } from '../../../src/jackpot/commands/opt-in/opt-out.ts';
import { createLane } from '../../../src/jackpot/lane/lane.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { TriggerPot } from '../../../src/messages/instance-commands.ts';
import type { Contribute, OptIn } from '../../../src/messages/player-commands.ts';
import {
  atoms,
  brand,
  contribution,
  createInstance,
  openEpoch,
  running,
  setRates,
  setStatus,
} from '../support/commands.ts';
import { testHashing } from '../support/hashing.ts';
import { settings, startMs, TestLane } from '../support/lane.ts';
import { drive, minuteMs, raffle } from '../support/raffle.ts';
import { onePot, sureHit } from '../support/scenario.ts';
import { pair, switchModel } from '../support/switching.ts';
import { debitsOf, laneWith, paying, settled } from './settlement/paying.ts';

const rates = setRates([['USD', '2', null]]);
const perCurrency = { opt_in_per_currency: true };

function move(optIn: boolean, changes: Partial<OptIn> = {}): OptIn {
  return {
    kind: 'OptIn',
    instance: 'jackpot',
    brand,
    player: 'p1',
    country: 'DE',
    optIn,
    valueAtoms: null,
    currency: '',
    linked: false,
    user: '',
    ...changes,
  };
}

const leave = (changes: Partial<OptIn> = {}) => move(false, changes);
const join = (changes: Partial<OptIn> = {}) => move(true, changes);

function ready(rules: Readonly<Record<string, unknown>> = {}): TestLane {
  const lane = new TestLane();
  lane.apply(rates, ...running(onePot({}, rules)));
  return lane;
}

/** What came of a contribution: its instances, or the code. */
function result(lane: TestLane, changes: Partial<Contribute> = {}): string {
  const [outcome] = lane.apply(contribution(changes)).outcomes;
  if (outcome?.kind === 'Contributed') return outcome.results.map(({ instance }) => instance).join(' ');
  return outcome?.kind === 'Refused' ? outcome.code : outcome!.kind;
}

function status(lane: TestLane, instance = 'jackpot', player = 'p1') {
  const { optedIn, optedOut } = lane.engine.optInStatus(instance, brand, player)!;
  return { optedIn, optedOut };
}

describe('an opt-out', () => {
  it.each([
    [false, 'jackpot'],
    [true, 'opt_in_required'],
  ])('ends contributions until the next opt-in (opt-in required: %s)', (opt_in_required, before) => {
    const lane = ready({ opt_in_required });
    expect(result(lane)).toBe(before);
    lane.apply(join());
    expect([result(lane), status(lane)]).toEqual(['jackpot', { optedIn: true }]);
    lane.apply(leave());
    expect([result(lane), status(lane)]).toEqual(['player_opted_out', { optedIn: false, optedOut: true }]);
    lane.restart();
    expect([result(lane), status(lane)]).toEqual(['player_opted_out', { optedIn: false, optedOut: true }]);
    lane.apply(join());
    expect([result(lane), status(lane)]).toEqual(['jackpot', { optedIn: true }]);
  });

  it('of a player whom the instance has never seen is kept; of others nothing is known', () => {
    const lane = ready();
    lane.apply(leave());
    expect(result(lane)).toBe('player_opted_out');
    expect(lane.engine.optIns('jackpot', false, 0, 10)).toMatchObject([{ player: 'p1', optedOut: true }]);
    expect(result(lane, { player: 'p2' })).toBe('jackpot');
    expect([status(lane, 'jackpot', 'p2'), status(lane, 'jackpot', 'p3')]).toEqual([
      { optedIn: false },
      { optedIn: false },
    ]);
  });

  it('of a player for whom there is no room is refused, and so are the contributions', () => {
    const lane = new TestLane({ maximumPlayersPerOperator: 0 });
    lane.apply({ kind: 'Own', term: 1, host: 'h', settings: { ...settings, maximumPlayersPerOperator: 0 } });
    lane.apply(...running(onePot()));
    expect(lane.apply(leave()).outcomes).toMatchObject([{ code: 'player_limit' }]);
    expect(result(lane)).toBe('player_limit');
  });

  it('counts from its place in the message on', () => {
    const { outcomes } = ready().apply(contribution(), leave(), contribution(), join(), contribution());
    expect(outcomes).toMatchObject([
      { kind: 'Contributed' },
      { kind: 'OptedIn' },
      { code: 'player_opted_out' },
      { kind: 'OptedIn' },
      { kind: 'Contributed' },
    ]);
  });

  it('counts also where many come at once', () => {
    const lane = ready();
    const row = { instance: 'jackpot', brand, currency: '' };
    const rows = ['p1', 'p2', 'p3'].map((player) => ({ ...row, player, optIn: player === 'p2' }));
    lane.apply({ kind: 'BulkOptIn', job: 'j', rows, user: 'admin' });
    expect(['p1', 'p2', 'p3'].map((player) => result(lane, { player }))).toEqual([
      'player_opted_out',
      'jackpot',
      'player_opted_out',
    ]);
  });

  it('is told to the feeds', () => {
    expect(ready().apply(leave()).events).toMatchObject([
      { kind: 'OptInChanged', status: { optedIn: false, optedOut: true } },
    ]);
  });

  it('ends no contribution whose debit is open, and takes nothing that was earned', () => {
    const lane = laneWith();
    const [debit] = debitsOf(lane.apply(paying()));
    lane.apply(leave());
    expect(lane.apply(settled(debit!)).outcomes).toMatchObject([
      { contributions: [{ result: { kind: 'Contributed' } }] },
    ]);
    expect(debitsOf(lane.apply(paying({ contributionId: new Uint8Array(16).fill(2) })))).toEqual([]);
    expect(lane.engine.optInStatus('jackpot', brand, 'p1')).toMatchObject({
      contributionAtoms: atoms('1'),
      pots: [['main', 1, atoms('1')]],
    });
  });

  it('leaves a share of a win and the tickets of a raffle', () => {
    const shared = {
      pot_types: [{ External: {} }],
      payout_ruleset: {
        main_winner_percentage: '0.5',
        payout_rules: [
          { payout_percentage: '0.5', rule: { HighestLifetimeContributors: { max_number_of_payouts: 2 } } },
        ],
      },
    };
    const lane = new TestLane();
    lane.apply(...running(onePot(shared)));
    lane.apply(contribution(), contribution({ player: 'p2' }), leave());
    const { events } = lane.apply(triggerFor('p2'));
    expect(events.find(({ kind }) => kind === 'Won')).toMatchObject({
      community: [{ player: 'p1' }, { player: 'p2' }],
    });

    const drawn = new TestLane();
    drawn.apply(...running(raffle()));
    drawn.apply(contribution(), leave());
    drawn.nowMs += minuteMs;
    drive(drawn);
    expect(drawn.engine.winners('jackpot', '', '', 50)).toMatchObject([{ player: 'p1' }]);
  });

  it('ends prizes awarded by a person, before a missing opt-in does', () => {
    const lane = ready({ opt_in_required: true });
    lane.apply(join(), contribution());
    lane.apply(leave());
    expect(lane.apply(triggerFor('p1')).outcomes).toMatchObject([{ code: 'player_opted_out' }]);
    expect(lane.apply(triggerFor('p2')).outcomes).toMatchObject([{ code: 'opt_in_required' }]);
    lane.apply(join());
    expect(lane.apply(triggerFor('p1')).outcomes).toMatchObject([{ kind: 'Triggered' }]);
  });
});

describe('an opt-out, where the instance is not named', () => {
  const more = (instance: string): readonly Command[] => [
    createInstance(onePot(), { instance }),
    openEpoch(instance, 0, [0, 1, 2]),
    setStatus('Active', instance),
  ];

  it('leads to the next instance of the source or of a segment', () => {
    const lane = ready();
    const bind = (of: 'source' | 'segment', id: string, instance: string, priority: number): Command => ({
      kind: 'Bind',
      of,
      owner: 'op',
      ids: [id],
      instance,
      priority,
    });
    lane.apply(...more('second'), ...more('third'));
    lane.apply(
      { kind: 'SetSegment', owner: 'op', segment: 'vip', priority: 0 },
      bind('segment', 'vip', 'third', 0),
      bind('source', 'slot', 'jackpot', 0),
      bind('source', 'slot', 'second', 1),
    );
    const bySource = { target: { type: 'source', id: 'slot' } as const };
    expect(result(lane, bySource)).toBe('jackpot');
    lane.apply(leave());
    expect(result(lane, bySource)).toBe('second');
    expect(result(lane, { ...bySource, segments: ['vip'] })).toBe('third');
    lane.apply(leave({ instance: 'third' }));
    expect(result(lane, { ...bySource, segments: ['vip'] })).toBe('second');
    lane.apply(leave({ instance: 'second' }));
    expect(result(lane, bySource)).toBe('jackpot_not_found');
    expect(result(lane, { ...bySource, player: 'p2' })).toBe('jackpot');
  });

  it('leaves out a link, and ends the links with the instance itself', () => {
    const lane = ready();
    lane.apply(...more('linked'), {
      kind: 'SetLinks',
      instance: 'jackpot',
      links: ['linked'],
      user: '',
      expectedVersion: null,
    });
    lane.apply(leave({ instance: 'linked' }));
    expect(result(lane, { linked: true })).toBe('jackpot');
    lane.apply(join({ linked: true }));
    expect(result(lane, { linked: true })).toBe('jackpot linked');
    lane.apply(leave({ linked: true }));
    expect(result(lane, { linked: true })).toBe('player_opted_out');
    expect(result(lane, { target: { type: 'instance', id: 'linked' } })).toBe('player_opted_out');
  });
});

describe('an opt-out with opt-ins per currency', () => {
  const results = (lane: TestLane) => ['EUR', 'USD'].map((currency) => result(lane, { currency }));

  it('without a currency means all of them, also those that nothing is known of', () => {
    const lane = ready(perCurrency);
    lane.apply(join({ currency: 'USD', valueAtoms: atoms('4') }), leave());
    expect(results(lane)).toEqual(['player_opted_out', 'player_opted_out']);
    expect(status(lane)).toEqual({ optedIn: false, optedOut: true });
    // The next opt-in ends it for its own currency.
    lane.apply(join({ currency: 'USD' }));
    lane.restart();
    expect(results(lane)).toEqual(['player_opted_out', 'jackpot']);
    expect(status(lane)).toEqual({ optedIn: true });
    lane.apply(join());
    expect(results(lane)).toEqual(['jackpot', 'jackpot']);
  });

  it('with a currency means that one, also if the player had never named it', () => {
    const lane = ready(perCurrency);
    lane.apply(leave({ currency: 'USD' }));
    expect(results(lane)).toEqual(['jackpot', 'player_opted_out']);
    expect(status(lane)).toEqual({ optedIn: false, optedOut: true });
    lane.apply(join());
    expect(status(lane)).toEqual({ optedIn: true });
    expect(results(lane)).toEqual(['jackpot', 'player_opted_out']);
  });

  it('wins over an opt-in that is missing in its currency', () => {
    const lane = ready({ ...perCurrency, opt_in_required: true });
    lane.apply(leave({ currency: 'USD' }));
    expect(results(lane)).toEqual(['opt_in_required', 'player_opted_out']);
  });

  it('keeps so many currencies by name; one more counts for all that have no name', () => {
    const lane = ready(perCurrency);
    lane.apply(
      join(),
      ...Array.from({ length: maxNamedCurrencies - 1 }, (_, at) => leave({ currency: `X${at}` })),
    );
    expect(results(lane)).toEqual(['jackpot', 'jackpot']);
    lane.apply(leave({ currency: 'ONEMORE' }), leave({ currency: 'X3' }));
    expect(results(lane)).toEqual(['jackpot', 'player_opted_out']);
    lane.apply(join({ currency: 'USD' }));
    expect(results(lane)).toEqual(['jackpot', 'jackpot']);
  });

  it('goes on counting, whichever way the rules change', () => {
    const lane = ready();
    const set = (rules: Readonly<Record<string, unknown>>): Command => ({
      kind: 'SetParameters',
      instance: 'jackpot',
      configuration: onePot({}, rules),
      reason: 'test',
      user: '',
      expectedVersion: null,
    });
    lane.apply(leave(), set(perCurrency));
    expect(results(lane)).toEqual(['player_opted_out', 'player_opted_out']);
    lane.apply(join({ currency: 'USD' }), openEpoch('jackpot', 1, [3]), set({}));
    expect(results(lane)).toEqual(['jackpot', 'jackpot']);
  });
});

describe('a model switch', () => {
  it('takes opt-outs along, also where opt-ins stay, and without their preferences', () => {
    const lane = new TestLane();
    pair(lane, onePot({}, { max_contribution: { max_contribution_value: '9' } }));
    lane.apply(
      leave(),
      join({ player: 'p2', valueAtoms: atoms('3') }),
      contribution({ player: 'p3' }),
      join({ player: 'p4', valueAtoms: atoms('3') }),
      leave({ player: 'p4' }),
      // Said of the target itself.
      leave({ player: 'p5' }),
      join({ player: 'p5', instance: 'next' }),
    );
    lane.apply(switchModel());
    lane.restart();
    lane.apply(setStatus('Active', 'next'));
    const to = { type: 'instance', id: 'next' } as const;
    const results = ['p1', 'p2', 'p3', 'p4', 'p5'].map((player) => result(lane, { target: to, player }));
    expect(results).toEqual(['player_opted_out', 'next', 'next', 'player_opted_out', 'next']);
    expect(lane.engine.optIns('next', null, 0, 10)).toMatchObject([
      { player: 'p5', optedIn: true },
      { player: 'p1', optedOut: true },
      { player: 'p4', optedOut: true, preferences: [] },
    ]);
  });

  it.each([true, false])('takes them by currency (opt-ins too: %s)', (transferOptIns) => {
    const lane = new TestLane();
    lane.apply(rates);
    pair(lane, onePot({}, perCurrency));
    lane.apply(
      join({ currency: 'EUR' }),
      leave({ currency: 'USD' }),
      leave({ player: 'p2' }),
      join({ player: 'p2', currency: 'EUR' }),
    );
    lane.apply(switchModel({ transferOptIns }), setStatus('Active', 'next'));
    const results = ['p1', 'p2'].flatMap((player) =>
      ['EUR', 'USD'].map((currency) =>
        result(lane, { target: { type: 'instance', id: 'next' }, player, currency }),
      ),
    );
    const out = 'player_opted_out';
    expect(results).toEqual(transferOptIns ? ['next', out, 'next', out] : ['next', out, out, out]);
  });

  it('copies them in steps, before the target starts', () => {
    const lane = new TestLane();
    pair(lane, onePot());
    const players = Array.from({ length: 1100 }, (_, index) => `p${index}`);
    for (let i = 0; i < players.length; i += 100)
      lane.apply(...players.slice(i, i + 100).map((player) => leave({ player })));
    lane.apply(switchModel());
    expect(lane.engine.optIns('next', false, 0, 5000)).toHaveLength(500);
    lane.restart();
    expect(lane.apply(setStatus('Active', 'next')).outcomes).toMatchObject([{ code: 'switch_in_progress' }]);
    drive(lane);
    expect(lane.engine.optIns('next', false, 0, 5000)).toHaveLength(1100);
  });
});

describe('an opt-out in the log of the first version', () => {
  const first = (...commands: readonly Command[]) => {
    const lane = new TestLane();
    lane.engine = createLane(testHashing, settings);
    lane.nowMs = startMs;
    lane.apply(rates, ...commands);
    return lane;
  };
  const upgrade = { kind: 'UpgradeTo', version: 2 } as const;

  it('ends nothing and is not told, until the upgrade', () => {
    const lane = first(...running(onePot()));
    const { events } = lane.apply(leave());
    expect(events).toMatchObject([{ status: { optedIn: false } }]);
    expect(events[0]).not.toHaveProperty('status.optedOut');
    expect(result(lane)).toBe('jackpot');
    expect(lane.apply(triggerFor('p1')).outcomes).toMatchObject([{ kind: 'Triggered' }]);
    lane.apply(upgrade);
    expect([result(lane), status(lane)]).toEqual(['player_opted_out', { optedIn: false, optedOut: true }]);
    expect(result(lane, { player: 'p2' })).toBe('jackpot');
  });

  it('counts for the currencies that the first version kept, or for all where it kept none', () => {
    const lane = first(...running(onePot({}, perCurrency)));
    lane.apply(
      join({ currency: 'USD' }),
      leave({ currency: 'USD' }),
      leave({ player: 'p2', currency: 'USD' }),
    );
    lane.apply(upgrade);
    expect(['EUR', 'USD'].map((currency) => result(lane, { currency }))).toEqual([
      'jackpot',
      'player_opted_out',
    ]);
    expect(['EUR', 'USD'].map((currency) => result(lane, { player: 'p2', currency }))).toEqual([
      'player_opted_out',
      'player_opted_out',
    ]);
  });
});

it('an opt-out ends a contribution behind the faults of its amount and before the criteria', () => {
  const lane = ready({ wager_criteria: { min_base_wager: '5' } });
  lane.apply(leave());
  expect(result(lane, { baseWagerAtoms: -1n })).toBe('amount_negative');
  expect(result(lane)).toBe('player_opted_out');
  // A quote that is kept is of others, too.
  const win = new TestLane();
  win.apply(...running(onePot({ pot_types: [sureHit] })));
  win.apply(contribution({ player: 'p2' }), leave());
  expect([result(win), result(win, { player: 'p2' })]).toEqual(['player_opted_out', 'jackpot']);
});

function triggerFor(player: string): TriggerPot {
  return {
    kind: 'TriggerPot',
    instance: 'jackpot',
    pot: 'main',
    brand,
    player,
    source: 'slot',
    user: 'admin',
    idempotencyKey: null,
    checksOptIn: true,
  };
}
