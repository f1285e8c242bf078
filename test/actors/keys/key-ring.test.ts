import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openKeyRing, requireKeyRing } from '../../../src/actors/keys/key-ring.ts';
import { systemRandom } from '../../../src/wiring.ts';

const secret = new Uint8Array(32).fill(9);
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-test-keys-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const open = () => openKeyRing(directory, systemRandom);
const path = () => join(directory, 'epoch-seeds.json');

it('seals what another process with the same directory opens: nonce 12, ciphertext, tag 16', () => {
  const { keyId, sealed } = open().seal(secret);
  expect(sealed).toHaveLength(12 + 32 + 16);
  expect([...open().unseal(keyId, sealed)]).toEqual([...secret]);
});

it('never seals the same secret to the same bytes', () => {
  const ring = open();
  expect(ring.seal(secret).sealed).not.toEqual(ring.seal(secret).sealed);
});

it('keeps its keys from others and nothing else in its directory', () => {
  open().seal(secret);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  chmodSync(path(), 0o644);
  expect(open).toThrow(expect.objectContaining({ code: 'key_file_readable_by_others' }));
});

it('opens after a rotation what was sealed before it, also in a process that was running', () => {
  const ring = open();
  const other = open();
  const before = ring.seal(secret);
  ring.rotate();
  const after = ring.seal(secret);
  expect(after.keyId).not.toBe(before.keyId);
  for (const { keyId, sealed } of [before, after]) {
    expect([...other.unseal(keyId, sealed)]).toEqual([...secret]);
  }
  expect(Object.keys(JSON.parse(readFileSync(path(), 'utf8')).keys)).toHaveLength(2);
});

it('refuses a broken seal, byte by byte, and a missing key', () => {
  const ring = open();
  const { keyId, sealed } = ring.seal(secret);
  for (let at = 0; at < sealed.length; at += 1) {
    const broken = Uint8Array.from(sealed);
    broken[at]! ^= 1;
    expect(() => ring.unseal(keyId, broken)).toThrow(expect.objectContaining({ code: 'seal_broken' }));
  }
  expect(() => ring.unseal(keyId, sealed.subarray(0, 20))).toThrow(
    expect.objectContaining({ code: 'seal_broken' }),
  );
  expect(() => ring.unseal('none', sealed)).toThrow(expect.objectContaining({ code: 'key_missing' }));
});

it('is required where the log holds messages, and never made instead', () => {
  expect(() => requireKeyRing(directory)).toThrow(
    expect.objectContaining({
      code: 'key_file_missing',
      message: expect.stringMatching(/epoch-seeds\.json is missing.*backup.*POTSTREAM_NEW_KEYS=1/),
    }),
  );
  expect(() => statSync(path())).toThrow();
  open();
  expect(() => requireKeyRing(directory)).not.toThrow();
});
