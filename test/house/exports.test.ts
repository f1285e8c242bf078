import { expect, test } from 'vitest';
import { unusedExports } from './support/exports.ts';
import { type Module, modulesOf, readModule } from './support/modules.ts';

/** A name says one thing everywhere, and what is exported has a reader. */

/** The only names that several files export: what each role is started by. */
const startsRole = (file: string, name: string) => name === 'run' && file.endsWith('/main.ts');

const own = modulesOf(['src']);
const others = modulesOf(['tools', 'verifier', 'test', 'bench', 'web', 'sdk', 'scripts', 'bin', 'examples']);

// Caught: three things called `Exchange`, three called `Room` and three called `Turn`, in rooms that import each other.
test('no name is exported by two files of src', () => {
  expect(twice(own)).toEqual([]);
  const files = [readModule('a.ts', 'export const one = 1;'), readModule('b.ts', 'export type one = 1;')];
  expect(twice(files)).toEqual(['one: a.ts b.ts']);
});

// Caught: 229 names that no other file used, most of them types of parameters.
test('another file uses each name that src exports', () => {
  // W5 waits for the debits of many players in one call.
  const waiting = /^src\/wallet\/calls\/cancel-batch\.ts: /;
  expect(unusedExports(own, [...own, ...others]).filter((each) => !waiting.test(each))).toEqual([]);
  const a = readModule('src/a.ts', 'export const one = 1, two = 2, three = 3, four = 4; one;');
  const b = readModule('src/b.ts', "import { two } from './a.ts'; export const one = two;");
  const c = readModule('test/c.ts', "import * as a from '../src/a.ts'; a.three; import('../src/b.ts');");
  expect(unusedExports([a, b], [a, b, c])).toEqual(['src/a.ts: one', 'src/a.ts: four', 'src/b.ts: one']);
});

function twice(modules: readonly Module[]): string[] {
  const places = new Map<string, string[]>();
  for (const { file, exports } of modules)
    for (const name of new Set(exports))
      if (!startsRole(file, name)) places.set(name, [...(places.get(name) ?? []), file]);
  return [...places]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name}: ${files.join(' ')}`);
}
