import { expect, it } from 'vitest';
import type { WalletSettings } from '../../src/access/brand-wallets.ts';
import { maxCachedTokens, PlayerTokenCache } from '../../src/access/player-token-cache.ts';
import { settings } from '../wallet/support.ts';

const [main, vip] = ['acme:main', 'rival:main'].map((brand) => settings('http://127.0.0.1:1', { brand })) as [
  WalletSettings,
  WalletSettings,
];
const said = {
  answeredMs: 1,
  identity: {
    ...{ player: 'ada', operator: 'acme', brand: 'acme:main', currency: 'EUR' },
    ...{ country: null, segments: null, maxBetAtoms: null },
  },
};

it('loses the oldest of the brand that has the most, and never another brand', () => {
  const cache = new PlayerTokenCache();
  cache.put(vip, 'first of all', 'EUR', said);
  for (let count = 0; count <= maxCachedTokens; count += 1) cache.put(main, `token ${count}`, 'EUR', said);
  expect(cache.has('rival:main', 'first of all')).toBe(true);
  expect(['token 0', 'token 1', 'token 2'].map((token) => cache.has('acme:main', token))).toEqual([
    false,
    false,
    true,
  ]);
  // Kept anew it is one of the youngest.
  cache.put(main, 'token 2', 'USD', said);
  cache.put(main, 'one more', 'EUR', said);
  expect(cache.has('acme:main', 'token 2')).toBe(true);
  expect(cache.has('acme:main', 'token 3')).toBe(false);
});
