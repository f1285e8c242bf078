import { spawn } from 'node:child_process';

type CommandResult = { readonly exitCode: number | null; readonly output: string };

const maxOutputCharacters = 64 * 1024;

/**
 * Runs a program to its end without a shell and gives its exit code (null: not started, or killed at the
 * deadline) and the end of what it printed on both of its outputs.
 */
export function runCommand(
  program: string,
  commandArguments: readonly string[],
  options: { readonly timeoutMs: number; readonly cwd?: string },
): Promise<CommandResult> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(program, commandArguments, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-maxOutputCharacters);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ exitCode: null, output: error.message }));
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}
