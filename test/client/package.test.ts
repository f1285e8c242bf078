import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkPackage, Package } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../sdk/support/page.ts';
import { run } from '../sdk/support/run.ts';

const client = join(repository, 'client');
const maxClientBytes = 8 * 1024;

describe('the built package of the client for pages', () => {
  let folder: string;
  let dist: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(repository, 'node_modules/.client-'));
    dist = join(folder, 'dist');
    mkdirSync(dist);
    const compiler = join(repository, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [compiler, '-p', client, '--outDir', dist]);
    await run(process.execPath, [join(repository, 'scripts/client.mjs'), dist]);
    cpSync(join(client, 'package.json'), join(folder, 'package.json'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(['index.js', 'client.js'])('has the feed client in 8 KiB, without any dependency: %s', (name) => {
    const text = readFileSync(join(dist, name), 'utf8');
    expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(maxClientBytes);
    expect(text).not.toMatch(/\bimport\b(?!\.meta)|\brequire\(/);
  });

  it('is a script, too, with the global Potstream', () => {
    const made = new Function(`${readFileSync(join(dist, 'client.js'), 'utf8')}; return Potstream;`)();
    expect(Object.keys(made)).toEqual(['connect']);
    expect(() => made.connect({ url: 'https://pots.example' })).toThrow(TypeError);
  });

  it('pleases publint', async () => {
    const { messages } = await publint({ pkgDir: folder, strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  it('has the right types for everyone who imports modules', async () => {
    const named = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const files = Object.fromEntries(
      named.map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path.replace(folder, '/node_modules/@potstream/client'), readFileSync(path, 'utf8')];
      }),
    );
    const { version } = JSON.parse(files['/node_modules/@potstream/client/package.json'] as string);
    const analysis = await checkPackage(new Package(files, '@potstream/client', version));
    if (!analysis.types) throw new Error('The package has no types.');
    // Programs in CommonJS and compilers of before 2022 cannot import modules; browsers have nothing else.
    const problems = analysis.problems.filter(
      (problem) => !('resolutionKind' in problem && /^node10$|^node16-cjs$/.test(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });
});
