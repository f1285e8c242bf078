import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../console/src/api/errors.ts';
import {
  type Configuration,
  comparedMembers,
  configurationOf,
  lostPots,
  overridesOf,
  valueAt,
  withValue,
} from '../../console/src/screens/templates/document.ts';
import { faultsOf, inLabelsOf, placedFaults, titleOf } from '../../console/src/screens/templates/faults.ts';
import { excessOf, findingOf } from '../../console/src/screens/templates/findings.ts';
import { meaningOf } from '../../console/src/screens/templates/fractions.ts';
import { helps } from '../../console/src/screens/templates/helps.ts';
import { idOf } from '../../console/src/screens/templates/ids.ts';
import {
  type Member,
  newConfiguration,
  newPot,
  newTriggers,
  ofType,
  sectionsOf,
} from '../../console/src/screens/templates/members.ts';
import { configuration } from '../../src/contracts/configuration/configuration.ts';
import { configurationView } from '../../src/contracts/configuration/document-view.ts';
import { withoutAbsent } from '../../src/contracts/fields/configuration-fields.ts';
import { mergeConfiguration } from '../../src/directory/merge.ts';
import { PublicError } from '../../src/gateway/base/errors.ts';
import { validateInput } from '../../src/gateway/base/validate.ts';
import { checkConfiguration } from '../../src/jackpot/rules/configuration/parse.ts';
import { writeJson } from '../../src/lib/json.ts';
import { demoJackpots } from '../../tools/demo/catalogue.ts';

/** As the service shows it, and as it stores it. */
const normalOf = (document: unknown) =>
  withoutAbsent(validateInput(configuration, 'body', document)) as Configuration;
const shownOf = (template: object): Configuration =>
  configurationOf({ ...JSON.parse(writeJson(configurationView(template))), id: 't', name: 'T' });
const configurations = demoJackpots.map(({ template }) => {
  const { owner_id: _, id: __, name: ___, description: ____, ...members } = template;
  return normalOf(members);
});
const whole = ofType(
  { ...newConfiguration, pots: Object.values(newTriggers).map((type, index) => potWith(index, type)) },
  'Raffle',
);

function potWith(index: number, type: unknown): Configuration {
  return { ...newPot, id: `p${index}`, pot_types: [type] };
}

/** The faults that the service names of a configuration, by the place where the form shows them. */
function shownFaults(document: Configuration): ReadonlyMap<string, readonly string[]> {
  return placedFaults(faultsOf(refusalOf(document)), sectionsOf(document));
}

function refusalOf(document: Configuration): ApiError {
  try {
    const { faults } = checkConfiguration(normalOf(document));
    return new ApiError(422, 'config_invalid', `${faults.join('; ')}.`, null);
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    return new ApiError(400, error.code, error.message, null);
  }
}

const wrong: Readonly<Record<Member['kind'], unknown>> = {
  text: 'not a text of this kind?',
  decimal: 'x',
  count: 'x',
  flag: 'x',
  choice: 'x',
  part: { Percentage: 'x' },
  trigger: { Other: {} },
  json: 'x',
};
const members = sectionsOf(whole).flatMap((section) => section.members);

describe('the form of a configuration', () => {
  it.each(members.map((member) => [member.path, member] as const))(
    'shows what is wrong with %s there',
    (path, { kind }) => {
      const faults = shownFaults(withValue(whole, path, wrong[kind]));
      expect([...faults.keys()]).toEqual([path]);
    },
  );

  it.each(configurations.map((each, index) => [demoJackpots[index]?.instanceName, each] as const))(
    'has a place for every member of %s',
    (_, stored) => {
      const shown = shownOf(stored);
      const places = sectionsOf(shown).flatMap((section) => section.members.map(({ path }) => path));
      const leaves = comparedMembers(shown, {}).map(({ path }) => path);
      // One without a way to win it has the button that adds the first.
      const isShown = (leaf: string) =>
        leaf.endsWith('.pot_types') || places.some((place) => leaf.startsWith(place));
      expect(leaves.filter((leaf) => !isShown(leaf))).toEqual([]);
    },
  );

  it('explains every field, and nothing else', () => {
    expect(members.filter(({ help }) => help === undefined).map(({ path }) => path)).toEqual([]);
    const paths = new Set(members.map(({ path }) => path.replace(/\[\d+\]/g, '')));
    expect(Object.keys(helps).filter((path) => !paths.has(path))).toEqual([]);
  });

  it('shows faults of several members, and what belongs to none of them', () => {
    const pots = [
      {
        ...newPot,
        id: 'a',
        contribution: { Percentage: '0.9' },
        seed_strategy: { initial_seed_value: '300' },
      },
      { ...newPot, id: 'a', maximum_pot_value: '200' },
    ];
    const faults = shownFaults({ ...newConfiguration, pots: [...pots, 'no pot'] });
    expect(faults.size).toBeGreaterThan(0);
    const engine = shownFaults({
      ...newConfiguration,
      pots: [{ ...pots[0], maximum_pot_value: '200' }, pots[1]],
    });
    expect([...engine.keys()].toSorted()).toEqual(['', 'house_pot', 'pots[0]']);
    expect(engine.get('')).toEqual(['pots must have different ids']);
  });

  it('names fields by their labels, with their pots', () => {
    const texts = (path: string, text: string) => [
      ...placedFaults([{ path: path === '' ? null : path, text }], sectionsOf(whole)),
    ];
    const path = 'pots[1].seed_strategy.initial_seed_value';
    expect(texts(path, `${path}: The amount is negative`)).toEqual([
      [path, ['“Seed at activation, for the first cycle” of Pot p1: The amount is negative']],
    ]);
    const min = 'pots[1].pot_types[0].Threshold.min_value';
    expect(texts(min, `${min} must not be above maximum_pot_value`)).toEqual([
      [min, ['“Drops from” of Pot p1 must not be above “Largest value (empty: none)”']],
    ]);
    expect(texts('', 'The jackpot_type cannot change')).toEqual([
      ['jackpot_type', ['The “Type” cannot change']],
    ]);
    expect(texts('pots[1]', 'pots[1] and house_pot are too much')).toEqual([
      ['pots[1]', ['Pot p1 and house_pot are too much']],
    ]);
    expect(texts('', 'It is too large')).toEqual([['', ['It is too large']]]);
    const refusal = new ApiError(422, 'config_invalid', `${path}: No. currency: No.`, 'r');
    expect(inLabelsOf(refusal, sectionsOf(whole))).toMatchObject({
      message: '“Seed at activation, for the first cycle” of Pot p1: No. “Currency of all pots”: No.',
      requestId: 'r',
    });
    const other = new ApiError(403, 'forbidden', 'currency: No.', null);
    expect(inLabelsOf(other, sectionsOf(whole))).toBe(other);
  });

  it('knows the one member that a code is about, and no fault of another refusal', () => {
    const at = (status: number, code: string) => faultsOf(new ApiError(status, code, 'No.', null))[0]?.path;
    expect(at(422, 'currency_unknown')).toBe('currency');
    expect(at(422, 'endpoint_not_allowed')).toBe('house_pot.diversion_rules.target.External.endpoint');
    expect(at(422, 'reason_required')).toBeNull();
    expect(at(403, 'forbidden')).toBeUndefined();
    expect(faultsOf(new Error('pots'))).toEqual([]);
  });
});

const more = { ...newPot, id: 'more' };
const edits: readonly (readonly [path: string, value: unknown])[] = [
  ['currency', 'GBP'],
  ['max_instantiation_count', 5],
  ['contribution_rules.contribution_type', { Fixed: '0.25' }],
  ['contribution_rules.opt_in_required', true],
  ['contribution_rules.opt_in_required', false],
  ['contribution_rules.allowed_brands', ['demo:vip']],
  ['contribution_rules.allowed_brands', null],
  ['contribution_rules.max_contribution', { max_contribution_value: '9' }],
  ['contribution_rules.max_contribution', undefined],
  ['house_pot.contribution_type', { Percentage: '0.11' }],
  [
    'house_pot.diversion_rules',
    {
      target: { External: { endpoint: 'https://x.example/', account_id: 'a' } },
      diversion_percentage: '0.5',
      flush_threshold: '10',
    },
  ],
  ['pots[0].maximum_pot_value', '1000'],
  ['pots[0].maximum_pot_value', null],
  ['pots[0].contribution', { Fixed: '0.01' }],
  ['pots[0].pot_types', [{ External: {} }]],
  ['pots[0].seed_strategy.initial_seed_value', '7'],
  ['pots', 'one more'],
];

describe('overrides', () => {
  it('make of the stored configuration what was edited of the shown one', () => {
    const changes = fc.array(fc.constantFrom(...edits), { maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...configurations), changes, (stored, chosen) => {
        const base = shownOf(stored);
        const edited = chosen.reduce<Configuration>(
          (document, [path, value]) =>
            withValue(document, path, path === 'pots' ? [...(document.pots as object[]), more] : value),
          base,
        );
        const ids = (edited.pots as Configuration[]).map(({ id }) => id);
        fc.pre(new Set(ids).size === ids.length);
        const made = normalOf(mergeConfiguration(stored, overridesOf(base, edited)));
        expect(comparedMembers(shownOf(made), shownOf(normalOf(edited)))).toEqual([]);
      }),
    );
  });

  it('are empty where nothing was changed, however an amount is written', () => {
    for (const stored of configurations) expect(overridesOf(shownOf(stored), shownOf(stored))).toEqual({});
    expect(overridesOf({ a: 1, b: '2.50', c: null }, { a: '1', b: '2.5' })).toEqual({});
  });

  it('cannot take away a pot', () => {
    expect(lostPots({ pots: [{ id: 'a' }, { id: 'b' }] }, { pots: [{ id: 'b' }, 'x'] })).toEqual(['a']);
    expect(lostPots({ pots: [{ id: 'a' }] }, { pots: 'none' })).toEqual(['a']);
  });
});

describe('the comparison of two', () => {
  const pots = (...ids: readonly string[]) => ({
    pots: ids.map((id, index) => ({ id, contribution: index })),
  });
  it.each([
    [pots('a', 'b'), pots('a', 'b'), []],
    [pots('a'), pots('x'), [['pots[0].id', 'a', 'x']]],
    // The same pot at another place, and the rest by their places.
    [
      pots('a', 'b'),
      pots('x', 'a'),
      [
        ['pots[0].contribution', 0, 1],
        ['pots[1].id', 'b', 'x'],
        ['pots[1].contribution', 1, 0],
      ],
    ],
    [
      pots('a'),
      pots('x', 'y'),
      [
        ['pots[0].id', 'a', 'x'],
        ['pots[1].id', undefined, 'y'],
        ['pots[1].contribution', undefined, 1],
      ],
    ],
    [
      pots('a', 'b'),
      pots('b'),
      [
        ['pots[0].id', 'a', undefined],
        ['pots[0].contribution', 0, undefined],
        ['pots[1].contribution', 1, 0],
      ],
    ],
  ])('of %j and %j', (one, other, expected) => {
    expect(comparedMembers(one, other).map((each) => [each.path, each.one, each.other])).toEqual(expected);
  });

  it('has the labels of the form', () => {
    const titles = [
      'pots[0].contribution.Percentage',
      'pots[1].pot_types[0].Threshold.min_value',
      'currency',
      'other',
    ];
    expect(titles.map((path) => titleOf(path, sectionsOf(whole)))).toEqual([
      'Pot p0: Its part of a contribution, Percentage',
      'Pot p1: Drops from',
      'General: Currency of all pots',
      null,
    ]);
  });
});

describe('an id', () => {
  it.each([
    ['Quiet night', 'quiet-night'],
    ['  Éclair & Große_1! ', 'eclair-gro-e_1'],
    ['★', ''],
    [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
  ])('of %j is %j', (name, id) => {
    expect(idOf(name)).toBe(id);
  });
});

describe('a member of a configuration', () => {
  it('is changed where it is, and nothing else is', () => {
    const document = { a: [{ b: 1 }, { b: 2 }], c: { d: { e: 3 } } };
    expect(withValue(document, 'a[1].b', 5)).toEqual({ a: [{ b: 1 }, { b: 5 }], c: { d: { e: 3 } } });
    expect(withValue(document, 'a[0]', undefined)).toEqual({ a: [{ b: 2 }], c: { d: { e: 3 } } });
    expect(withValue(document, 'c.d.e', undefined)).toEqual({ a: document.a, c: { d: {} } });
    expect(withValue(document, 'f.g', 1)).toEqual({ ...document, f: { g: 1 } });
    expect(Object.keys(withValue(document, 'a', []))).toEqual(['a', 'c']);
    expect(valueAt(document, 'a[1].b')).toBe(2);
    expect(valueAt(document, 'a[7].b.c')).toBeUndefined();
  });
});

describe('a fraction', () => {
  const withRate = (rules: Configuration): Configuration => ({
    ...whole,
    contribution_rules: { contribution_type: { Percentage: '2' }, ...rules },
  });
  it.each([
    ['contribution_rules.contribution_type', { Percentage: '0.0125' }, '= 1.25 % of the wager'],
    ['contribution_rules.contribution_type', { Fixed: '0.0125' }, undefined],
    ['contribution_rules.operator_contribution_percentage', undefined, '= 100 % of the contribution'],
    ['pots[0].contribution', { Percentage: 1.5 }, '= 150 % of the contribution'],
    ['pots[0].contribution', { Percentage: 'x' }, undefined],
    [
      'pots[1].seed_contribution',
      { Percentage: '0.070000000000000001' },
      '= 7.0000000000000001 % of the pot’s part',
    ],
    ['pots[0].payout_ruleset.main_winner_percentage', undefined, '= 100 % of the pot’s value'],
    ['pots[0].payout_ruleset.admin_fee', '0.', '= 0 % of the pot’s value'],
    [
      'house_pot.diversion_rules',
      { diversion_percentage: '0.5', flush_threshold: '7' },
      '= 50 % of the house’s part',
    ],
    [
      'raffle_rules.prize_distribution',
      [{ prize_percentage: 0.6 }, { prize_percentage: '0.4' }],
      '= 60 %, 40 % of the pot’s value',
    ],
    ['pots[0].maximum_pot_value', '0.5', undefined],
  ])('of %s that is %j comes to %s', (path, value, text) => {
    expect(meaningOf(withValue(whole, path, value), path)?.text).toBe(text);
  });

  it('is nobody’s by default where players opt in', () => {
    const path = 'contribution_rules.operator_contribution_percentage';
    expect(meaningOf(withRate({ opt_in_required: true }), path)?.text).toBe('= 0 % of the contribution');
  });

  it.each([
    [{}, 'the operator pays 200 %, and the player 0 % on top'],
    [{ operator_contribution_percentage: '0.25' }, 'the operator pays 50 %, and the player 150 % on top'],
    [{ max_contribution: { cap_contribution_by_base_wager: '1.5' } }, 'the operator pays 150 %'],
    [{ max_contribution: { cap_contribution_by_base_wager: '1' } }, undefined],
    [{ contribution_type: { Percentage: '1' } }, undefined],
    [{ contribution_type: { Fixed: '5' } }, undefined],
  ])('of the wager with %j is warned of where it is more than all: %s', (rules, warning) => {
    const found = meaningOf(withRate(rules), 'contribution_rules.contribution_type')?.warning;
    if (warning === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(warning);
  });
});

describe('what a simulation found', () => {
  const report = {
    currency: 'EUR',
    contributions: 100_000,
    wagered: '80000',
    contributed: '1600',
    paid_to_players: '1234.5',
    return_of_wagers: '0.015431',
    operator: { cost: '1700.00' },
    pots: [{ wins: 4 }, { wins: 6 }],
  };
  it.each([
    [
      report,
      'Costs you 2.125 % of what is wagered; players get 1.543 % of it back; a win about every 10,000 contributions, of 123.45 EUR on average.',
    ],
    [
      { ...report, operator: { cost: '-80' }, pots: [{ wins: 0 }] },
      'Brings you 0.1 % of what is wagered; players get 1.543 % of it back; nobody won.',
    ],
    [{ ...report, contributions: 0, return_of_wagers: null }, 'Nothing was wagered.'],
  ])('is a sentence', (found, text) => {
    expect(findingOf(found, 'en')).toBe(text);
  });

  it('has a warning where contributions are more than wagers', () => {
    expect(excessOf(report, 'en')).toBeNull();
    expect(excessOf({ ...report, contributed: '160000' }, 'en')).toContain('200 % of the wagers');
  });
});
