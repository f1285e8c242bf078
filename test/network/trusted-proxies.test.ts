import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countedAddress, readNetwork, TrustedProxies } from '../../src/network/trusted-proxies.ts';

const peer = '10.0.0.1';
const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);

describe('the client behind a trusted proxy is', () => {
  it.each([
    ['the only entry', '203.0.113.5', '203.0.113.5'],
    ['the right-most that is not trusted', '1.1.1.1, 203.0.113.5, 10.2.3.4', '203.0.113.5'],
    ['that also without spaces', '1.1.1.1,203.0.113.5,192.0.2.7', '203.0.113.5'],
    ['without its port', '203.0.113.5:4711', '203.0.113.5'],
    ['without brackets and port', '[2001:db8:1:2:3::4]:443', '2001:db8:1:2::'],
    ['without brackets', '[2001:db8:1:2:3::4]', '2001:db8:1:2::'],
    ['counted with its /64', '2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['an IPv4 address within IPv6', '::ffff:203.0.113.5', '203.0.113.5'],
    ['that in hexadecimal, too', '::ffff:cb00:7105', '203.0.113.5'],
    ['the oldest where all are trusted', '10.9.9.9, 10.2.3.4', '10.9.9.9'],
    ['behind a proxy on IPv6', '203.0.113.5, fd12::1', '203.0.113.5'],
    ['the peer without an entry', '', peer],
    ['the peer where the nearest is unknown', '1.1.1.1, unknown', peer],
    ['the peer where the nearest is empty', '1.1.1.1,', peer],
    ['the last good where one cannot be read', '1.1.1.1, garbage, 10.2.3.4', '10.2.3.4'],
    ['the last good before an empty one', '1.1.1.1,, 10.2.3.4', '10.2.3.4'],
    ['no address in octal', '1.1.1.1, 010.1.1.1', peer],
    ['no address in fewer parts', '1.1.1.1, 134744072', peer],
    ['no address with a zero too many', '1.1.1.1, 203.0.113.256', peer],
    ['no address with words', '1.1.1.1, for=203.0.113.5', peer],
    ['no IPv4 address in brackets', '1.1.1.1, [203.0.113.5]', peer],
    ['no interface', 'fe80::1%eth0', peer],
    ['no half a bracket', '[2001:db8::1', peer],
    ['no port of six digits', '203.0.113.5:123456', peer],
  ])('%s: %s', (_what, forwarded, client) => {
    expect(proxies.clientBehind(peer, forwarded)).toBe(client);
    expect(proxies.clientBehind(peer, forwarded)).toBe(client);
  });

  it('the peer where there is no header', () => {
    expect(proxies.clientBehind('::ffff:10.0.0.1', undefined)).toBe(peer);
  });

  it('found through 16 proxies and not more', () => {
    const chain = (hops: number) =>
      ['203.0.113.5', ...Array.from({ length: hops }, (_, hop) => `10.0.0.${hop}`)].join(', ');
    expect(proxies.clientBehind(peer, chain(15))).toBe('203.0.113.5');
    expect(proxies.clientBehind(peer, chain(16))).toBe('10.0.0.0');
    expect(proxies.clientBehind(peer, chain(100_000 / 10))).toMatch(/^10\.0\.0\./);
  });

  it('the right one however many chains came before', () => {
    for (let chain = 0; chain < 25_000; chain += 1) {
      const client = `203.${chain >> 8}.${chain & 255}.9`;
      expect(proxies.clientBehind(peer, `${client}, 10.1.1.1`)).toBe(client);
    }
    expect(proxies.clientBehind(peer, '203.0.0.9, 10.1.1.1')).toBe('203.0.0.9');
  });
});

describe('a network', () => {
  it.each(['10.0.0.0/8', '10.0.0.1', '10.0.0.1/32', 'fd00::/8', '::1', '2001:db8::/32', '0.0.0.0/1'])(
    'is %s',
    (text) => expect(readNetwork(text)).not.toBe(null),
  );

  it.each([
    '',
    '/8',
    '10/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/8x',
    '::/129',
  ])('is not %s', (text) => expect(readNetwork(text)).toBe(null));

  it.each(['0.0.0.0/0', '::/0', '::ffff:0.0.0.0/96', 'proxy.example', '010.0.0.0/8', '10.0.0.256'])(
    'is not %s, either',
    (text) => expect(readNetwork(text)).toBe(null),
  );

  it('of IPv4 may be written as IPv6', () => {
    const written = new TrustedProxies(['::ffff:10.0.0.0/104']);
    expect([
      written.trusts('10.1.2.3'),
      written.trusts('::ffff:10.1.2.3'),
      written.trusts('11.0.0.1'),
    ]).toEqual([true, true, false]);
  });

  it('is looked for in peers of either kind, and in none where the list is empty', () => {
    expect(
      ['10.0.0.1', '::ffff:10.0.0.1', 'fd00::1', 'fd00::1%eth0'].every((each) => proxies.trusts(each)),
    ).toBe(true);
    expect(['11.0.0.1', '2001:db8::1', '', '192.0.2.8'].some((each) => proxies.trusts(each))).toBe(false);
    expect(new TrustedProxies([]).trusts('127.0.0.1')).toBe(false);
  });
});

it('an address that is counted is counted as itself again', () => {
  for (const address of ['1.2.3.4', '::ffff:1.2.3.4', '::1', '2001:db8:1:2:3:4:5:6', 'fe80::1%eth0', ''])
    expect(countedAddress(countedAddress(address))).toBe(countedAddress(address));
});

// The algorithm once more, in the slowest and plainest way: bits as text, the chain from left to right.
describe('random chains', () => {
  const networks = ['10.0.0.0/8', '172.16.0.0/12', '192.0.2.128/25', 'fd00::/8', '2001:db8:ffff::/48'];
  const bitsOf = (address: string): string => {
    if (!address.includes(':'))
      return address
        .split('.')
        .map((part) => Number(part).toString(2).padStart(8, '0'))
        .join('');
    const [left = '', right] = address.split('::');
    const groups = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(':'));
    const middle = right === undefined ? 0 : 8 - groups(left).length - groups(right).length;
    return [...groups(left), ...Array(middle).fill('0'), ...groups(right)]
      .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
      .join('');
  };
  const trusted = (address: string): boolean =>
    networks.some((network) => {
      const [base, length] = network.split('/') as [string, string];
      const [bits, wanted] = [bitsOf(address), bitsOf(base)];
      return bits.length === wanted.length && bits.startsWith(wanted.slice(0, Number(length)));
    });
  const counted = (address: string): string =>
    address.includes(':') ? bitsOf(address).slice(0, 64) : address;
  const bare = (entry: string): string | null => {
    const text = entry.trim();
    const without = text.startsWith('[')
      ? text.slice(1, text.indexOf(']'))
      : text.split(':').length === 2
        ? (text.split(':')[0] as string)
        : text;
    return isIP(without) === 0 ? null : without;
  };
  const model = (from: string, chain: readonly string[]): string => {
    const readable = chain.map(bare);
    const broken = readable.lastIndexOf(null);
    const good = [...readable.slice(broken + 1).slice(-16)] as string[];
    const strangers = good.filter((address) => !trusted(address));
    return counted(strangers.at(-1) ?? good[0] ?? from);
  };

  const part = fc.integer({ min: 0, max: 255 });
  const group = fc.integer({ min: 0, max: 65_535 }).map((value) => value.toString(16));
  const ipv4 = fc.oneof(
    fc.tuple(part, part, part, part).map((parts) => parts.join('.')),
    fc.tuple(part, part, part).map((parts) => `10.${parts.join('.')}`),
    part.map((last) => `192.0.2.${last}`),
    fc.tuple(part, part).map(([second, last]) => `172.${second}.0.${last}`),
  );
  const ipv6 = fc.oneof(
    fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => `2${groups.join(':').slice(1)}`),
    fc.array(group, { minLength: 1, maxLength: 4 }).map((groups) => `2001:db8::${groups.join(':')}`),
    fc.array(group, { minLength: 1, maxLength: 4 }).map((groups) => `2001:db8:ffff::${groups.join(':')}`),
    fc.array(group, { minLength: 1, maxLength: 4 }).map((groups) => `fd00::${groups.join(':')}`),
  );
  const entry = fc.oneof(
    { weight: 6, arbitrary: ipv4 },
    { weight: 1, arbitrary: ipv4.map((address) => `${address}:65000`) },
    { weight: 4, arbitrary: ipv6.filter((address) => isIP(address) === 6) },
    {
      weight: 1,
      arbitrary: ipv6.filter((address) => isIP(address) === 6).map((address) => `[${address}]:1`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('unknown', '', '_hidden', '1.2.3', 'localhost', '::g', '1.2.3.4.5'),
    },
  );

  it('lead to the client of a naive model', () => {
    const tested = new TrustedProxies(networks);
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 24 }), fc.constantFrom(',', ', ', ' ,\t'), (chain, comma) => {
        const client = tested.clientBehind('10.0.0.1', chain.join(comma));
        expect(counted(client)).toBe(model('10.0.0.1', chain));
      }),
      { numRuns: 2_000 },
    );
  });

  it('of strange text lead to an address or to the peer, and what a client wrote before a good entry changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const client = proxies.clientBehind(peer, text);
        expect(isIP(client)).toBeGreaterThan(0);
        expect(proxies.clientBehind(peer, `${text}, 203.0.113.5`)).toBe('203.0.113.5');
        expect(proxies.clientBehind(peer, `${text}, 203.0.113.5, 10.4.4.4`)).toBe('203.0.113.5');
      }),
      { numRuns: 2_000 },
    );
  });
});
