import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha1 } from '../../src/lib/hashes.ts';
import { nameUuid, uuidBytes, uuidText } from '../../src/lib/uuid.ts';

describe('SHA-1', () => {
  it('is that of the platform, over all lengths of a few blocks', () => {
    for (let length = 0; length < 200; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) & 0xff);
      expect(Buffer.from(sha1(bytes)).toString('hex')).toBe(createHash('sha1').update(bytes).digest('hex'));
    }
  });
});

describe('a UUID of a name', () => {
  it('is the one of RFC 9562', () => {
    const dns = uuidBytes('6ba7b810-9dad-11d1-80b4-00c04fd430c8');
    expect(nameUuid(dns, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('and its bytes are two forms of the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        expect(uuidBytes(uuidText(bytes))).toEqual(bytes);
      }),
    );
  });
});
