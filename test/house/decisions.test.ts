import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { citingTexts, decisionsOf } from './support/citations.ts';

/** docs/decisions/README.md describes the form of a decision record and lists all of them. */

const folder = resolve(import.meta.dirname, '../../docs/decisions');
const rules = resolve(folder, '../rules');
const sections = ['Context', 'Decision', 'Consequences'];
const maxLines = 44;
const datePattern = /^20\d\d-\d\d-\d\d$/;
const statusPattern =
  /^(Accepted|Superseded by \d{4}(, \d{4})*|Partly superseded by \d{4}(, \d{4})* \([^()]+\))$/;

interface Page {
  readonly number: string;
  readonly file: string;
  readonly text: string;
  readonly title: string;
}

interface Row {
  readonly number: string;
  readonly file: string;
  readonly title: string;
}

const index = readFileSync(join(folder, 'README.md'), 'utf8');
const pages = readdirSync(folder)
  .filter((file) => file !== 'README.md')
  .sort()
  .map(readPage);
const rows = readRows(index);

test('there are pages to look at', () => {
  expect(pages.length).toBeGreaterThan(40);
});

test('every page is named by its number, and no number is used twice', () => {
  expect(pages.filter(({ file }) => !/^\d{4}(-[a-z0-9]+)+\.md$/.test(file))).toEqual([]);
  expect(new Set(pages.map(({ number }) => number)).size).toBe(pages.length);
});

test('a number that a page has taken over is no page any more, and belongs to one', () => {
  const taken = pages.flatMap(({ text }) => header(text, 'Includes').match(/\d+/g) ?? []);
  expect(taken.length).toBeGreaterThan(100);
  expect(taken.filter((number) => pages.some((page) => page.number === number))).toEqual([]);
  expect(taken.filter((number, at) => taken.indexOf(number) !== at)).toEqual([]);
});

test.each(pages)('$file has title, date, status and its sections in order', ({ number, title, text }) => {
  const lines = text.split('\n').filter((line) => line !== '');
  expect(lines[0]).toBe(`# ${number}. ${title}`);
  expect(header(text, 'Date')).toMatch(datePattern);
  expect(plain(header(text, 'Status'))).toMatch(statusPattern);
  expect(lines[1]).toMatch(/^Date: /);
  expect(lines[2]).toMatch(/^Status: /);
  const parts = text.split(/^## /m).slice(1);
  expect(parts.map((part) => part.slice(0, part.indexOf('\n')))).toEqual(sections);
  for (const part of parts) expect(part.slice(part.indexOf('\n')).trim()).not.toBe('');
  expect(text.split('\n').length).toBeLessThanOrEqual(maxLines);
});

test('something outside of the folder cites every page', () => {
  expect(uncited(pages, citingTexts())).toEqual([]);
});

test('a page that only another page and the index cite is found', () => {
  const texts = new Map([
    ['src/a.ts', '/** Why (docs/decisions/0002). */'],
    ['docs/rules/a.md', '[why](../decisions/0003-three.md)'],
    ['docs/decisions/0002-two.md', 'docs/decisions/0001'],
    ['docs/decisions/README.md', 'docs/decisions/0001'],
  ]);
  const named = ['0001', '0002', '0003'].map((number) => ({ number, file: `${number}-name.md` }));
  expect(uncited(named, texts)).toEqual(['0001-name.md']);
});

test('the index lists every page once, with its title', () => {
  expect(byNumber(rows)).toEqual(pages.map(({ number, file, title }) => ({ number, file, title })));
});

test('each topic of the index has pages, in order of their numbers', () => {
  const topics = index.split(/^### /m).slice(1).map(readRows);
  expect(topics.length).toBeGreaterThan(5);
  expect(topics.flat()).toEqual(rows);
  for (const topic of topics) {
    expect(topic).not.toEqual([]);
    expect(topic).toEqual(byNumber(topic));
  }
});

test('a page that is superseded in part says in which', () => {
  const form = 'Partly superseded by 0200';
  expect([form, `${form} ()`, `${form} (what)`].map((status) => statusPattern.test(status))).toEqual([
    false,
    false,
    true,
  ]);
});

test('pages that supersede each other link both ways', () => {
  expect(oneWay(pages)).toEqual([]);
  const older = '# 1\n\nStatus: Superseded by [0002](a.md)\n\n## Context';
  const newer = '# 2\n\nStatus: Accepted\nSupersedes: [0001](b.md)\n\n## Context';
  expect(oneWay([{ number: '0001', text: older }])).toEqual(['0001 is superseded by 0002']);
  expect(
    oneWay([
      { number: '0001', text: older },
      { number: '0002', text: newer },
    ]),
  ).toEqual([]);
});

test('every link of the decisions and the rules leads to a file', () => {
  const files = [folder, rules].flatMap((each) => readdirSync(each).map((file) => join(each, file)));
  const broken = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|\/)([^)#]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(resolve(dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  );
  expect(broken).toEqual([]);
});

function readPage(file: string): Page {
  const text = readFileSync(join(folder, file), 'utf8');
  const number = file.slice(0, 4);
  const [, title = ''] = /^# \d+\. (.+)$/m.exec(text) ?? [];
  return { number, file, text, title };
}

function uncited(
  listed: readonly Pick<Page, 'number' | 'file'>[],
  texts: ReadonlyMap<string, string>,
): string[] {
  const cited = [...texts]
    .filter(([file]) => !file.startsWith('docs/decisions/'))
    .flatMap(([, text]) => decisionsOf(text).map((name) => name.slice(0, 4)));
  return listed.filter(({ number }) => !cited.includes(number)).map(({ file }) => file);
}

function oneWay(listed: readonly Pick<Page, 'number' | 'text'>[]): string[] {
  const relations = listed.flatMap(({ number, text }) => [
    ...linkedNumbers(header(text, 'Status')).map((by) => `${number} is superseded by ${by}`),
    ...linkedNumbers(header(text, 'Supersedes')).map((older) => `${older} is superseded by ${number}`),
  ]);
  return relations.filter((each) => relations.indexOf(each) === relations.lastIndexOf(each));
}

function readRows(text: string): Row[] {
  return [...text.matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \| .+ \|$/gm)].map(
    ([, number = '', file = '', title = '']) => ({ number, file, title }),
  );
}

function byNumber(listed: readonly Row[]): Row[] {
  return listed.toSorted((a, b) => Number(a.number) - Number(b.number));
}

/** The text of a line `name: …` above the first section; empty where there is none. */
function header(text: string, name: string): string {
  const head = text.slice(0, text.indexOf('\n## '));
  return new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
}

/** Links become their texts. */
function plain(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

function linkedNumbers(text: string): string[] {
  return [...text.matchAll(/\[(\d{4})\]/g)].map(([, number = '']) => number);
}
