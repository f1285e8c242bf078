import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { u64, utf8 } from '../../src/lib/bytes.ts';
import { sha256 } from '../../src/lib/hashes.ts';

const text = fc.oneof(fc.string({ maxLength: 80 }), fc.string({ unit: 'binary', maxLength: 80 }));

it('texts of any length and script are UTF-8', () => {
  fc.assert(
    fc.property(text, (each) => {
      expect([...utf8(each)]).toEqual([...new TextEncoder().encode(each)]);
    }),
  );
});

it('integers are eight bytes, big-endian, whether number or bigint', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
      const expected = Buffer.alloc(8);
      expected.writeBigUInt64BE(value);
      expect([...u64(value)]).toEqual([...expected]);
      if (value <= Number.MAX_SAFE_INTEGER) expect([...u64(Number(value))]).toEqual([...expected]);
    }),
    { examples: [[0n], [2n ** 32n - 1n], [2n ** 32n], [2n ** 53n - 1n], [2n ** 64n - 1n]] },
  );
});

it('texts and bytes are hashed, to as many bytes as are asked for', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 32 }), (each, size) => {
      const expected = [...createHash('sha256').update(each, 'utf8').digest()].slice(0, size);
      expect([...sha256(each, size)]).toEqual(expected);
      expect([...sha256(new TextEncoder().encode(each), size)]).toEqual(expected);
    }),
  );
});
