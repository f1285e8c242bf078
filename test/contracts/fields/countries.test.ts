import { describe, expect, it } from 'vitest';
import { isCountry } from '../../../src/contracts/fields/countries.ts';

describe('a country', () => {
  it.each(['DE', 'US', 'US-NJ', 'DE-BY', 'GB-ENG', 'FR-75', 'XK'])('%s is one', (text) => {
    expect(isCountry(text)).toBe(true);
  });
  it.each(['', 'D', 'de', 'DEU', 'ZZ', 'XX', 'UK', 'ZZ-AB', 'DE-', 'DE-bayern', 'US-NJ-1', ' DE', 'DE '])(
    '%j is none',
    (text) => {
      expect(isCountry(text)).toBe(false);
    },
  );
});
