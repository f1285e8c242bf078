import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../../tools/wallet-verify/checks.ts';
import { freePort } from '../../support/free-port.ts';

const repository = join(import.meta.dirname, '../../..');
const page = readFileSync(join(repository, 'docs/integrate-wallet.md'), 'utf8');
const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

const node = (options: readonly string[]) => promisify(execFile)(process.execPath, options);

/** docs/integrate-wallet.md as an operator's engineer follows it, in one shell. */
describe('the commands of docs/integrate-wallet.md', () => {
  let folder: string;
  let parts: readonly string[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'integrate-wallet-'));
    await node([
      '--eval',
      `import('${join(repository, 'scripts/set-up.mjs')}').then(({ setUp }) => setUp())`,
    ]);
    const script = commands
      .join('\necho ---\n')
      .replaceAll('8090', String(await freePort()))
      .replaceAll('node bin/potstream', `${process.execPath} ${join(repository, 'bin/potstream')}`);
    const { stdout } = await promisify(execFile)('bash', ['-eu', '-o', 'pipefail', '-c', script], {
      cwd: folder,
      timeout: 200_000,
    });
    parts = stdout.split('---\n').map((part) => part.trim());
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const answer = (part: number, line = 0) => JSON.parse(parts[part]?.split('\n')[line] ?? '');

  it('authenticate a player as the page shows, and refuse an expired token', () => {
    const [shown] = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
      JSON.parse(text),
    );
    expect(answer(3)).toEqual(shown);
    expect(answer(4)).toMatchObject({ status_code: 422, code: 'token_expired' });
  });

  it('debit once, credit, cancel, and refuse what was cancelled', () => {
    expect(parts[5]?.split('\n')).toEqual(Array(2).fill('{"balance":99.5,"metadata":null}'));
    expect(answer(6)).toEqual({ balance: 349.5, metadata: null });
    expect(answer(7)).toEqual({ balance: '350' });
    expect(answer(7, 1)).toMatchObject({ status_code: 404, code: 'transaction_not_found' });
    expect(answer(8)).toMatchObject({ status_code: 422, code: 'transaction_cancelled' });
  });

  it('execute a batch as the page shows, and cancel it', () => {
    const shown = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = '']) => JSON.parse(text));
    expect(answer(9)).toEqual(shown[1]);
    expect(answer(10)).toEqual(shown[2]);
    expect(answer(10, 1)).toMatchObject({ status_code: 404, code: 'batch_not_found' });
  });

  it('end in CERTIFIED', () => {
    expect(parts[11]?.split('\n').at(-1)).toBe('CERTIFIED');
  });

  it('name checks that exist', () => {
    const ids = new Set(checks.map(({ id }) => id));
    const named = [...page.matchAll(/`((?:keys|w[1-5]|amounts|repeats|http)\.[a-z0-9-]+)`/g)].map(
      ([, id]) => id,
    );
    expect(named.length).toBeGreaterThan(8);
    for (const id of named) expect(ids).toContain(id);
  });
});
