import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../../..');
const folders = [
  'src',
  'tools',
  'verifier',
  'test',
  'bench',
  'scripts',
  'sdk',
  'client',
  'console/src',
  'examples',
  'web',
  'deploy',
  'docs',
];
const single = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'vitest.config.ts'];
/** Their examples are no citations. */
const withExamples = [
  'citations.test.ts',
  'decisions.test.ts',
  'support/citations.ts',
  'support/lists.ts',
  'support/recipes.ts',
].map((file) => `test/house/${file}`);

/** What cites pages of this repository: the text of each file by its path. */
export function citingTexts(): Map<string, string> {
  const files = [...folders.flatMap((folder) => listFiles(join(repository, folder))), ...single]
    .map((path) => relative(repository, resolve(repository, path)))
    .filter((file) => !withExamples.includes(file));
  return new Map(files.map((file) => [file, readFileSync(join(repository, file), 'utf8')]));
}

/**
 * Decisions that a text cites: `docs/decisions/0001`, `docs/decisions/0001, 0002 and 0003`, and links such as
 * `../decisions/0001-name.md`. Numbers, or names without `.md`.
 */
export function decisionsOf(text: string): string[] {
  const pattern = /(?<=[/(])decisions\/(\d{4}(?:-[\w-]+)?)(?:\.md)?((?:(?:,| and) \d{4}\b)*)/g;
  return [...unfolded(text).matchAll(pattern)].flatMap(([, first = '', more = '']) => [
    first,
    ...(more.match(/\d{4}/g) ?? []),
  ]);
}

/** A comment or a paragraph on one line. */
export function unfolded(text: string): string {
  return text.replace(/\s*\n[ \t]*(?:\/\/|\*(?!\/)|#)?[ \t]*/g, ' ');
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFiles(path);
    return /\.(?:ts|tsx|mjs|js|md|conf|json|css|html|sh|yml|yaml)$/.test(entry.name) ? [path] : [];
  });
}
