import { describe, expect, it } from 'vitest';
import { isCallableAddress, isLoopbackName } from '../../src/network/network-address.ts';

describe('addresses in numbers', () => {
  it.each(['93.184.215.14', '1.1.1.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:93.184.215.14'])(
    '%s may be called',
    (address) => {
      for (const development of [false, true]) expect(isCallableAddress(address, development)).toBe(true);
    },
  );

  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    '%s in development only',
    (address) => {
      expect(isCallableAddress(address, true)).toBe(true);
      expect(isCallableAddress(address, false)).toBe(false);
    },
  );

  it.each([
    // Unspecified, private, CGNAT, link-local, protocol assignments, documentation, benchmarks, multicast, reserved.
    ...['0.0.0.0', '0.1.2.3', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1'],
    ...['169.254.0.1', '192.0.0.8', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.88.99.1'],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
    // What clouds tell their machines.
    ...[
      '169.254.169.254',
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
      'fd00:ec2::254',
      'fd20:ce::254',
    ],
    ...['::', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', '100::1'],
    ...['2001:db8::1', '3fff::1', '5f00::1', '2001::1', '2001:2::1', '2001:20::1', '4000::1'],
    // IPv4 within IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo.
    ...['::ffff:10.0.0.1', '::ffff:a00:1', '::10.0.0.1', '::127.0.0.1', '::93.184.215.14'],
    ...['::ffff:0:10.0.0.1', '64:ff9b::a00:1', '64:ff9b::5db8:d70e', '64:ff9b:1::a00:1', '2002:a00:1::'],
    ...['2002:7f00:1::1', '2001:0:4136:e378:8000:63bf:f5ff:fffe'],
    ...['name', '', '300.1.1.1'],
  ])('%j never', (address) => {
    for (const development of [false, true]) expect(isCallableAddress(address, development)).toBe(false);
  });
});

it('names of loopback are localhost and what is below it', () => {
  expect(['localhost', 'a.localhost'].every(isLoopbackName)).toBe(true);
  expect(['localhost.example.com', 'notlocalhost', 'localhost.'].some(isLoopbackName)).toBe(false);
});
