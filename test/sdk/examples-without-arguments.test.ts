import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { repository } from './support/page.ts';

it.each(readdirSync(`${repository}/examples/sdk`))('%s says how it is used', (name) => {
  const { status, stderr } = spawnSync(process.execPath, [`examples/sdk/${name}`], {
    cwd: repository,
    encoding: 'utf8',
  });
  expect(stderr).toMatch(`usage: node examples/sdk/${name} <`);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(status).toBe(2);
});
