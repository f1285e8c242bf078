import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutAbsent } from '../../src/contracts/fields/configuration-fields.ts';
import { mergeConfiguration } from '../../src/directory/merge.ts';

const names = ['currency', 'contribution_rules', 'house_pot', 'list', 'seed_strategy', 'a'] as const;
const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.array(fc.integer()));
const { members } = fc.letrec<{ members: Record<string, unknown> }>((tie) => ({
  members: fc.dictionary(fc.constantFrom(...names), fc.oneof({ depthSize: 'small' }, leaf, tie('members')), {
    maxKeys: 4,
  }),
}));
const pots = fc.uniqueArray(
  fc.record({ id: fc.constantFrom('p', 'q', 'r', 's'), contribution: members, value: fc.integer() }),
  { selector: (pot) => pot.id, maxLength: 4 },
);
const configuration = fc.record({ rules: members, pots });

describe('overrides on a configuration', () => {
  it('merges objects by key, pots by id, and replaces other arrays', () => {
    const base = {
      rules: { opt_in: true, brands: ['a', 'b'], caps: { low: 1, high: 2 } },
      pots: [
        { id: 'p', share: '0.1', types: [1, 2] },
        { id: 'q', share: '0.2' },
      ],
    };
    const overrides = {
      rules: { brands: ['c'], caps: { high: 3 } },
      pots: [{ id: 'q', share: '0.3' }, { id: 'r' }, { id: 'p', types: [] }],
    };
    expect(mergeConfiguration(base, overrides)).toEqual({
      rules: { opt_in: true, brands: ['c'], caps: { low: 1, high: 3 } },
      pots: [{ id: 'p', share: '0.1', types: [] }, { id: 'q', share: '0.3' }, { id: 'r' }],
    });
  });

  it('replaces a kind by another and merges the same one', () => {
    const base = {
      contribution_type: { Fixed: '1' },
      target: { External: { endpoint: 'e', account_id: 'a' } },
    };
    const overrides = { contribution_type: { Percentage: '0.1' }, target: { External: { account_id: 'b' } } };
    expect(mergeConfiguration(base, overrides)).toEqual({
      contribution_type: { Percentage: '0.1' },
      target: { External: { endpoint: 'e', account_id: 'b' } },
    });
  });

  it('puts null in the place of a member that it removes, and removes nothing that is not named', () => {
    const base = {
      max: 3,
      house: { share: '1', rules: { a: 1 } },
      pots: [{ id: 'p', maximum: '5', share: '1' }],
    };
    const overrides = { max: null, house: { rules: null }, pots: [{ id: 'p', maximum: null }], none: null };
    expect(mergeConfiguration(base, overrides)).toEqual({
      max: null,
      house: { share: '1', rules: null },
      pots: [{ id: 'p', maximum: null, share: '1' }],
      none: null,
    });
  });

  it('changes nothing by nothing, or by itself, and leaves its arguments alone', () => {
    fc.assert(
      fc.property(configuration, (given) => {
        // A configuration in force has no nulls.
        const base = withoutAbsent(given);
        const before = structuredClone(base);
        expect(mergeConfiguration(base, {})).toEqual(base);
        expect(mergeConfiguration(base, { rules: undefined, pots: undefined })).toEqual(base);
        expect(mergeConfiguration(base, base)).toEqual(base);
        expect(base).toEqual(before);
      }),
    );
  });

  it('is idempotent, keeps every pot of both sides once, and takes every leaf of the overrides', () => {
    fc.assert(
      fc.property(configuration, configuration, (base, overrides) => {
        const merged = mergeConfiguration(base, overrides) as typeof base;
        expect(mergeConfiguration(merged, overrides)).toEqual(merged);
        const ids = (of: typeof base) => of.pots.map((pot) => pot.id);
        expect(ids(merged).slice(0, base.pots.length)).toEqual(ids(base));
        expect(new Set(ids(merged))).toEqual(new Set([...ids(base), ...ids(overrides)]));
        expect(ids(merged).length).toBe(new Set(ids(merged)).size);
        for (const pot of overrides.pots)
          expect(merged.pots.find((each) => each.id === pot.id)?.value).toBe(pot.value);
      }),
    );
  });

  it('takes a key __proto__ as data', () => {
    const overrides = JSON.parse('{"rules":{"__proto__":{"polluted":true}}}');
    const merged = mergeConfiguration({ rules: { a: 1 } }, overrides);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(merged.rules as object)).toEqual(['a', '__proto__']);
  });
});
