import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { moveDrawKeys, readDrawKeys, requireDrawKeys } from '../../../../src/actors/epochs/keys/draw-keys.ts';
import { keyRingFile, openKeyRing } from '../../../../src/actors/epochs/keys/key-ring.ts';
import { systemRandom } from '../../../../src/wiring.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'potstream-draw-keys-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const places = () => ({ keys: join(root, 'keys'), drawKeys: join(root, 'keys', 'draws') });
const open = () => {
  moveDrawKeys(places());
  return openKeyRing(places().drawKeys, systemRandom);
};
const seed = Buffer.from('a seed of an epoch');

it('new keys are where no other role looks, for their owner alone', () => {
  open();
  const { keys, drawKeys } = places();
  expect(readdirSync(keys)).toEqual(['draws']);
  expect(statSync(drawKeys).mode & 0o777).toBe(0o700);
  expect(statSync(join(drawKeys, keyRingFile)).mode & 0o777).toBe(0o600);
});

it('keys of an earlier version move by themselves and open what they sealed', () => {
  const { keys, drawKeys } = places();
  const before = openKeyRing(keys, systemRandom);
  const { keyId, sealed } = before.seal(seed);
  const text = readFileSync(join(keys, keyRingFile), 'utf8');
  // Who only looks finds them where they still are.
  expect(() => requireDrawKeys(places())).not.toThrow();
  expect(readDrawKeys(places())?.unseal(keyId, sealed)).toEqual(seed);
  const after = open();
  expect(after.unseal(keyId, sealed)).toEqual(seed);
  expect(after.currentKeyId).toBe(keyId);
  expect(existsSync(join(keys, keyRingFile))).toBe(false);
  expect(readFileSync(join(drawKeys, keyRingFile), 'utf8')).toBe(text);
  expect(open().currentKeyId).toBe(keyId);
});

it('keys in both places become one ring, and the newer place keeps its current one', () => {
  const { keys, drawKeys } = places();
  const [old, present] = [openKeyRing(keys, systemRandom), openKeyRing(drawKeys, systemRandom)];
  const [one, other] = [old.seal(seed), present.seal(seed)];
  for (const { keyId, sealed } of [one, other])
    expect(readDrawKeys(places())?.unseal(keyId, sealed)).toEqual(seed);
  const ring = open();
  for (const { keyId, sealed } of [one, other]) expect(ring.unseal(keyId, sealed)).toEqual(seed);
  expect(ring.currentKeyId).toBe(other.keyId);
  expect(readdirSync(keys)).toEqual(['draws']);
  expect(readdirSync(drawKeys)).toEqual([keyRingFile]);
  expect(statSync(join(drawKeys, keyRingFile)).mode & 0o777).toBe(0o600);
});

it('a move that was cut off before the old file was removed goes on', () => {
  const { keys } = places();
  const { keyId, sealed } = openKeyRing(keys, systemRandom).seal(seed);
  const text = readFileSync(join(keys, keyRingFile));
  open();
  // As it stands where the copy is written and the original is still there.
  writeOld(text);
  expect(open().unseal(keyId, sealed)).toEqual(seed);
  expect(existsSync(join(keys, keyRingFile))).toBe(false);
});

it('keys that others may read are refused and stay where they are', () => {
  const { keys, drawKeys } = places();
  openKeyRing(keys, systemRandom);
  openKeyRing(drawKeys, systemRandom);
  chmodSync(join(keys, keyRingFile), 0o644);
  expect(open).toThrow(expect.objectContaining({ code: 'key_file_readable_by_others' }));
  expect(existsSync(join(keys, keyRingFile))).toBe(true);
});

function writeOld(text: Buffer): void {
  const path = join(places().keys, keyRingFile);
  writeFileSync(path, text, { mode: 0o600 });
}

it('keys that are in neither place are missed', () => {
  expect(() => requireDrawKeys(places())).toThrow(expect.objectContaining({ code: 'key_file_missing' }));
  open();
  expect(() => requireDrawKeys(places())).not.toThrow();
});
