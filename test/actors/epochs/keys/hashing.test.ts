import { createHash, createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createHashing } from '../../../../src/actors/epochs/keys/hashing.ts';

const hashing = createHashing({ unseal: (_keyId, sealed) => sealed });
const bytes = (maximum: number) => fc.uint8Array({ maxLength: maximum });

it('parts hash as what they are joined', () => {
  fc.assert(
    fc.property(fc.array(bytes(200), { maxLength: 5 }), (parts) => {
      const whole = Buffer.concat(parts);
      const expected = createHash('sha256').update(whole).digest('hex');
      expect(Buffer.from(hashing.sha256(...parts)).toString('hex')).toBe(expected);
      const digest = hashing.digest();
      for (const part of parts) digest.update(part);
      expect(Buffer.from(digest.done()).toString('hex')).toBe(expected);
    }),
  );
});

it('parts are authenticated as what they are joined', () => {
  fc.assert(
    fc.property(bytes(100), fc.array(bytes(200), { maxLength: 5 }), (key, parts) => {
      const expected = createHmac('sha256', key).update(Buffer.concat(parts)).digest('hex');
      expect(Buffer.from(hashing.hmacSha256(key, ...parts)).toString('hex')).toBe(expected);
    }),
  );
});
