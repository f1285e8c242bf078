import { join } from 'node:path';
import { runnableRoles } from '../roles.ts';
import { keepCompiledCode, useCompileCache } from '../runtime/compile-cache.ts';
import { setV8Flags } from '../runtime/v8-flags.ts';

/** Beside the program's own files: who may write there may change the program as well. */
const directory = join(import.meta.dirname, 'compiled');

/** Loads the program, with what earlier processes have compiled of it, and runs the command. */
export async function start(argv: readonly string[]): Promise<void> {
  const [, , name = '', ...rest] = argv;
  const isRole = name in runnableRoles && rest.length === 0;
  // Code is kept for the flags that were set when it was compiled.
  if (isRole) setV8Flags(name);
  useCompileCache(directory, isRole || name === 'up' ? name : 'command');
  // A role keeps what it has compiled once it is ready.
  if (!isRole) process.once('exit', keepCompiledCode);
  const { main } = await import('../main.ts');
  await main(argv);
}
