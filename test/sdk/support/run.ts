import { execFile } from 'node:child_process';
import { repository } from './page.ts';

const limitMs = 220_000;

/** Runs a program in the repository's folder; gives its output. @throws Error with all output if it fails */
export function run(
  program: string,
  programArguments: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: repository, env: { ...process.env, ...environment }, timeout: limitMs };
    execFile(program, programArguments, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
    });
  });
}
