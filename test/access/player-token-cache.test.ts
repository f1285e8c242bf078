import { expect, it } from 'vitest';
import type { WalletSettings } from '../../src/access/brand-wallets.ts';
import { PlayerTokenCache, rememberedTokens } from '../../src/access/player-token-cache.ts';
import { settings } from '../wallet/support.ts';

const [main, vip] = ['acme:main', 'rival:main'].map((brand) => settings('http://127.0.0.1:1', { brand })) as [
  WalletSettings,
  WalletSettings,
];
const said = {
  saidMs: 1,
  identity: {
    ...{ player: 'ada', operator: 'acme', brand: 'acme:main', currency: 'EUR' },
    ...{ country: null, segments: null, maxBetAtoms: null },
  },
};

it('loses the oldest of the brand that has the most, and never another brand', () => {
  const cache = new PlayerTokenCache();
  cache.keep(vip, 'first of all', 'EUR', said);
  for (let count = 0; count <= rememberedTokens; count += 1) cache.keep(main, `token ${count}`, 'EUR', said);
  expect(cache.has('rival:main', 'first of all')).toBe(true);
  expect(['token 0', 'token 1', 'token 2'].map((token) => cache.has('acme:main', token))).toEqual([
    false,
    false,
    true,
  ]);
  // Kept anew it is one of the youngest.
  cache.keep(main, 'token 2', 'USD', said);
  cache.keep(main, 'one more', 'EUR', said);
  expect(cache.has('acme:main', 'token 2')).toBe(true);
  expect(cache.has('acme:main', 'token 3')).toBe(false);
});
