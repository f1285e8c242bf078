import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { environmentOf, inheritedEnvironment, type Settings } from '../config/settings.ts';
import { packageRoot } from './package-root.ts';

const maxOutputCharacters = 4 * 1024 * 1024;
const shownCharacters = 500;

interface OwnCommandLimits {
  readonly timeoutMs: number;
  /** Ends the command. */
  readonly signal: AbortSignal;
}

/**
 * Runs `potstream <commandArguments>` with these settings in a process of its own, and gives what it printed
 * on stdout. It is killed after `timeoutMs`, and ends by itself when this process dies and with it the
 * command's stdin. Exit code 1 is an answer like 0 where something was printed.
 * @throws Error with the end of what the command printed on stderr
 */
export function runOwnCommand(
  commandArguments: readonly string[],
  settings: Settings,
  { timeoutMs, signal }: OwnCommandLimits,
): Promise<string> {
  const child = spawn(process.execPath, [join(packageRoot, 'bin/potstream'), ...commandArguments], {
    env: { ...inheritedEnvironment(), ...environmentOf(settings) },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    signal,
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.length + text.length <= maxOutputCharacters) output += text;
    else child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-shownCharacters);
  });
  // The command ends before it reads anything: what it cannot take is no fault.
  child.stdin.on('error', () => {});
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      if (code === 0 || (code === 1 && output !== '')) resolve(output);
      else
        reject(new Error(`potstream ${commandArguments[0]} ended (${killedBy ?? code}): ${errors.trim()}`));
    });
  });
}

/** For such a command: ends this process when its parent has died. */
export function endWithStdin(): void {
  process.stdin.on('end', () => process.exit(1)).on('error', () => process.exit(1));
  process.stdin.resume();
}
