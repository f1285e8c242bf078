import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonText, writeJson } from '../../src/lib/json.ts';

it('writes what JSON.stringify does, whatever the names', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // JSON has no −0, and names in the order of JSON.stringify.
      const plain = JSON.parse(JSON.stringify(value)) as unknown;
      expect(writeJson(plain)).toBe(JSON.stringify(plain));
    }),
    { numRuns: 300 },
  );
});

it('writes names right when there are more of them than it remembers, and long ones', () => {
  const names = [...Array.from({ length: 5_000 }, (_, n) => `name "${n}"`), 'x'.repeat(1_000), '__proto__'];
  for (const _ of [1, 2])
    for (const name of names) {
      const members = Object.fromEntries([[name, 1]]);
      expect(writeJson(members)).toBe(JSON.stringify(members));
    }
});

it('writes amounts as exact numbers and what is JSON already as it is', () => {
  const value = {
    a: 150_000_000n,
    b: new JsonText('{"c":1}'),
    d: undefined,
    e: [new JsonText('2'), undefined],
  };
  expect(writeJson(value)).toBe('{"a":1.5,"b":{"c":1},"e":[2,null]}');
});
