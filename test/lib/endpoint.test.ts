import { describe, expect, it } from 'vitest';
import { isCallableAddress, parseEndpoint, parseOrigin } from '../../src/lib/endpoint.ts';

describe('addresses that we may call', () => {
  it.each([
    ['https://wallet.example.com', 'https://wallet.example.com'],
    ['https://Wallet.Example.com:443/', 'https://wallet.example.com'],
    ['https://wallet.example.com:8443/v1/', 'https://wallet.example.com:8443/v1'],
    ['https://wallet.example.com/v1?key=a', 'https://wallet.example.com/v1?key=a'],
    ['https://93.184.215.14/x', 'https://93.184.215.14/x'],
  ])('%s is %s, everywhere', (text, address) => {
    for (const development of [false, true]) expect(parseEndpoint(text, development)?.address).toBe(address);
  });

  it.each([
    'http://127.0.0.1:9000/w',
    'http://localhost:9000',
    'http://[::1]:9000',
    'http://2130706433:9000',
    'https://localhost',
    'http://[::ffff:127.0.0.1]',
    'http://a.localhost',
  ])('%s in development only', (text) => {
    expect(parseEndpoint(text, true)).not.toBeNull();
    expect(parseEndpoint(text, false)).toBeNull();
  });

  it.each([
    'http://wallet.example.com',
    'ftp://wallet.example.com',
    'https://user:secret@wallet.example.com',
    'https://user@wallet.example.com',
    'https://wallet.example.com/#part',
    'https://10.0.0.1',
    'https://192.168.1.1',
    'https://169.254.169.254/latest',
    'https://0x0a000001/',
    'https://[fd00::1]',
    'https://[::ffff:10.0.0.1]',
    'https://0.0.0.0',
    'http://0.0.0.0',
    'http://10.0.0.1',
    'https://exa mple.com',
    'https:\\\\wallet.example.com',
    'wallet.example.com',
    'https://',
    'https://*.example.com',
    'https://a,b.example.com',
    '',
    ' https://wallet.example.com',
    `https://wallet.example.com/${'a'.repeat(2_100)}`,
  ])('%s never', (text) => {
    for (const development of [false, true]) expect(parseEndpoint(text, development)).toBeNull();
  });
});

describe('origins', () => {
  it.each([
    ['https://Hooks.example.com', 'https://hooks.example.com'],
    ['https://hooks.example.com:443/', 'https://hooks.example.com'],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
  ])('%s is %s', (text, origin) => expect(parseOrigin(text, true)).toBe(origin));

  it.each(['https://hooks.example.com/path', 'https://hooks.example.com/?', 'https://hooks.example.com?a=1'])(
    '%s is none',
    (text) => expect(parseOrigin(text, true)).toBeNull(),
  );
});

describe('addresses that names resolve to', () => {
  it.each(['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])('%s is public', (address) => {
    expect(isCallableAddress(address, false)).toBe(true);
  });
  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('%s in development only', (address) => {
    expect(isCallableAddress(address, true)).toBe(true);
    expect(isCallableAddress(address, false)).toBe(false);
  });
  it.each([
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '224.0.0.1',
    '::',
    'fe80::1',
    '64:ff9b::a00:1',
    'name',
  ])('%s never', (address) => {
    for (const development of [false, true]) expect(isCallableAddress(address, development)).toBe(false);
  });
});
