import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Runs the bench of a checkout with what was asked for. Gives its exit code. */
export async function runBench(
  root: string,
  asked: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const script = join(root, 'scripts/bench.mjs');
  if (!existsSync(script)) {
    print(`The bench is part of the repository only: ${root} has no scripts/bench.mjs.`);
    return 1;
  }
  const [code] = await once(spawn(process.execPath, [script, ...asked], { stdio: 'inherit' }), 'exit');
  return code ?? 1;
}
