import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretFile } from '../../files/secret-file.ts';
import { createUserKey, publicKeyOf } from '../../log/nkeys.ts';
import { natsRoles } from '../../log/roles/permissions.ts';

/**
 * `potstream nats keys`: a seed for each role in `<directory>/<role>.nk` (mode 0600), where it has none yet. Gives what
 * deploy/nats.conf needs of them, a line each; no secret is in it.
 */
export function makeRoleKeys(directory: string): string[] {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return natsRoles.map((role) => {
    const path = join(directory, `${role}.nk`);
    if (!existsSync(path)) createSecretFile(path, `${createUserKey().seed}\n`);
    return `POTSTREAM_NATS_${role.toUpperCase()}=${publicKeyOf(readFileSync(path, 'utf8'))}`;
  });
}
