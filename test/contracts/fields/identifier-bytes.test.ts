import { expect, it } from 'vitest';
import { foreignIdField, idempotencyKeyField } from '../../../src/contracts/fields/identifier-fields.ts';
import { isForeignId } from '../../../src/contracts/fields/identifiers.ts';

/** Outcome records are sized for these (docs/decisions/0062). */
const maxBytes = 512;

it.each(['x', 'ß', '鯨', String.fromCodePoint(0x1f600), String.fromCodePoint(0x2ebe0)])(
  'a foreign id of %s takes at most 128 characters, and so at most 512 bytes',
  (letter) => {
    const longest = letter.repeat(128);
    for (const [id, isFine] of [
      [longest, true],
      [`${longest}x`, false],
    ] as const) {
      expect(isForeignId(id)).toBe(isFine);
      expect(foreignIdField.safeParse(id).success).toBe(isFine);
    }
    expect(Buffer.byteLength(longest)).toBeLessThanOrEqual(maxBytes);
    expect(idempotencyKeyField.safeParse(letter.repeat(256)).success).toBe(false);
  },
);

it('half a character is none', () => {
  expect([isForeignId('\ud83d'), foreignIdField.safeParse('\ud83d').success]).toEqual([false, false]);
});
