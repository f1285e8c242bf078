import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretFile } from '../../files/secret-file.ts';
import { createUserKey, publicKeyOf } from '../../log/base/nkeys.ts';
import { natsRoles } from '../../log/roles/permissions.ts';

/**
 * `potstream nats keys`: a seed for each role in `<directory>/<role>.nk` (mode 0600) if it has none yet.
 * Returns the lines for deploy/nats/nats.conf; they contain no secret.
 */
export function makeRoleKeys(directory: string): string[] {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return natsRoles.map((role) => {
    const path = join(directory, `${role}.nk`);
    if (!existsSync(path)) createSecretFile(path, `${createUserKey().seed}\n`);
    return `POTSTREAM_NATS_${role.toUpperCase()}=${publicKeyOf(readFileSync(path, 'utf8'))}`;
  });
}
