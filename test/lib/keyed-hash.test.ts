import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiPlayerHash, keyHash, notAscii, playerHash } from '../../src/lib/keyed-hash.ts';

const secrets = fc.record({ low: fc.integer(), high: fc.integer() });

/** The unkeyed hash of before: callers could make up as many ids as they liked that collide under it. */
function unkeyed(player: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < player.length; i++) hash = Math.imul(hash ^ player.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Ids with the same last 12 bits under the unkeyed hash. */
function collidingIds(count: number): string[] {
  const ids: string[] = [];
  for (let number = 0; ids.length < count; number++) {
    const id = number.toString(36);
    if ((unkeyed(id) & 0xfff) === 0x234) ids.push(id);
  }
  return ids;
}

/** The longest run of slots that a table with linear probing at half load would have. */
function maxRun(hashes: readonly number[], bits: number): number {
  const taken = new Uint8Array(2 ** bits);
  for (const hash of hashes) {
    let at = hash & (taken.length - 1);
    while (taken[at] === 1) at = (at + 1) & (taken.length - 1);
    taken[at] = 1;
  }
  let longest = 0;
  for (let at = 0, run = 0; at < taken.length; at++) {
    run = taken[at] === 1 ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

describe('players are hashed', () => {
  it('from the bytes of their ids as from the text, unless that is more than ASCII', () => {
    const ids = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 20 }));
    fc.assert(
      fc.property(secrets, fc.nat(65_535), ids, fc.nat(7), (secret, brand, id, before) => {
        const bytes = Buffer.concat([Buffer.alloc(before, 0xff), Buffer.from(id), Buffer.alloc(3, 0xff)]);
        const isAscii = [...id].every((character) => character.codePointAt(0)! < 0x80);
        const hash = asciiPlayerHash(secret, brand, bytes, before, Buffer.byteLength(id));
        expect(hash).toBe(isAscii ? playerHash(secret, brand, id) : notAscii);
      }),
    );
  });

  it('alike by one secret, and otherwise by another', () => {
    fc.assert(
      fc.property(secrets, secrets, fc.string(), fc.nat(65_535), (one, other, player, brand) => {
        expect(playerHash(one, brand, player)).toBe(playerHash({ ...one }, brand, player));
        fc.pre(one.low !== other.low || one.high !== other.high);
        const both = [0, 1, 2, 3].map((more) => [
          playerHash(one, brand, `${player}${more}`),
          playerHash(other, brand, `${player}${more}`),
        ]);
        expect(both.some(([mine, theirs]) => mine !== theirs)).toBe(true);
      }),
    );
  });

  it('with every unit of the id, its length and the brand', () => {
    const hash = (brand: number, player: string) => playerHash({ low: 7, high: 11 }, brand, player);
    const variants = [
      hash(1, 'ada'),
      hash(2, 'ada'),
      hash(1, 'adb'),
      hash(1, 'bda'),
      hash(1, 'ad'),
      hash(1, 'ada\0'),
      hash(1, 'adaa'),
      hash(1, ''),
      hash(1, 'ad\u0461'),
    ];
    expect(new Set(variants).size).toBe(variants.length);
  });

  it('so that ids that were made to collide fall where others do', () => {
    const ids = collidingIds(512);
    for (let secret = 1; secret <= 20; secret++) {
      const hashes = ids.map((id) => playerHash({ low: secret, high: -secret }, 3, id));
      expect(maxRun(hashes, 10)).toBeLessThan(100);
    }
  });
});

it('keys are hashed under the secret, too', () => {
  const keys = Array.from({ length: 512 }, (_, number) => [0x1234, number << 13] as const);
  for (let secret = 1; secret <= 20; secret++) {
    const hashes = keys.map(([first, second]) =>
      keyHash({ low: Math.imul(secret, 0x9e3779b1), high: Math.imul(secret, 0x85ebca6b) }, first, second),
    );
    expect(maxRun(hashes, 10)).toBeLessThan(100);
  }
});
