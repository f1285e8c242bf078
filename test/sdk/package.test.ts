import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { specifiersOf } from '../house/support/imports.ts';
import { repository } from './support/page.ts';
import { run } from './support/run.ts';

const sdk = join(repository, 'sdk');
const described = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'));
const sources = readdirSync(join(sdk, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(sdk, 'src', file), 'utf8') }));

describe('the package of the SDK', () => {
  it('imports nothing of the service, and only packages that it names', () => {
    const specifiers = new Set(sources.flatMap(({ text }) => specifiersOf(text)));
    const relative = [...specifiers].filter((each) => each.startsWith('.'));
    const packages = [...specifiers].filter((each) => !each.startsWith('.') && !isBuiltin(each));
    expect(relative.filter((each) => each.includes('../'))).toEqual([]);
    expect(packages.sort()).toEqual(Object.keys(described.dependencies).sort());
  });

  it('names exact versions', () => {
    const versions = Object.values({ ...described.dependencies, ...described.devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version as string))).toEqual([]);
  });

  it('has well under 400 lines a file, but for what is generated', () => {
    const written = sources.filter(({ file }) => !file.startsWith('generated'));
    expect(written.filter(({ text }) => text.split('\n').length > 200).map(({ file }) => file)).toEqual([]);
  });
});

describe('the built SDK in a project of an operator', () => {
  let folder: string;
  beforeAll(async () => {
    // Below the repository, so that the SDK's dependencies are found.
    folder = mkdtempSync(join(repository, 'node_modules/.sdk-'));
    const compiler = join(repository, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [compiler, '-p', sdk, '--outDir', join(folder, 'sdk')]);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      types: ['node'],
    };
    const files = ['fine.ts', 'faulty.ts'];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const program = (lines: string) => `import { createPotstream } from './sdk/index.js';
const credentials = { username: 'service', password: 'a long password' };
const potstream = createPotstream({ baseUrl: 'https://potstream.example', credentials });
${lines}`;
  const contribution = `{ token: 't', brand_id: 'b', player_id: 'p', player_country: 'DE', currency: 'EUR'`;

  it.each([
    ['the SDK’s compiler', createRequire(join(sdk, 'package.json')).resolve('typescript/bin/tsc')],
    ['ours', join(repository, 'node_modules/typescript/bin/tsc')],
  ])('compiles with its types under strict rules: %s', async (_, compiler) => {
    writeFileSync(
      join(folder, 'fine.ts'),
      program(`const answer = await potstream.contributeToInstance('i', ${contribution}, base_wager: '1.00' });
const won: string | null = answer.win_amount;
const { data } = await potstream.api.GET('/v1/currencies');
const rate: string | undefined = data?.multipliers.EUR;
export { rate, won };`),
    );
    writeFileSync(
      join(folder, 'faulty.ts'),
      program(`await potstream.contributeToInstance('i', ${contribution}, base_wager: 1.1 });
await potstream.api.GET('/v1/no-such-path');
await potstream.contributeToInstance('i', ${contribution}, base_wager: '1', idempotencykey: 'misspelt' });`),
    );
    // In one run: a compiler reads its own types for many seconds.
    const said = await run(process.execPath, [compiler, '-p', folder, '--pretty', 'false']).catch(String);
    expect(said.match(/[^\s/]+\([0-9]+(?=,[0-9]+\): error)/g)).toEqual(
      [4, 5, 6].map((line) => `faulty.ts(${line}`),
    );
  });

  it('is loaded by a CommonJS program of the default settings', async () => {
    const consumer = join(folder, 'commonjs');
    const installed = join(consumer, 'node_modules/@potstream/sdk');
    mkdirSync(installed, { recursive: true });
    cpSync(join(folder, 'sdk'), join(installed, 'dist'), { recursive: true });
    cpSync(join(sdk, 'package.json'), join(installed, 'package.json'));
    writeFileSync(join(consumer, 'package.json'), '{}');
    writeFileSync(
      join(consumer, 'program.ts'),
      `import { createPotstream, signatureHeaders } from '@potstream/sdk';
const credentials = { username: 'service', password: 'a long password' };
console.log(typeof createPotstream({ baseUrl: 'https://potstream.example', credentials }), typeof signatureHeaders);`,
    );
    const compiler = createRequire(join(sdk, 'package.json')).resolve('typescript/bin/tsc');
    const options = ['--strict', '--module', 'commonjs', '--target', 'es2022', '--types', 'node'];
    await run(process.execPath, [compiler, ...options, join(consumer, 'program.ts')]);
    const said = await run(process.execPath, [join(consumer, 'program.js')]);
    expect(said.trim()).toBe('object function');
  }, 180_000);
});
