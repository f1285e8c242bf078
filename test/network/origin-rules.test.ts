import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AllowedOrigins, ofOperator } from '../../src/network/allowed-origins.ts';
import { canonicalPattern, fitTogether, type OriginRule } from '../../src/network/origin-rules.ts';

const exact = (pattern: string): OriginRule => ({ pattern, match_mode: 'exact' });
const subdomain = (pattern: string): OriginRule => ({ pattern, match_mode: 'subdomain' });
const regex = (pattern: string): OriginRule => ({ pattern, match_mode: 'regex' });
const originsOf = (system: readonly OriginRule[]) => {
  const rules = { revision: 1, system, operators: new Map() };
  return new AllowedOrigins(
    () => rules,
    () => 0,
  );
};
const allows = (origin: string, ...rules: OriginRule[]) => originsOf(rules).allows(origin, null);

describe('an exact rule', () => {
  test.each([
    ['https://shop.example', true],
    ['http://shop.example', false],
    ['https://shop.example:8443', false],
    ['https://www.shop.example', false],
    ['https://shop.example.evil.example', false],
    ['https://shop.example/', false],
    ['null', false],
    ['', false],
  ])('allows %j: %s', (origin, allowed) => {
    expect(allows(origin, exact('https://shop.example'))).toBe(allowed);
  });

  test.each([
    ['https://Shop.Example:443', 'https://shop.example'],
    ['http://127.0.0.1:5173', 'http://127.0.0.1:5173'],
    ['http://[::1]:80', 'http://[::1]'],
    ['http://localhost', 'http://localhost'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('of %s is stored as %s', (pattern, canonical) => {
    expect(canonicalPattern(pattern, 'exact')).toBe(canonical);
    expect(allows(canonical, exact(canonical))).toBe(true);
  });

  test.each([
    '',
    'null',
    '*',
    'shop.example',
    'https://',
    'https://shop.example/',
    'https://shop.example/path',
    'https://shop.example?x',
    'https://shop.example#x',
    'https://user@shop.example',
    'https://*.shop.example',
    'https://shop.example:99999',
    'https:\\\\shop.example',
    ' https://shop.example',
    'ftp://shop.example',
    'file:///etc',
    `https://${'a.'.repeat(200)}example`,
  ])('cannot be %j', (pattern) => {
    expect(canonicalPattern(pattern, 'exact')).toBeNull();
  });
});

describe('a subdomain rule', () => {
  test.each([
    ['https://shop.example', true],
    ['https://a.shop.example', true],
    ['https://a.b.shop.example', true],
    ['https://evilshop.example', false],
    ['https://shop.example.evil.example', false],
    ['https://example', false],
    ['http://a.shop.example', false],
    ['https://a.shop.example:8443', false],
    ['https://.shop.example', false],
  ])('of https://shop.example allows %s: %s', (origin, allowed) => {
    expect(allows(origin, subdomain('https://shop.example'))).toBe(allowed);
  });

  test('written with a star leaves the name itself out', () => {
    const rule = subdomain('https://*.shop.example:8443');
    expect(allows('https://a.shop.example:8443', rule)).toBe(true);
    expect(allows('https://shop.example:8443', rule)).toBe(false);
    expect(allows('https://a.shop.example', rule)).toBe(false);
  });

  test.each([
    ['https://*.Shop.Example:443', 'https://*.shop.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://com', null],
    ['https://com.', null],
    ['https://*.com', null],
    ['https://10.0.0.1', null],
    ['https://[::1]', null],
    ['https://a.*.example', null],
    ['https://*', null],
    ['*.shop.example', null],
    ['', null],
  ])('of %j is stored as %j', (pattern, canonical) => {
    expect(canonicalPattern(pattern, 'subdomain')).toBe(canonical);
  });

  test('never allows a host that is not the name or below it', () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
    const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
    fc.assert(
      fc.property(host, fc.constantFrom('', 'x', '.', 'x.', '-'), (base, before) => {
        fc.pre(canonicalPattern(`https://${base}.example`, 'subdomain') !== null);
        const origin = `https://${before}${base}.example`;
        const below = before === '' || before === 'x.';
        expect(allows(origin, subdomain(`https://${base}.example`))).toBe(below);
      }),
    );
  });
});

describe('a regular expression', () => {
  test.each([
    ['https://[a-z]+\\.shop\\.example', 'https://a.shop.example', true],
    ['https://[a-z]+\\.shop\\.example', 'https://a.shop.example.evil.example', false],
    ['https://[a-z]+\\.shop\\.example', 'xhttps://a.shop.example', false],
    ['https://a\\.example|https://b\\.example', 'https://b.example', true],
    ['https://a\\.example|https://b\\.example', 'https://b.example.evil', false],
    ['shop', 'https://shop.example', false],
    ['.*', 'https://shop.example', true],
    ['.*', 'capacitor://localhost', true],
    ['.*', 'null', false],
    ['.*', 'https://shop.example/path', false],
    ['.*', 'https://shop.example\r\nSet-Cookie: a', false],
    ['(?i)HTTPS://SHOP\\.EXAMPLE', 'https://shop.example', true],
    ['https://([a-z]+\\.)+shop\\.example', 'https://a.b.shop.example', true],
    ['https://([a-z]+\\.)+shop\\.example', 'https://a..shop.example', false],
  ])('%s matches the whole of %s: %s', (pattern, origin, allowed) => {
    expect(canonicalPattern(pattern, 'regex')).toBe(pattern);
    expect(allows(origin, regex(pattern))).toBe(allowed);
  });

  test('on which a backtracking engine would not come back is allowed, and takes no longer', () => {
    const rules = ['(a+)+$', 'https://(a+)+$', '(a|a)*b', '(.*)*x', '(x+x+)+y'].map(regex);
    for (const { pattern } of rules) expect(canonicalPattern(pattern, 'regex')).toBe(pattern);
    const origins = originsOf(rules);
    for (let length = 200; length < 290; length += 1)
      expect(origins.allows(`https://${'a'.repeat(length)}.z`, null)).toBe(false);
    expect(origins.allows(`https://${'a'.repeat(280)}`, null)).toBe(true);
  });

  test.each([
    '',
    '(',
    '[a',
    '(a)\\1',
    '(?=a)',
    'a{2000}',
    '((a{100}){100}){100}',
    '(.{1,999})'.repeat(25),
    '((x{9}){9}){9}'.repeat(10),
    'a'.repeat(257),
  ])('cannot be %j', (pattern) => {
    expect(canonicalPattern(pattern, 'regex')).toBeNull();
  });

  test('is one of many whose sizes have a bound together', () => {
    const usual = Array.from({ length: 200 }, (_, index) =>
      regex(`https://[a-z0-9-]+\\.site${index}\\.example(:\\d+)?`),
    );
    expect(fitTogether(usual, 'system')).toBe(true);
    const large = Array.from({ length: 200 }, (_, index) => regex(`https://[a-z]{200}x${index}`));
    expect(fitTogether(large, 'system')).toBe(false);
    const origins = originsOf(usual);
    expect(origins.allows('https://a.site77.example:8443', null)).toBe(true);
    expect(origins.allows('https://a.site200.example', null)).toBe(false);
  });

  test('that cannot be read allows nothing, and the others still count', () => {
    const rules = [regex('('), regex('https://b\\.example'), exact('https://a.example')];
    expect(allows('https://a.example', ...rules)).toBe(true);
    expect(allows('https://b.example', ...rules)).toBe(true);
    expect(allows('https://c.example', ...rules)).toBe(false);
  });
});

test('rules count from the next question on, and stop to', () => {
  let rules = { revision: 1, system: [] as OriginRule[], operators: new Map<string, OriginRule[]>() };
  const origins = new AllowedOrigins(
    () => rules,
    () => 0,
  );
  const set = (system: OriginRule[], acme: OriginRule[] = []) => {
    rules = { revision: rules.revision + 1, system, operators: new Map([['acme', acme]]) };
  };
  expect(origins.allows('https://a.example', null)).toBe(false);
  set([exact('https://a.example')]);
  expect(origins.allows('https://a.example', null)).toBe(true);
  set([exact('https://b.example')], [regex('https://a\\.example')]);
  expect(origins.allows('https://a.example', [])).toBe(false);
  expect(origins.allows('https://a.example', ['acme'])).toBe(true);
  expect(origins.allows('https://a.example', null)).toBe(true);
  expect(origins.allows('https://b.example', [])).toBe(true);
  set([]);
  expect(origins.allows('https://a.example', ['acme'])).toBe(false);
  expect(origins.allows('https://a.example', null)).toBe(false);
});

describe('rules of operators', () => {
  const acme = [
    exact('https://acme.example'),
    subdomain('https://*.acme.example'),
    regex('https://acme-[a-z0-9]+\\.example'),
  ];
  const rival = [regex('https://rival-[a-z0-9]+\\.example')];
  const operators = new Map([
    ['acme', acme],
    ['rival', rival],
  ]);
  const rules = { revision: 1, system: [exact('https://all.example')], operators };
  let nowMs = 0;
  const open = () =>
    new AllowedOrigins(
      () => rules,
      () => nowMs,
    );

  test.each([
    ['https://acme.example', ['acme'], true],
    ['https://a.acme.example', ['acme'], true],
    ['https://acme-1.example', ['acme'], true],
    ['https://acme.example', ['rival'], false],
    ['https://acme-1.example', ['rival'], false],
    ['https://acme-1.example', ['rival', 'acme'], true],
    ['https://acme.example', [], false],
    ['https://acme.example', ['nobody'], false],
    ['https://acme.example', null, true],
    ['https://rival-1.example', null, true],
    ['https://none.example', null, false],
    ['https://all.example', [], true],
    ['https://all.example', ['rival'], true],
    ['null', null, false],
  ])('%s asks of %j: %s', (origin, named, allowed) => {
    const origins = open();
    for (let times = 0; times < 2; times += 1) expect(origins.allows(origin, named)).toBe(allowed);
  });

  test('a flood of origins costs an operator so many matches a second, and leaves what is known', () => {
    nowMs = 5_000;
    const origins = open();
    expect(origins.allows('https://acme-known.example', ['acme'])).toBe(true);
    for (let index = 0; index < 3 * ofOperator.newPerSecond; index += 1)
      expect(origins.allows(`https://x${index}.example`, null)).toBe(false);
    expect(origins.allows('https://acme-new.example', ['acme'])).toBe(false);
    expect(origins.allows('https://acme-new.example', null)).toBe(false);
    for (const named of [['acme'], null]) {
      expect(origins.allows('https://acme-known.example', named)).toBe(true);
      expect(origins.allows('https://acme.example', named)).toBe(true);
    }
    nowMs = 6_000;
    expect(origins.allows('https://acme-new.example', null)).toBe(true);
    expect(origins.allows('https://acme-other.example', ['acme'])).toBe(true);
  });

  test('have a size of their own together', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => regex(`https://[a-z]+\\.s${index}\\.example`));
    expect(fitTogether(many(15), 'operator')).toBe(true);
    expect(fitTogether(many(40), 'operator')).toBe(false);
    expect(fitTogether(many(40), 'system')).toBe(true);
  });
});

test('any number of origins may ask', () => {
  const origins = originsOf([regex('https://[a-z0-9]+\\.example')]);
  for (let index = 0; index < 5_000; index += 1)
    expect(origins.allows(`https://a${index}.example`, null)).toBe(true);
  expect(origins.allows('https://a1.example', null)).toBe(true);
});
