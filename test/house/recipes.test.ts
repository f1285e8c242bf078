import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { API, type Project } from 'typescript/unstable/sync';
import { afterAll, describe, expect, test } from 'vitest';
import { testFiles } from './support/lists.ts';
import { modulesOf, readModule, readText, repository } from './support/modules.ts';
import { type Copy, type Recipe, recipes, sections } from './support/recipes.ts';

/**
 * Each recipe of CONTRIBUTING.md is followed for a dummy: then the compiler and the tests are content, and when any one file is left out, one of
 * them is not. Caught: a recipe of eight files that named seven, and a verifier that a new kind of pot passed by.
 */

const configuration = join(repository, 'tsconfig.json');
/** The text of changed files; null: the file is not there. */
const changed = new Map<string, string | null>();
const api = new API({
  cwd: repository,
  fs: {
    readFile: (name) => changed.get(name),
    fileExists: (name) => (changed.has(name) ? changed.get(name) !== null : undefined),
  },
});
afterAll(() => api.close());
let project: Project;

const tests = testFiles();
const own = modulesOf(['src']);
const readers = modulesOf(['src', 'tools', 'test', 'bench', 'scripts', 'bin']);
const place = (file: string) => file.replace('<resource>', 'instances').replace('<name>', 'dummy');

describe.each(recipes)('$heading', (recipe) => {
  const files = Object.keys(recipe.files);

  test(`takes ${recipe.maxFiles} files at most, and is content with all of them`, {
    timeout: 120_000,
  }, () => {
    expect(files.length).toBeLessThanOrEqual(recipe.maxFiles);
    expect(faultsWithout(recipe, null)).toEqual([]);
  });

  test.each(files)('does not go through without %s', { timeout: 120_000 }, (file) => {
    expect(faultsWithout(recipe, file)).not.toEqual([]);
  });
});

test.each(sections)('CONTRIBUTING.md "$heading" names each of its files', ({ heading, files }) => {
  const [, section = ''] = readText('CONTRIBUTING.md').split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  expect(Object.keys(files).filter((file) => !text.includes(`\`${file}\``))).toEqual([]);
});

/** What the compiler and the tests say when the recipe was followed but for one of its files. */
function faultsWithout(recipe: Recipe, left: string | null): readonly string[] {
  const before = new Set(changed.keys());
  changed.clear();
  for (const [file, change] of Object.entries(recipe.files)) {
    const path = join(repository, place(file));
    const present = existsSync(path) ? readText(place(file)) : '';
    if (file !== left) changed.set(path, change(present));
    else if (present === '') changed.set(path, null);
  }
  const texts = new Map([...changed].map(([path, text]) => [path.slice(repository.length + 1), text]));
  const code = [...texts.keys()].filter((file) => /\.ts$/.test(file) && texts.get(file) !== null);
  // Nothing imports a document or a test.
  if (left !== null && !/(?<!\.test)\.ts$/.test(left)) return recipe.faults(copyWith(texts, code));
  const compiled = compile(
    [...new Set([...before, ...changed.keys()])],
    Object.keys(recipe.files).map(place),
  );
  return compiled.length > 0 ? compiled : recipe.faults(copyWith(texts, code));
}

function compile(files: readonly string[], looked: readonly string[]): readonly string[] {
  const code = files.filter((file) => file.endsWith('.ts'));
  project = api
    .updateSnapshot({ openProjects: [configuration], fileChanges: { changed: code, created: code } })
    .getProject(configuration)!;
  const known = new Set(project.program.getSourceFileNames());
  return looked
    .map((file) => join(repository, file))
    .filter((path) => known.has(path))
    .flatMap((path) => project.program.getSemanticDiagnostics(path))
    .map(({ text }) => text);
}

function copyWith(texts: ReadonlyMap<string, string | null>, code: readonly string[]): Copy {
  const modules = new Map(code.map((file) => [file, readModule(file, texts.get(file)!)]));
  const isNew = (file: string) => !existsSync(join(repository, file));
  const added = [...modules.values()].filter(({ file }) => isNew(file));
  const ofSrc = added.filter(({ file }) => file.startsWith('src/'));
  return {
    read: (file) => texts.get(file) ?? readText(file),
    tests: [...tests, ...added.map(({ file }) => file).filter((file) => file.startsWith('test/'))],
    own: [...own.map((module) => modules.get(module.file) ?? module), ...ofSrc],
    readers: [...readers.map((module) => modules.get(module.file) ?? module), ...added],
  };
}
