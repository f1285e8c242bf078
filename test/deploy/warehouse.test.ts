import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mayBeSkipped, pathOf } from '../support/deploy-tools.ts';

/** The commands of docs/operate.md "Parquet files", as rclone runs them; its object store is a directory here. */
const work = mkdtempSync(join(tmpdir(), 'potstream-warehouse-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const [copies = '', deletions = ''] = [
  ...(readFileSync('docs/operate.md', 'utf8')
    .split('### Parquet files')[1]
    ?.split('\n### ')[0]
    ?.matchAll(/```sh\n([\s\S]*?)```/g) ?? []),
].map(([, commands]) => commands ?? '');
const hour = '2026-11-28/2026-11-28T14-lane-0-1-9';

describe.skipIf(mayBeSkipped('rclone'))('copies of Parquet files in an object store', () => {
  const environment = {
    ...process.env,
    RCLONE_CONFIG: join(work, 'rclone.conf'),
    RCLONE_CONFIG_STORE_TYPE: 'alias',
    RCLONE_CONFIG_STORE_REMOTE: join(work, 'store'),
  };
  const run = (commands: string) => {
    const script = commands
      .replaceAll(/^rclone/gm, pathOf('rclone'))
      .replaceAll('/srv/warehouse', join(work, 'hours'))
      .replace('potstream reporting forgotten-files', `echo ${hour}/wins.parquet`);
    return spawnSync('bash', ['-ec', script], { cwd: work, env: environment, encoding: 'utf8' });
  };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(work, 'hours', path)), { recursive: true });
    writeFileSync(join(work, 'hours', path), text);
  };
  const filesOf = (place: string) =>
    readdirSync(join(work, place), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();

  it('have the files of closed hours, and none that is being written', () => {
    write(`${hour}/wins.parquet`, 'rows');
    write(`${hour}/manifest.json`, '{}');
    write('.writing/one/manifest.json', '{');
    expect(run(copies)).toMatchObject({ status: 0 });
    expect(filesOf('store/warehouse')).toEqual(['manifest.json', 'wins.parquet']);
  });

  it('are never replaced', () => {
    write(`${hour}/wins.parquet`, 'other rows');
    expect(run(copies)).toMatchObject({ stderr: expect.stringContaining('immutable file modified') });
    expect(readFileSync(join(work, 'store/warehouse', hour, 'wins.parquet'), 'utf8')).toBe('rows');
  });

  it('lose what a forgotten player is in', () => {
    expect(run(deletions)).toMatchObject({ status: 0 });
    expect(filesOf('store/warehouse')).toEqual(['manifest.json']);
    expect(filesOf('hours')).toEqual(['manifest.json', 'manifest.json']);
  });
});
