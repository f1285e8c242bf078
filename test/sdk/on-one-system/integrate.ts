import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneSystem } from '../../support/one-system.ts';
import type { RunningSystem } from '../../support/system.ts';
import { blocks, repository } from '../support/page.ts';
import { run } from '../support/run.ts';

/** docs/integrate.md as a developer follows it: first all commands in a shell, then all snippets as one program. */
const patienceMs = 240_000;
const commands = blocks('sh').join('\necho ---\n');
const snippets = blocks('js').join('\n');

let system: RunningSystem;
/** Below the repository, so that packages are found as by a developer who follows the page there. */
let folder: string;
let shell: string;
beforeAll(async () => {
  system = await oneSystem();
  folder = mkdtempSync(join(repository, 'node_modules/.integrate-'));
  shell = await run('bash', ['-eu', '-o', 'pipefail', '-c', `${here(commands)}\necho "INSTANCE=$INSTANCE"`]);
}, patienceMs);
afterAll(async () => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
}, patienceMs);

/** With the addresses of this system in place of those of `npm start`. */
function here(text: string): string {
  const named = ['http://127.0.0.1:8080', '.potstream/credentials.json'];
  for (const each of named) expect(text).toContain(each);
  return text
    .replaceAll('http://127.0.0.1:8080', system.baseUrl)
    .replaceAll('.potstream/credentials.json', join(system.dataDirectory, 'credentials.json'));
}

describe('the commands of docs/integrate.md', () => {
  it('lead to a win, and a repeat of it', () => {
    const answers = shell.split('---').filter((part) => part.includes('HTTP/1.1'));
    expect(answers.map((answer) => answer.trim().split('\r\n')[0])).toEqual([
      'HTTP/1.1 200 OK',
      'HTTP/1.1 204 No Content',
    ]);
    const wins = answers.map((answer) => /^X-Win-Amount: (.*)\r$/m.exec(answer)?.[1]);
    expect(Number(wins[0])).toBeGreaterThan(5);
    expect(wins[1]).toBe(wins[0]);
    expect(answers[0]).toContain(`"win_amount":${wins[0]}`);
  });

  it('send a file, each line with a result', () => {
    expect(shell).toContain('contributions.csv: every line is answered\n');
    for (const number of [1, 2, 3, 4, 5])
      expect(shell).toContain(`"ref":"r-${number}","idempotency_key":"example-${number}","status":"applied"`);
  });

  it('end with an answer to each, and no refusal', () => {
    expect(shell).not.toContain('status_code":4');
    expect(shell).toContain('{"status_code":200,"code":"ok"');
    expect(JSON.parse(readFileSync(join(system.dataDirectory, 'credentials.json.key'), 'utf8'))).toEqual({
      key_id: expect.any(String),
      secret: expect.any(String),
    });
  });
});

describe('the snippets of docs/integrate.md', () => {
  it(
    'print what the page says',
    async () => {
      const file = join(folder, 'page.mjs');
      writeFileSync(file, here(snippets));
      const instance = /^INSTANCE=(.+)$/m.exec(shell)?.[1] ?? '';
      const output = (await run(process.execPath, [file], { INSTANCE: instance })).trim().split('\n');
      const win = /^won ([0-9.]+) EUR of the pot practice$/.exec(output[1] ?? '')?.[1];
      expect(Number(win)).toBeGreaterThan(5);
      expect(output.slice(0, 8)).toEqual([
        expect.stringMatching(/^1 win so far: [0-9.]+ EUR$/),
        `won ${win} EUR of the pot practice`,
        'replayed: true, the same win: true',
        'round-5: 0.05',
        'round-6: 0.05',
        '422 amount_negative not_applied',
        'genuine: true',
        'changed: false',
      ]);
      const rest = output.slice(8);
      expect(rest.slice(0, -2)).toContain('JackpotUpdate');
      expect(rest.at(-3)).toBe('WinEvent');
      expect(rest.at(-2)).toBe('e-1: 12345678901.12345678');
      expect(rest.at(-1)).toMatch(/^sources: .*slot-1/);
    },
    patienceMs,
  );
});
