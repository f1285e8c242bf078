import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nodeHashing } from '../../tools/verify/node-hashing.ts';
import { canonical } from '../../verifier/src/canonical.ts';
import { verifyEpoch } from '../../verifier/src/verify.ts';
import { scaled } from '../jackpot/checks/scale.ts';
import { publishedCases } from './support/cases.ts';

/** `npm run checks` changes everything; `npm test` one of so many, and others in each run outside of CI. */
const strideOfBits = Math.ceil(17 / scaled(1, 17));
const strideOfValues = Math.ceil(7 / scaled(1, 7));
const first = (stride: number) => (process.env.CI ? 0 : randomInt(stride));

/** Whether the text, read as JSON, says something else than the original and is verified nevertheless. */
function isTakenIn(text: string, original: string): boolean {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return false;
  }
  // White space carries nothing.
  return verifyEpoch(json, nodeHashing).verified && canonical(json) !== original;
}

describe('one changed bit of what is public of an epoch', () => {
  it.each(publishedCases())('$name: is rejected, wherever it is', ({ published, shows }) => {
    expect(published.groups.flatMap(({ details }) => details.map(({ type }) => type))).toEqual(shows);
    const bytes = Buffer.from(JSON.stringify(published), 'latin1');
    const original = canonical(published);
    expect(verifyEpoch(published, nodeHashing).failure).toBeNull();
    const accepted: string[] = [];
    for (let bit = first(strideOfBits); bit < bytes.length * 8; bit += strideOfBits) {
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      const text = bytes.toString('latin1');
      if (isTakenIn(text, original)) accepted.push(`${bit}: ${text.slice((bit >> 3) - 30, (bit >> 3) + 30)}`);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
    }
    expect(accepted).toEqual([]);
  });
});

/** Values that no member of an honest file has, beside those that some have. */
const strange = [
  null,
  true,
  -1,
  1.5,
  1e300,
  '',
  '-1',
  '01',
  'zz',
  '9'.repeat(40),
  [],
  {},
  [null],
  { Fixed: 'x' },
];

describe('any value in the place of another', () => {
  it.each(publishedCases())('$name: is rejected, and never leads astray', ({ published }) => {
    const original = canonical(published);
    const accepted: string[] = [];
    let change = first(strideOfValues);
    for (const path of pathsOf(published)) {
      for (const value of strange) {
        change += 1;
        if (change % strideOfValues !== 0) continue;
        const changed = structuredClone(published);
        replace(changed, path, value);
        if (canonical(changed) === original) continue;
        if (verifyEpoch(changed, nodeHashing).verified) accepted.push(`${path.join('.')} = ${String(value)}`);
      }
    }
    expect(accepted).toEqual([]);
    expect(change).toBeGreaterThan(strange.length * 20);
  });
});

type Path = readonly (string | number)[];

/** Every member and element at any depth. */
function* pathsOf(json: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof json !== 'object' || json === null) return;
  for (const [name, value] of Object.entries(json)) yield* pathsOf(value, [...path, name]);
}

function replace(json: unknown, [name, ...rest]: Path, value: unknown): void {
  const members = json as Record<string | number, unknown>;
  if (rest.length === 0) members[name!] = value;
  else replace(members[name!], rest, value);
}
