import { expect, it } from 'vitest';
import { nodeHashing } from '../../tools/verify/node-hashing.ts';
import { toHex, utf8 } from '../../verifier/src/bytes.ts';
import { hkdfSha256, type VerifierHashing } from '../../verifier/src/hashing.ts';
import { browserHashing } from '../../web/src/verify/hashing.ts';

const both: readonly (readonly [string, VerifierHashing])[] = [
  ['on the command line', nodeHashing],
  ['in a browser', browserHashing],
];

it.each(both)('the hash functions %s are those of the standards', (_, hashing) => {
  // FIPS 180-4, RFC 4231 test case 2, RFC 5869 test cases 1 (first 32 bytes) and 3, NIST SP 800-38A F.5.5's cipher.
  expect(toHex(hashing.sha256(utf8('abc')))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(toHex(hashing.hmacSha256(utf8('Jefe'), utf8('what do ya want for nothing?')))).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
  const keyMaterial = new Uint8Array(22).fill(0x0b);
  const salt = Uint8Array.from({ length: 13 }, (_value, index) => index);
  const info = Uint8Array.from({ length: 10 }, (_value, index) => 0xf0 + index);
  expect(toHex(hkdfSha256(hashing, keyMaterial, salt, info))).toBe(
    '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf',
  );
  expect(toHex(hkdfSha256(hashing, keyMaterial, new Uint8Array(0), new Uint8Array(0)))).toBe(
    '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d',
  );
});

it('both give the same key stream, read in pieces', () => {
  const key = nodeHashing.sha256(utf8('key'));
  const read = (hashing: VerifierHashing) => {
    const next = hashing.keyStream(key);
    return [512, 512, 16, 1024].map((count) => toHex(next(count))).join('');
  };
  expect(read(browserHashing)).toBe(read(nodeHashing));
});
