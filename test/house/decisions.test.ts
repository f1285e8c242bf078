import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** docs/decisions/README.md describes the form of a decision record and lists all of them. */

const folder = resolve(import.meta.dirname, '../../docs/decisions');
const rules = resolve(folder, '../rules');
/** Pages that are not in the form yet: only their number, title and place in the index are checked. */
const notConverted: ReadonlySet<string> = new Set();
const sections = ['Context', 'Decision', 'Consequences'];
const datePattern = /^20\d\d-\d\d-\d\d$/;
const statusPattern =
  /^(Accepted|Superseded by \d{4}(, \d{4})*|Partly superseded by \d{4}(, \d{4})* \([^()]+\))$/;

interface Page {
  readonly number: string;
  readonly file: string;
  readonly text: string;
  readonly title: string;
  readonly isConverted: boolean;
}

interface Row {
  readonly number: string;
  readonly file: string;
  readonly title: string;
  readonly status: string;
  readonly date: string;
}

const index = readFileSync(join(folder, 'README.md'), 'utf8');
const pages = readdirSync(folder)
  .filter((file) => file !== 'README.md')
  .sort()
  .map(readPage);
const converted = pages.filter(({ isConverted }) => isConverted);
const rows = readRows(index);

test('there are pages to look at', () => {
  expect(converted.length).toBeGreaterThan(50);
});

test('every page is named by its number, and no number is used twice', () => {
  expect(pages.filter(({ file }) => !/^\d{4}(-[a-z0-9]+)+\.md$/.test(file))).toEqual([]);
  expect(new Set(pages.map(({ number }) => number)).size).toBe(pages.length);
});

test.each(converted)('$file has title, date, status and its sections in order', ({ number, title, text }) => {
  const lines = text.split('\n').filter((line) => line !== '');
  expect(lines[0]).toBe(`# ${number}. ${title}`);
  expect(header(text, 'Date')).toMatch(datePattern);
  expect(plain(header(text, 'Status'))).toMatch(statusPattern);
  expect(lines[1]).toMatch(/^Date: /);
  expect(lines[2]).toMatch(/^Status: /);
  const parts = text.split(/^## /m).slice(1);
  expect(parts.map((part) => part.slice(0, part.indexOf('\n')))).toEqual(sections);
  for (const part of parts) expect(part.slice(part.indexOf('\n')).trim()).not.toBe('');
});

test('the index lists every page once, with its title', () => {
  expect(byNumber(rows).map(({ number, file, title }) => ({ number, file, title }))).toEqual(
    pages.map(({ number, file, title }) => ({ number, file, title })),
  );
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

test('the index has the status and the date of every page', () => {
  const listed = byNumber(rows).filter(({ number }) => !notConverted.has(number));
  expect(listed.map(({ number, status, date }) => ({ number, status, date }))).toEqual(
    converted.map(({ number, text }) => ({
      number,
      status: plain(header(text, 'Status')),
      date: header(text, 'Date'),
    })),
  );
});

test('pages that supersede each other, or were split, link both ways', () => {
  const relations = converted.flatMap(({ number, text }) => [
    ...linkedNumbers(header(text, 'Status')).map((by) => `${number} is superseded by ${by}`),
    ...linkedNumbers(header(text, 'Supersedes')).map((older) => `${older} is superseded by ${number}`),
    ...linkedNumbers(header(text, 'Split from')).map((from) => `${from} is split into ${number}`),
    ...linkedNumbers(header(text, 'Split into')).map((into) => `${number} is split into ${into}`),
  ]);
  const oneWay = relations
    .filter((each) => ![...notConverted].some((number) => each.includes(number)))
    .filter((each) => relations.indexOf(each) === relations.lastIndexOf(each));
  expect(relations.length).toBeGreaterThan(50);
  expect(oneWay).toEqual([]);
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
  return { number, file, text, title, isConverted: !notConverted.has(number) };
}

function readRows(text: string): Row[] {
  return [...text.matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \| (.+) \| (.+) \|$/gm)].map(
    ([, number = '', file = '', title = '', status = '', date = '']) => ({
      number,
      file,
      title,
      status,
      date,
    }),
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
