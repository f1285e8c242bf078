import type { Settings } from '../../config/settings.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { removePassword } from '../system/credentials-file.ts';

/** `potstream admin forget-password`: gives the exit code. */
export function forgetPasswordCommand(settings: Settings, print: (line: string) => void): number {
  const { credentials } = dataPaths(settings.dataDirectory);
  if (!removePassword(credentials)) {
    print(`${credentials} contains no administrator's password.`);
    return 1;
  }
  print(
    `Removed the password from ${credentials}. The account keeps its password. The demo needs the file's, so start with --no-demo from now on.`,
  );
  return 0;
}
