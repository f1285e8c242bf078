import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = readFileSync(join(import.meta.dirname, '../../src/access/keys/signing-keys.ts'), 'utf8');

// Caught: a process that waited for itself forever while it made a key, because a garbage collection took the job of the generation.
test('a new signing key is made in a way that no garbage collection stops', () => {
  const [made] = /function newPrivateKey\(\): KeyObject (\{[\s\S]*?\n\})/.exec(source)?.slice(1) ?? [];
  const program = `
    import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
    function newPrivateKey() ${made}
    for (let times = 0; times < 15_000; times += 1) newPrivateKey().export({ format: 'jwk' });
    console.log('made');`;
  // Every collection is a full one, and they are many.
  const flags = ['--gc-global', '--max-semi-space-size=1', '--min-semi-space-size=1'];
  const { stdout } = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', program], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect(stdout).toBe('made\n');
});
