import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxNesting, scanBody } from '../../../src/gateway/base/scan-body.ts';

const fault = (text: string) => scanBody(text).fault;

describe('the scan of a body', () => {
  test('finds nothing wrong with what JSON.stringify writes of plain values', () => {
    const plain = fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      fc.double({ min: 0, max: 0 }),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        plain,
        fc.array(tie('tree'), { maxLength: 5 }),
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          tie('tree'),
          { maxKeys: 40 },
        ),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.boolean(), (value, indented) => {
        const text = JSON.stringify(value, null, indented ? 2 : 0);
        expect(fault(text)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test('finds a key that occurs twice, however it is escaped and wherever it stands', () => {
    const escapeKey = (key: string) =>
      [...key].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 60 }),
        fc.nat(),
        fc.boolean(),
        fc.integer({ min: 0, max: 10 }),
        (keys, pick, escaped, depth) => {
          const again = keys[pick % keys.length] as string;
          const members = [
            ...keys.map((key) => `"${key}":1`),
            `"${escaped ? escapeKey(again) : again}" : {}`,
          ];
          const text = `${'{"in":'.repeat(depth)}{${members.join(',')}}${'}'.repeat(depth)}`;
          expect(fault(text)).toBe('duplicate_json_key');
        },
      ),
    );
  });

  test('does not take an escaped key for its look-alike', () => {
    expect(fault('{"a\\\\":1,"a":2,"\\u0061b":3}')).toBeNull();
    expect(fault('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}')).toBeNull();
  });

  test.each(['{"__proto__":1}', '{"a":{"__proto__":{}}}', '{"\\u005f_proto__":1}', '{"_\\u005fproto__" :1}'])(
    'refuses %s',
    (text) => {
      expect(fault(text)).toBe('invalid_request');
    },
  );

  test('lets __proto__ stand as a value', () => {
    expect(fault('{"a":"__proto__"}')).toBeNull();
  });

  test('allows the deepest nesting and nothing below it', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(fault(nested(maxNesting))).toBeNull();
    expect(fault(nested(maxNesting + 1))).toBe('payload_too_deep');
    expect(fault(`{"a":${'{"a":'.repeat(100_000)}`)).toBe('payload_too_deep');
  });

  test.each(['-0', '-0.0', '-0e5', '-0.000E-3'])('refuses %s', (token) => {
    expect(fault(`{"a":${token}}`)).toBe('invalid_request');
  });

  test.each([
    '0',
    '0.0',
    '-1',
    '123456789012345',
    '0.123456789012345',
    '1e15',
    '100000000000000000000',
    '1.50',
    '0.30000000000000004',
    '9007199254740993',
    '-1.000000000000001',
    '1e-400',
    '1'.repeat(308),
  ])('takes %s', (token) => {
    expect(fault(`[1,${token},2]`)).toBeNull();
  });

  test.each(['1e400', '-1e400', '1'.repeat(310)])('calls %s out of range', (token) => {
    expect(fault(`[${token}]`)).toBe('amount_out_of_range');
  });

  test.each(['-0', '1e400', '-1e400', '9'.repeat(400)])('lets %s stand in metadata alone', (token) => {
    expect(fault(`{"metadata":[{"a":${token}}],"event_metadata" : ${token}}`)).toBeNull();
    expect(fault(`{"meta\\u0064ata":${token}}`)).toBeNull();
    expect(fault(`{"a":{"metadata":${token}}}`)).not.toBeNull();
    expect(fault(`{"metadata":{},"a":${token}}`)).not.toBeNull();
    expect(fault(`[{"metadata":${token}}]`)).not.toBeNull();
  });

  test('never throws and always ends, whatever the text', () => {
    const alphabet = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      '-',
      '0',
      '9',
      '.',
      'e',
      'a',
      ' ',
      'é',
    );
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 200 }), (characters) => {
        expect(Array.isArray(scanBody(characters.join('')).opaque)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
