import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/gateway/api/operation/operation.ts';
import { operations } from '../../../src/gateway/api/operations/index.ts';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import { compileValidator, type InputPlace, validateInput } from '../../../src/gateway/base/validate.ts';

/** The routes that are called most check their inputs with a compiled validator instead of the schema: both must say the same. */

const hot = (operations as readonly Operation[]).filter(
  ({ limits }) => limits?.contribution === true || limits?.lookup === true,
);
const inputs = hot.flatMap(({ id, input }) =>
  (['params', 'query', 'body'] as const).flatMap((place) => {
    const schema = input[place];
    return schema === undefined ? [] : [[id, place, schema] as const];
  }),
);

const units = fc.constantFrom(
  'a',
  'Z',
  '0',
  '-',
  '_',
  ':',
  '.',
  ' ',
  '\n',
  '\u007f',
  '\u00e4',
  '\u200b',
  '\u{1f3b0}',
  '\ud800',
);
const longTexts = fc
  .tuple(units, fc.constantFrom(1, 2, 16, 17, 32, 33, 64, 65, 128, 129, 255, 256, 2048, 2049, 4096, 4097))
  .map(([unit, count]) => unit.repeat(count));
const texts = fc.oneof(
  fc.array(units, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
  longTexts,
  fc.constantFrom(
    '',
    'acme:main',
    'acme:main:x',
    ':',
    'one',
    'EUR',
    'DE',
    '1',
    '0.1',
    '-1',
    '1e3',
    ' 1',
    '0.123456789',
    '92233720368.5',
  ),
);
const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 0.1, 1e-9, 1e21, 92233720368, 2 ** 53),
);
const anything = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null), fc.jsonValue());

const ids = { source_id: 'slot-1', brand_id: 'acme:main' };
const callback = { win_result_only: false, web_hook: 'https://hooks.example/x' };
const contribution = {
  token: 'session',
  brand_id: 'acme:main',
  player_id: 'ada',
  player_country: 'DE-BY',
  gameround_id: null,
  base_wager: '1.5',
  currency: 'EUR',
  callback,
  idempotency_key: 'round-1',
  metadata: { any: [1] },
};
const lookup = { player_id: 'ada', country_code: 'DE', segments: 'gold,high', game_code: 'slot' };

/** An input that each shape accepts, with all of its members. */
const samples: Readonly<Record<string, unknown>> = {
  'O8 params': { instance_id: 'one' },
  'O8 body': { ...contribution, instance_id: 'one' },
  'O9 params': { source_id: 'slot-1' },
  'O9 body': { ...contribution, source_id: 'slot-1', segments: ['gold', 'high'] },
  'O16 body': {
    target: { id: 'slot-1', type: 'source' },
    source: { id: 'round-1', type: 'gameround' },
    operator_id: 'acme',
    player: { id: 'ada', token: 'session', country: 'DE', brand_id: 'main', segments: ['gold'] },
    base_wager: { currency: 'EUR', value: 1.5 },
    metadata: 'any',
    options: {
      vertical_id: 'casino',
      game_code: 'slot',
      allow_linked_contributions: true,
      callback,
      idempotency_key: 'round-1',
      bonus: { bonus_id: 'b', amount: '0.5', currency: 'EUR' },
    },
  },
  'O12 params': ids,
  'O12 query': lookup,
  'O13 params': ids,
  'O13 query': lookup,
  'O20 params': { instance_id: 'one' },
};

type Path = readonly (string | number)[];
type Change = { readonly path: Path; readonly to: unknown } | { readonly path: Path; readonly removed: true };

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))];
}

function changes(sample: unknown): fc.Arbitrary<readonly Change[]> {
  const paths = pathsOf(sample);
  const place = fc.constantFrom(...paths);
  const unknown = fc.constantFrom('extra', 'constructor', 'token', 'id', 'Token', '');
  return fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ path: place, to: anything }) },
      { weight: 2, arbitrary: fc.record({ path: place, removed: fc.constant(true as const) }) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(place, unknown, anything)
          .map(([path, name, to]) => ({ path: [...path, name], to })),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(place, fc.constantFrom(255, 256, 257))
          .map(([path, count]) => ({ path, to: Array(count).fill('x') })),
      },
    ),
    { maxLength: 2 },
  );
}

function changed(sample: unknown, all: readonly Change[]): unknown {
  const whole = { root: structuredClone(sample) };
  for (const change of all) {
    const path = ['root', ...change.path];
    let parent: unknown = whole;
    for (const name of path.slice(0, -1))
      parent = (parent as Record<string | number, unknown> | null)?.[name];
    if (typeof parent !== 'object' || parent === null) continue;
    const holder = parent as Record<string | number, unknown>;
    if ('to' in change) holder[path.at(-1)!] = change.to;
    else delete holder[path.at(-1)!];
  }
  // What a body or a target can hold: JSON.
  return whole.root === undefined ? undefined : JSON.parse(JSON.stringify(whole.root));
}

/** What came of it; of a refusal its code and message. */
function verdict(validate: (value: unknown) => unknown, value: unknown): unknown {
  try {
    return { accepted: validate(value) };
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    return { code: error.code, message: error.message };
  }
}

describe('the compiled validator and the schema', () => {
  test('are compared on all routes that are called most', () => {
    expect(hot.map(({ id }) => id).toSorted()).toEqual(['O12', 'O13', 'O16', 'O20', 'O8', 'O9']);
  });

  test.each(inputs)(
    '%s %s: accept the same, and refuse with the same code',
    (id, place: InputPlace, schema) => {
      const sample = samples[`${id} ${place}`];
      const compiled = compileValidator(schema, place);
      expect(compiled(sample)).toEqual(validateInput(schema, place, sample));
      fc.assert(
        fc.property(changes(sample), (all) => {
          const input = changed(sample, all);
          const told = verdict((asked) => validateInput(schema, place, asked), input);
          expect(verdict(compiled, input)).toEqual(told);
        }),
        { numRuns: 2_000 },
      );
    },
  );
});
