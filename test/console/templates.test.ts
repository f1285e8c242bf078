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
import { faultsOf, placedFaults } from '../../console/src/screens/templates/faults.ts';
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
  const sections = sectionsOf(document);
  const places = sections.flatMap(({ path, members }) => [path, ...members.map((each) => each.path)]);
  return placedFaults(faultsOf(refusalOf(document)), new Set(places));
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
      const leaves = comparedMembers(shown, {}).map(({ path }) => indexed(shown, path));
      // One without a way to win it has the button that adds the first.
      const isShown = (leaf: string) =>
        leaf.endsWith('.pot_types') || places.some((place) => leaf.startsWith(place));
      expect(leaves.filter((leaf) => !isShown(leaf))).toEqual([]);
    },
  );

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

  it('knows the one member that a code is about, and no fault of another refusal', () => {
    const at = (status: number, code: string) => faultsOf(new ApiError(status, code, 'No.', null))[0]?.path;
    expect(at(422, 'currency_unknown')).toBe('currency');
    expect(at(422, 'endpoint_not_allowed')).toBe('house_pot.diversion_rules.target.External.endpoint');
    expect(at(422, 'reason_required')).toBeNull();
    expect(at(403, 'forbidden')).toBeUndefined();
    expect(faultsOf(new Error('pots'))).toEqual([]);
  });
});

/** `pots[mini].id` is `pots[0].id`. */
function indexed(document: Configuration, path: string): string {
  return path.replace(/^pots\[([^\]]+)\]/, (_, id) => {
    const pots = document.pots as readonly Configuration[];
    return `pots[${pots.findIndex((pot) => pot.id === id)}]`;
  });
}

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
