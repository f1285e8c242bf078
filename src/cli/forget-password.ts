import type { Settings } from '../config.ts';
import { dataPaths } from '../runtime/data-directory.ts';
import { removePassword } from './up/credentials.ts';

/** `potstream admin forget-password`: gives the exit code. */
export function forgetPasswordCommand(settings: Settings, print: (line: string) => void): number {
  const { credentials } = dataPaths(settings.dataDirectory);
  if (!removePassword(credentials)) {
    print(`${credentials} has no password of an administrator.`);
    return 1;
  }
  print(
    `Removed from ${credentials}. The account keeps its password; the demo cannot start any more (--no-demo).`,
  );
  return 0;
}
