import { expect, test } from 'vitest';
import { TokenCache } from '../../../src/access/sessions/token-cache.ts';

function cacheAt(time: { nowMs: number }) {
  return new TokenCache<{ subject: string; expiresAtMs: number }>({
    nowMs: () => time.nowMs,
    elapsedMs: () => time.nowMs,
    after: () => () => {},
  });
}

test('a change of one account leaves the tokens of others', () => {
  const cache = cacheAt({ nowMs: 0 });
  for (const token of ['a1', 'a2', 'b1']) cache.set(token, { subject: token.slice(0, 1), expiresAtMs: 9 });
  cache.forgetOf('a');
  cache.forgetOf('nobody');
  expect(['a1', 'a2', 'b1'].map((token) => cache.get(token)?.subject)).toEqual([undefined, undefined, 'b']);
  cache.set('a1', { subject: 'a', expiresAtMs: 9 });
  expect(cache.get('a1')).toBeDefined();
  cache.clear();
  expect([cache.get('a1'), cache.get('b1')]).toEqual([undefined, undefined]);
});

test('a token is forgotten when it expires', () => {
  const time = { nowMs: 0 };
  const cache = cacheAt(time);
  cache.set('a1', { subject: 'a', expiresAtMs: 5 });
  time.nowMs = 4;
  expect(cache.get('a1')).toBeDefined();
  time.nowMs = 5;
  expect(cache.get('a1')).toBeUndefined();
});

test('the oldest token goes first', () => {
  const cache = cacheAt({ nowMs: 0 });
  for (let index = 0; index < 20_001; index += 1)
    cache.set(`token-${index}`, { subject: `user-${index % 7}`, expiresAtMs: 9 });
  expect(cache.get('token-0')).toBeUndefined();
  expect(cache.get('token-1')).toBeDefined();
  expect(cache.get('token-20000')).toBeDefined();
});
