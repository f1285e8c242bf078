import { describe, expect, it } from 'vitest';
import { parseEndpoint, parseOrigin } from '../../src/network/endpoint.ts';

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
    'http://127.1:9000',
    'http://0x7f.0.0.1',
    'http://0177.0.0.1',
    'http://127.0.0.1.:9000',
    'http://１２７.0.0.1',
    'http://①②⑦.0.0.1',
    'http://127。0。0。1',
    'http://LOCALHOST',
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
    'https://167772161',
    'https://012.0.0.1',
    'https://10.1',
    'https://10.0.0.1.',
    'https://１０.0.0.1',
    'https://10。0。0。1',
    'https://[::10.0.0.1]',
    'https://[::127.0.0.1]',
    'https://[64:ff9b::10.0.0.1]',
    'https://[64:ff9b:1::10.0.0.1]',
    'https://[2002:a00:1::]',
    'https://[::ffff:0:10.0.0.1]',
    'https://100.100.100.200',
    'https://168.63.129.16',
    'https://localhost.',
    'https://a.localhost.',
    'https://wallet.example.com.',
    'https://intranet',
    'https://metadata.google.internal',
    'https://printer.local',
    'https://localhost.localdomain',
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
