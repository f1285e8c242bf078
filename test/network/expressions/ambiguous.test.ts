import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAmbiguous } from '../../../src/network/expressions/ambiguous.ts';

describe('a repetition is ambiguous', () => {
  test.each([
    '(a+)+$',
    '(a*)*',
    '(a+)*b',
    '(?:a+)+',
    '(?P<name>a+)+',
    '(a+){2,}',
    '(a+?)+?',
    '((a+)b?)+',
    '(a|a)*b',
    '(a|aa)+',
    '(a|ab|b)*',
    '(.*)*x',
    '(.*\\.)*x',
    '(x+x+)+y',
    '(\\w|\\d)+',
    '([a-z]|b)+',
    '([[:alpha:]]|a)*',
    '([a-z0-9]+-?)+\\.example',
    '(a{1,2})*',
    '((?i)a|A)+',
    '(?i:a|A)+',
    '(?i)(a|A)+',
    '(\\Qa\\E+)+',
    '(a\\Q\\E+)+',
    '(\\x61+)+',
    '(\\pL+)+',
    '(é+)+',
    '(\\s+)+$',
    'https://([a-z]+)*\\.shop\\.example',
    'https://a\\.example|(b+)+',
  ])('in %s', (text) => {
    expect(isAmbiguous(text)).toBe(true);
  });

  test.each([
    '',
    'a',
    'a+',
    '.*',
    '.*.*',
    '(.*)\\.(.*)',
    '(a?)*',
    '(a|b)*',
    '(ab|ac)*',
    '(a{3})*',
    '(a{0,3}y)*',
    '(a+b)+',
    '(a+|b)x*',
    '(?:(?:a))+',
    '(?i)https://shop\\.example',
    '[]a]+',
    '[^]a]+\\]',
    '[(+]+[)]',
    '\\(a+\\)+',
    '(?i:a)A+',
    '(a|(?-i)A)+',
    '\\Q(a+)+\\E',
    '(a+){3}',
    '(a{)+',
    'https://[a-z0-9-]+\\.shop\\.example(:\\d+)?',
    'https?://(www\\.)?shop\\.example',
    'https://([a-z0-9-]+\\.)*shop\\.example',
    'https://([a-z0-9]+(-[a-z0-9]+)*\\.)+shop\\.example',
    'https://(a|b|c)\\.example(:(80|443|8[0-9]{3}))?',
    '^https://.+\\.shop\\.(de|at|ch)$',
    'capacitor://localhost|ionic://localhost',
  ])('and not in %s', (text) => {
    expect(isAmbiguous(text)).toBe(false);
  });
});

const label = fc.stringMatching(/^[a-z0-9]{1,10}$/);
const ordinary = fc
  .tuple(
    fc.constantFrom('https://', 'https?://', '(https|capacitor)://', '(?i)https://'),
    fc.constantFrom(
      '',
      '[a-z0-9-]+\\.',
      '(www\\.)?',
      '([a-z0-9-]+\\.)*',
      '(?:[^.]+\\.){1,3}',
      '.+\\.',
      '(a|b|c)\\.',
    ),
    fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('\\.')),
    fc.constantFrom('', '(:\\d+)?', ':[0-9]{2,5}', '(:(3000|8080))?', '(?::\\d{1,5})?'),
  )
  .map((parts) => parts.join(''));

test('never in expressions that name sites as people do', () => {
  fc.assert(
    fc.property(fc.array(ordinary, { minLength: 1, maxLength: 4 }), (alternatives) => {
      for (const text of [alternatives[0]!, alternatives.join('|'), `^(?:${alternatives.join('|')})$`])
        expect([text, isAmbiguous(text)]).toEqual([text, false]);
    }),
  );
});

test('wherever an expression is repeated twice, or repeated beside itself', () => {
  const repeated = fc.constantFrom(
    (body: string) => `((?:${body})+)+`,
    (body: string) => `(?:(?:${body})*)*`,
    (body: string) => `(?:(?:${body}){2,})+`,
    (body: string) => `(${body}|${body})*`,
    (body: string) => `(?:(?:${body})+:?)+`,
  );
  fc.assert(
    fc.property(ordinary, ordinary, ordinary, repeated, (before, body, after, repeat) => {
      const text = `${before}${repeat(body)}${after}`;
      expect([text, isAmbiguous(text)]).toEqual([text, true]);
    }),
  );
});

test('the check itself is bounded, whatever the expression', () => {
  const large = Array.from({ length: 120 }, (_, index) => String.fromCharCode(33 + (index % 90)));
  expect(isAmbiguous(`(${large.map((each) => `\\x{${each.charCodeAt(0).toString(16)}}`).join('|')})+`)).toBe(
    true,
  );
  expect(isAmbiguous(`(${'a?b?'.repeat(60)}c)+`)).toBe(true);
  expect(isAmbiguous(`${'('.repeat(100)}a${')*'.repeat(100)}`)).toBe(true);
  expect(isAmbiguous(`${'(?:'.repeat(3)}a${'){100}'.repeat(3)}`)).toBe(true);
});
