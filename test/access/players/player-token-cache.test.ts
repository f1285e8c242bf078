import { expect, it } from 'vitest';
import type { WalletSettings } from '../../../src/access/keys/brand-wallets.ts';
import { maxCachedTokens, PlayerTokenCache } from '../../../src/access/players/player-token-cache.ts';
import { settings } from '../../wallet/support.ts';

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

it('of an operator with many brands loses those, and not the tokens of one with a single brand', () => {
  const cache = new PlayerTokenCache();
  const brands = Array.from({ length: 100 }, (_, at) =>
    settings('http://127.0.0.1:1', { brand: `acme:b${at}` }),
  );
  for (let count = 0; count < 2_000; count += 1) cache.put(vip, `token ${count}`, 'EUR', said);
  // Each of these brands has fewer than the other operator's.
  for (let count = 0; count < maxCachedTokens; count += 1)
    cache.put(brands[count % 100]!, `token ${count}`, 'EUR', said);
  const kept = Array.from({ length: 2_000 }, (_, count) => cache.has('rival:main', `token ${count}`));
  expect(kept.filter((has) => has)).toHaveLength(2_000);
});
