import { expect, test } from 'vitest';
import { isLoopbackAddress, isLoopbackAuthority } from '../../src/lib/loopback.ts';

test.each([
  'localhost',
  'localhost:8080',
  'LOCALHOST:8080',
  'shop.localhost',
  '127.0.0.1',
  '127.0.0.1:8080',
  '127.8.9.10:1',
  '[::1]',
  '[::1]:8080',
])('a Host of %s is this machine', (host) => expect(isLoopbackAuthority(host)).toBe(true));

test.each([
  '',
  'evil.example',
  'evil.example:8080',
  'localhost.evil.example',
  'notlocalhost',
  '127.0.0.1.evil.example',
  'evil.example#127.0.0.1',
  'a@127.0.0.1',
  '127.0.0.1, evil.example',
  '10.0.0.1:8080',
  '0.0.0.0',
  '[::]',
  '::1',
  '[::ffff:10.0.0.1]',
])('a Host of "%s" is another one', (host) => expect(isLoopbackAuthority(host)).toBe(false));

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['potstream.example', false],
])('a listener at %s is on loopback: %s', (host, expected) => expect(isLoopbackAddress(host)).toBe(expected));
