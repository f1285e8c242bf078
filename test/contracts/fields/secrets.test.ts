import { expect, it } from 'vitest';
import * as z from 'zod';
import { secret, withoutSecrets } from '../../../src/contracts/fields/secrets.ts';

const word = secret(z.string());

it.each([
  [
    'a marked member',
    z.strictObject({ word, name: z.string() }),
    { word: 'hush', name: 'n' },
    { word: '***', name: 'n' },
  ],
  ['one that may be absent', z.strictObject({ word: word.nullish() }), { word: 'hush' }, { word: '***' }],
  ['one that is null', z.strictObject({ word: word.nullish() }), { word: null }, { word: null }],
  ['an item of an array', z.array(z.strictObject({ word })), [{ word: 'hush' }], [{ word: '***' }]],
  ['a member of a tuple', z.tuple([z.string(), word]), ['n', 'hush'], ['n', '***']],
  [
    'a value of a record',
    z.record(z.string(), z.object({ word })),
    { a: { word: 'hush' } },
    { a: { word: '***' } },
  ],
  [
    'one alternative of a union',
    z.union([z.object({ word }), z.object({ name: z.string() })]),
    { word: 'hush' },
    { word: '***' },
  ],
  ['what a pipe reads', z.object({ word }).transform((value) => value), { word: 'hush' }, { word: '***' }],
  [
    'one half of an intersection',
    z.intersection(z.object({ word }), z.object({ n: z.int() })),
    { word: 'hush', n: 1 },
    { word: '***', n: 1 },
  ],
  ['a whole body', secret(z.unknown()), { anything: 'hush' }, '***'],
  [
    'a member of a later version',
    z.object({ name: z.string() }),
    { name: 'n', salt: 'hush' },
    { name: 'n', salt: '***' },
  ],
])('hides %s', (_what, shape, value, shown) => {
  expect(withoutSecrets(shape, value)).toEqual(shown);
});

it.each([
  [
    'a currency of any name',
    z.object({ multipliers: z.record(z.string(), z.string()) }),
    { multipliers: { SALT: '2', TOKEN: '3' } },
  ],
  ['metadata', z.object({ metadata: z.unknown() }), { metadata: { session_token: 'x', password: 1 } }],
  ['what nothing says the shape of', undefined, { token: 1 }],
])('shows %s', (_what, shape, value) => {
  expect(withoutSecrets(shape, value)).toEqual(value);
});

it('leaves the shape that a secret one is made of', () => {
  const name = z.string();
  const shape = z.strictObject({ name, word: secret(name) });
  expect(withoutSecrets(shape, { name: 'n', word: 'hush' })).toEqual({ name: 'n', word: '***' });
});
