import { describe, expect, it } from 'vitest';
import { type RefusalCheck, refusalOrder } from '../../../src/messages/admission.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import type { RefusalCode } from '../../../src/messages/refusals.ts';
import { atoms, contribution, running, setBrand, setRates, setStatus } from '../support/commands.ts';
import { settings, startMs, TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

const strict = onePot(
  { criteria: { min_contribution: '0.9' } },
  {
    opt_in_required: true,
    operator_contribution_percentage: '0',
    allowed_brands: ['op:main'],
    country_filters: { black_list: ['DE-BY'], white_list: ['DE'] },
    wager_criteria: { min_base_wager: '0.5' },
    max_contribution: { cap_contribution_by_base_wager: '2' },
  },
);

/** In order of precedence: each contribution has the faults of all lines below its own, too. */
const lines: readonly (readonly [RefusalCode, Partial<Contribute>, RefusalCheck])[] = [
  ['brand_not_found', { brand: 'op:unknown' }, 'brandIsKnown'],
  ['instance_not_found', { target: { type: 'instance', id: 'other' } }, 'instanceIsKnown'],
  ['brand_not_allowed', { brand: 'op:second' }, 'brand'],
  ['country_not_allowed', { country: 'DE-BY' }, 'country'],
  ['amount_negative', { baseWagerAtoms: -1n }, 'amounts'],
  ['currency_unknown', { currency: 'QQQ' }, 'amounts'],
  ['contribution_limit', { baseWagerAtoms: 0n }, 'caps'],
  ['player_opted_out', { player: 'gone' }, 'optOut'],
  ['opt_in_required', { player: 'nobody', wallet: true, baseWagerAtoms: atoms('0.4') }, 'optIn'],
];

describe('a contribution is refused', () => {
  const ready = () => {
    const lane = new TestLane();
    lane.apply(setBrand({ brand: 'op:second' }), setRates([['USD', '1.1', null]]), ...running(strict));
    lane.apply(optIn('p1'), { ...optIn('gone'), optIn: false });
    return lane;
  };

  it('in the order that the gateway follows, too', () => {
    const places = lines.map(([, , check]) => refusalOrder.indexOf(check));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it.each(lines.map(([code], index) => ({ code, index })))('$index: $code', ({ code, index }) => {
    const below = lines.slice(index).map(([, changes]) => changes);
    const faults: Partial<Contribute> = Object.assign({}, ...below.reverse());
    const lane = ready();
    const before = lane.engine.describe('jackpot');
    expect(lane.apply(contribution(faults)).outcomes).toMatchObject([{ kind: 'Refused', code }]);
    expect(lane.engine.describe('jackpot')).toEqual(before);
  });

  it.each<readonly [RefusalCode, Partial<Contribute>]>([
    ['wager_below_minimum', { baseWagerAtoms: atoms('0.49') }],
    ['currency_not_supported', { currency: 'CHF' }],
    ['country_not_allowed', { country: 'AT' }],
    ['amount_out_of_range', { baseWagerAtoms: 9n * 10n ** 18n + 1n }],
  ])('%s', (code, changes) => {
    const lane = ready();
    expect(lane.apply(contribution(changes)).outcomes).toMatchObject([{ kind: 'Refused', code }]);
    expect(lane.engine.liveValues('jackpot')?.sequence).toBe(0);
  });

  it('while the instance is paused', () => {
    const lane = ready();
    lane.apply(setStatus('Paused'));
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ code: 'instance_not_active' }]);
  });

  it('by a rate table that is older than the limit, not by one of exactly that age', () => {
    const lane = new TestLane();
    const limits = { ...settings, maximumRateAgeMs: 60_000 };
    lane.apply({ kind: 'Own', term: 1, host: 'host', settings: limits });
    lane.nowMs = startMs;
    lane.apply(setRates([['USD', '1.1', null]], { updatedMs: startMs }), ...running(onePot()));
    lane.nowMs = startMs + 59_999;
    expect(lane.apply(contribution({ currency: 'USD' })).outcomes).toMatchObject([{ kind: 'Contributed' }]);
    expect(lane.apply(contribution({ currency: 'USD' }), contribution()).outcomes).toMatchObject([
      { kind: 'Refused', code: 'rate_invalid' },
      { kind: 'Contributed' },
    ]);
    expect(lane.engine.liveValues('jackpot')?.sequence).toBe(2);
  });

  it('by a rate table that is too old for the preference, only where the preference decides', () => {
    const lane = new TestLane();
    lane.apply({ kind: 'Own', term: 1, host: 'host', settings: { ...settings, maximumRateAgeMs: 60_000 } });
    const rules = { contribution_values_alt: [{ currency: 'EUR', value: '2' }] };
    lane.nowMs = startMs;
    lane.apply(setRates([['USD', '2', null]], { updatedMs: startMs }), ...running(onePot({}, rules)), {
      kind: 'OptIn',
      instance: 'jackpot',
      brand: 'op:main',
      player: 'p1',
      country: 'DE',
      optIn: true,
      valueAtoms: atoms('8'),
      currency: 'USD',
      linked: false,
      user: '',
    });
    lane.nowMs = startMs + 59_999;
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ results: [{ requestAtoms: atoms('4') }] }]);
    const bonus = { id: 'free', amountAtoms: atoms('3'), currency: 'EUR' };
    expect(
      lane.apply(contribution(), contribution({ bonus }), contribution({ player: 'p2' })).outcomes,
    ).toMatchObject([
      { code: 'rate_invalid' },
      { results: [{ requestAtoms: atoms('3') }] },
      { results: [{ requestAtoms: atoms('2') }] },
    ]);
  });

  it('and none of it moves when a pot would pass the largest balance: that amount is refused, others go on', () => {
    const lane = new TestLane();
    lane.apply(...running(onePot({}, { contribution_type: { Fixed: '50000000000' } })));
    lane.apply(contribution());
    const before = lane.accounts();
    const outcome = lane.apply(contribution(), contribution({ wallet: true }));
    expect(outcome.outcomes).toMatchObject([
      { code: 'amount_out_of_range' },
      { code: 'amount_out_of_range' },
    ]);
    expect(outcome.events).toEqual([]);
    expect(outcome.work).toEqual([]);
    expect(lane.accounts()).toEqual(before);
    expect(lane.engine.liveValues('jackpot')).toMatchObject({ sequence: 1, status: 'Active' });
    const small = contribution({ bonus: { id: 'b', amountAtoms: atoms('40000000000'), currency: 'EUR' } });
    expect(lane.apply(small).outcomes).toMatchObject([{ kind: 'Contributed' }]);
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ code: 'amount_out_of_range' }]);
    expect(lane.engine.liveValues('jackpot')).toMatchObject({ sequence: 2, status: 'Active' });
  });

  it.each([[{ maximum_pot_value: '1000' }], [{}]])(
    'whatever accounts are full (%j): extreme contributions and wins never stop an instance',
    (pot) => {
      const extreme = onePot(
        {
          contribution: { Percentage: '0.5' },
          seed_contribution: { Percentage: '0.25' },
          seed_strategy: { min_reseed_value: '1', fund_strategy: 'CollectAll', reseed_strategy: 'Full' },
          ...pot,
        },
        { contribution_type: { Fixed: '89999999999' } },
      );
      const lane = new TestLane();
      lane.apply(...running(extreme));
      const codes = new Set<string>();
      for (let round = 0; round < 60; round += 1) {
        const one = contribution({ contributionId: new Uint8Array(16).fill(round) });
        const [outcome] = lane.apply(one).outcomes;
        codes.add(outcome!.kind === 'Refused' ? outcome!.code : outcome!.kind);
        if (round % 5 === 4) lane.apply(award);
      }
      expect([...codes].toSorted()).toEqual(['Contributed', 'amount_out_of_range']);
      expect(lane.engine.liveValues('jackpot')?.status).toBe('Active');
    },
  );
});

const award = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'main',
  brand: 'op:main',
  player: 'p1',
  source: '',
  user: 'admin',
  idempotencyKey: null,
} as const;

function optIn(player: string) {
  return {
    kind: 'OptIn',
    instance: 'jackpot',
    brand: 'op:main',
    player,
    country: '',
    optIn: true,
    valueAtoms: null,
    currency: '',
    linked: false,
    user: '',
  } as const;
}
