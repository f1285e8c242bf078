import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'potstream-compiled-'));
const compiled = join(directory, 'compiled');
const program = join(directory, 'program.cjs');
/** Loaded once the code is kept: nothing holds what was kept any more, and Node compiles it. */
const later = join(directory, 'later.cjs');

/** Tells which cached data V8 took. */
const script = `
  const vm = require('node:vm');
  const Script = vm.Script;
  const taken = [];
  vm.Script = class extends Script {
    constructor(source, options) {
      super(source, options);
      taken.push(options.cachedData === undefined ? 'compiled' : this.cachedDataRejected ? 'rejected' : 'kept');
    }
  };
  const { keepCompiledCode, useCompileCache } = require(process.argv[1]);
  useCompileCache(process.argv[2], 'some-role');
  const answer = require(process.argv[3]).answer(2);
  keepCompiledCode();
  require(process.argv[4]);
  console.log(JSON.stringify({ answer, taken }));
`;

beforeAll(async () => {
  await build({
    logLevel: 'silent',
    configFile: false,
    build: {
      ssr: resolve(import.meta.dirname, '../../src/runtime/compile-cache.ts'),
      outDir: directory,
      emptyOutDir: false,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'compile-cache.cjs' } },
    },
  });
});
beforeEach(() => {
  rmSync(compiled, { recursive: true, force: true });
  writeProgram(21);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function writeProgram(factor: number): void {
  writeFileSync(later, '');
  writeFileSync(join(directory, 'factor.cjs'), `module.exports = ${factor};\n`);
  writeFileSync(
    program,
    `exports.answer = (n) => n * require('./factor.cjs');\nif (__filename !== module.filename || __dirname + '/program.cjs' !== require.resolve('./program.cjs')) throw new Error();\n`,
  );
}

function run(flags: readonly string[] = []): unknown {
  const cache = join(directory, 'compile-cache.cjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, '--eval', script, cache, compiled, program, later],
    {
      encoding: 'utf8',
    },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** Releases of Node that keep compiled code themselves do not use ours. */
const testOurs = test.skipIf('enableCompileCache' in Module);
const file = (): string => join(compiled, readdirSync(compiled)[0]!);

testOurs('the second process takes the code that the first has compiled', () => {
  expect(run()).toEqual({ answer: 42, taken: ['compiled', 'compiled'] });
  const written = readFileSync(file());
  expect(run()).toEqual({ answer: 42, taken: ['kept', 'kept'] });
  expect(readFileSync(file())).toEqual(written);
});

testOurs('a module that has changed is compiled, the others are not', () => {
  run();
  // As long as before: V8 compares no more than that.
  writeProgram(33);
  expect(run()).toEqual({ answer: 66, taken: ['kept', 'compiled'] });
  expect(run()).toEqual({ answer: 66, taken: ['kept', 'kept'] });
});

testOurs('other flags of V8 have code of their own', () => {
  run();
  expect(run(['--max-lazy'])).toEqual({ answer: 42, taken: ['compiled', 'compiled'] });
  expect(readdirSync(compiled)).toHaveLength(2);
});

testOurs('a damaged or shortened file is written again', () => {
  run();
  const written = readFileSync(file());
  const damaged = Buffer.from(written);
  damaged[written.length - 100]! ^= 1;
  for (const bytes of [damaged, written.subarray(0, 200), Buffer.alloc(0)]) {
    writeFileSync(file(), bytes);
    expect(run()).toEqual({ answer: 42, taken: ['compiled', 'compiled'] });
    expect(run()).toEqual({ answer: 42, taken: ['kept', 'kept'] });
  }
});

testOurs('where nothing can be written, everything is compiled', () => {
  writeFileSync(compiled, '');
  expect(run()).toEqual({ answer: 42, taken: ['compiled', 'compiled'] });
});
