import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { citingTexts, decisionsOf, unfolded } from './support/citations.ts';

/** The repository suffices alone: what code, tests and documents cite is in it. */

type Citation = { readonly page: string; readonly heading: string | null };

const repository = resolve(import.meta.dirname, '../..');
/** Sources that were never in the repository: nothing cites them. */
const outsideSources = {
  'domain.md': /(?<![\w/.-])domain\.md/,
  'http.md': /(?<![\w/.-])http\.md/,
  'runtime.md': /(?<![\w/.-])runtime\.md/,
  'wallet.md': /(?<![\w/.-])wallet\.md/,
  'events.md': /(?<![\w/.-])events\.md/,
  'performance.md': /(?<![\w/.-])performance\.md/,
  'documents 1 to 3': /\bdocuments?[ _-][123]\b/i,
};

const texts = citingTexts();
const files = [...texts.keys()];
const headings = new Map(
  files.filter((file) => file.endsWith('.md')).map((file) => [file, headingsOf(texts.get(file)!)]),
);
const citations = files.flatMap((file) => citationsOf(texts.get(file)!).map((each) => ({ file, ...each })));
const decisions = readdirSync(join(repository, 'docs/decisions'));

test('every cited page of docs exists and has the heading', () => {
  expect(citations.length).toBeGreaterThan(50);
  const wrong = citations.filter(
    ({ page, heading }) =>
      !headings.has(page) || (heading !== null && !headings.get(page)!.includes(heading)),
  );
  expect(wrong.map(({ file, page, heading }) => `${file}: ${page} "${heading ?? ''}"`)).toEqual([]);
});

test('code cites a rule by its heading', () => {
  const tables = ['docs/rules/configuration.md', 'docs/rules/README.md'];
  const vague = citations
    .filter(({ file }) => !file.endsWith('.md'))
    .filter(
      ({ page, heading }) => page.startsWith('docs/rules/') && heading === null && !tables.includes(page),
    );
  expect(vague.map(({ file, page }) => `${file}: ${page}`)).toEqual([]);
});

test('every cited decision exists', () => {
  const found = files.flatMap((file) => decisionsOf(texts.get(file)!).map((name) => ({ file, name })));
  expect(found.length).toBeGreaterThan(50);
  const wrong = found.filter(
    ({ name }) =>
      !decisions.some(
        (page) => page === `${name}.md` || (/^\d{4}$/.test(name) && page.startsWith(`${name}-`)),
      ),
  );
  expect(wrong.map(({ file, name }) => `${file}: docs/decisions/${name}`)).toEqual([]);
});

test('links between documents lead to a file, and to a heading where they name one', () => {
  const wrong = [...headings.keys()].flatMap((file) =>
    linksOf(texts.get(file)!)
      .filter((link) => !leadsSomewhere(file, link))
      .map((link) => `${file}: ${link}`),
  );
  expect(wrong).toEqual([]);
});

test('nothing cites a source outside of the repository', () => {
  const wrong = files
    .filter((file) => !file.startsWith('docs/rules/'))
    .flatMap((file) =>
      Object.entries(outsideSources)
        .filter(([, pattern]) => pattern.test(unfolded(texts.get(file)!)))
        .map(([name]) => `${file}: ${name}`),
    );
  expect(wrong).toEqual([]);
});

test('citations are seen wherever a comment breaks', () => {
  expect(
    citationsOf(`
 * One (docs/rules/a.md "First rule"), two (docs/rules/b.md "Second
 * rule" and "Third"), and docs/jpd1.md,
 // docs/rules/c.md
 // "Fourth".`),
  ).toEqual([
    { page: 'docs/rules/a.md', heading: 'First rule' },
    { page: 'docs/rules/b.md', heading: 'Second rule' },
    { page: 'docs/rules/b.md', heading: 'Third' },
    { page: 'docs/jpd1.md', heading: null },
    { page: 'docs/rules/c.md', heading: 'Fourth' },
  ]);
  expect(
    decisionsOf('(docs/decisions/0066, 0067), docs/decisions/0001-log.md, [why](decisions/0002-a.md)'),
  ).toEqual(['0066', '0067', '0001-log', '0002-a']);
  expect(headingsOf('# One\n```sh\n# no heading\n```\n### Two `three`')).toEqual(['One', 'Two `three`']);
  expect(outsideSources['documents 1 to 3'].test('as Document 2 says')).toBe(true);
  expect(outsideSources['http.md'].test('docs/rules/http.md')).toBe(false);
});

/** `docs/page.md "Heading"`, `docs/page.md "One" and "Two"`, `docs/page.md`. */
function citationsOf(text: string): Citation[] {
  const pattern = /(?<![\w/])(docs\/(?:rules\/)?[\w-]+\.md)((?: (?:and )?"[^"]+")*)/g;
  return [...unfolded(text).matchAll(pattern)].flatMap(([, page = '', quoted = '']): Citation[] => {
    const named = [...quoted.matchAll(/"([^"]+)"/g)].map(([, heading = '']) => ({ page, heading }));
    return named.length > 0 ? named : [{ page, heading: null }];
  });
}

function linksOf(text: string): string[] {
  const prose = withoutCode(text);
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : relative(repository, resolve(repository, dirname(file), path));
  if (!existsSync(join(repository, target))) return false;
  return anchor === undefined || (headings.get(target) ?? []).some((heading) => anchorOf(heading) === anchor);
}

/** As GitHub makes them. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function headingsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ +(.*)$/gm)].map(([, heading = '']) => heading.trim());
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}
