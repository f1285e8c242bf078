import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openKeyRing, requireKeyRing } from '../../../../src/actors/epochs/keys/key-ring.ts';
import { systemRandom } from '../../../../src/wiring.ts';

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

it('seals under a new key once every host has a copy of the file, and no host restarts', () => {
  const copy = mkdtempSync(join(tmpdir(), 'potstream-test-keys-'));
  const [here, there] = [open(), openKeyRing(copy, systemRandom)];
  const send = () => copyFileSync(path(), join(copy, 'epoch-seeds.json'));
  send();
  here.sealWhereAll((keyId) => there.keyIds().includes(keyId));
  const before = here.seal(secret).keyId;
  expect(there.keyIds()).toEqual([before]);
  open().rotate();
  expect(here.keyIds()).toHaveLength(2);
  expect(here.seal(secret).keyId).toBe(before);
  send();
  const { keyId, sealed } = here.seal(secret);
  expect(keyId).not.toBe(before);
  expect([...there.unseal(keyId, sealed)]).toEqual([...secret]);
  rmSync(copy, { recursive: true });
});

it('keeps what it has read while its file cannot be used', () => {
  const ring = open();
  const { keyId, sealed } = ring.seal(secret);
  for (const damage of [() => writeFileSync(path(), '{'), () => rmSync(path())]) {
    damage();
    expect([...ring.unseal(keyId, sealed)]).toEqual([...secret]);
    expect(ring.seal(secret).keyId).toBe(keyId);
  }
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
