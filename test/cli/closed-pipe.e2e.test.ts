import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const repository = resolve(import.meta.dirname, '../..');

/** The command with a reader that is gone before the first line, as after `| head`. */
function withoutReader(
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, [join(repository, 'bin/potstream'), ...args], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((done) => child.once('close', (code) => done({ code, said })));
}

it.each([
  [['settings'], 0],
  [['settings', '--json'], 0],
  [['--help'], 0],
  [['nats', 'roles'], 0],
  [['simulate', 'examples/three-pot.json', '--contributions', '100', '--json'], 0],
  [['verify', 'examples/three-pot.json', '--json'], 1],
] as const)('potstream %j ends as ever where nobody reads on', async (args, code) => {
  const ended = await withoutReader(args);
  expect(ended.said).not.toContain('EPIPE');
  expect(ended.code).toBe(code);
});
