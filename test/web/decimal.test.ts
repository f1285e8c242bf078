import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floorDecimal, parseAtoms } from '../../web/src/money/decimal.ts';

const anyAtoms = fc.bigInt(-(10n ** 18n), 10n ** 18n);

describe('money on the page', () => {
  it('reads decimal strings and numbers exactly', () => {
    expect(parseAtoms('0.00000001')).toBe(1n);
    expect(parseAtoms(1e-8)).toBe(1n);
    expect(parseAtoms('12345678901.12345678')).toBe(1_234_567_890_112_345_678n);
    expect(parseAtoms(-2.5)).toBe(-250_000_000n);
  });

  it.each(['', '1e3', '0.123456789', 'NaN', '1,5', '--1', '.5', '5.'])('refuses %j', (text) => {
    expect(parseAtoms(text)).toBeNull();
  });

  it('gives back what it read', () => {
    fc.assert(fc.property(anyAtoms, (atoms) => parseAtoms(floorDecimal(atoms, 8)) === atoms));
  });

  it('never shows more than there is, and less than a minor unit less', () => {
    fc.assert(
      fc.property(anyAtoms, fc.constantFrom(0, 2, 3), (atoms, digits) => {
        const shown = parseAtoms(floorDecimal(atoms, digits)) ?? 0n;
        expect(shown <= atoms).toBe(true);
        expect(atoms - shown < 10n ** BigInt(8 - digits)).toBe(true);
      }),
    );
  });
});
