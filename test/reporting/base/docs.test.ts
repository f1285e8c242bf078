import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Column } from '../../../src/reporting/base/columns.ts';
import { type TableShape, tables } from '../../../src/reporting/base/tables.ts';

/** docs/reporting.md has each table and column of the list. `npx vitest run test/reporting/base -u` writes them again. */

const page = resolve(import.meta.dirname, '../../../docs/reporting.md');
const heading = '## Tables\n\n';

test('docs/reporting.md lists every table as the code has it', async () => {
  const text = readFileSync(page, 'utf8');
  const [head = ''] = text.split(heading);
  const listed = Object.entries(tables).map(([name, table]) => chapter(name, table));
  await expect(`${head}${heading}${listed.join('\n')}`).toMatchFileSnapshot(page);
});

test('every amount names its currency: a column of its table, or in words', () => {
  const wrong = Object.entries(tables as Readonly<Record<string, TableShape>>).flatMap(
    ([name, { columns }]) =>
      Object.entries(columns).flatMap(([column, { kind, currency }]) => {
        const isMoney = kind === 'amount' || kind === 'sum';
        const isNamed = currency !== null && (currency in columns || currency === "the instance's");
        return isMoney === isNamed ? [] : [`${name}.${column}`];
      }),
  );
  expect(wrong).toEqual([]);
});

test('keys and indexes name columns of their table, and no key may be empty', () => {
  const wrong = Object.entries(tables as Readonly<Record<string, TableShape>>).flatMap(
    ([name, { columns, key, indexes }]) => [
      ...[...key, ...indexes.flat()]
        .filter((column) => !(column in columns))
        .map((column) => `${name}.${column}`),
      ...key.filter((column) => columns[column]?.isNullable === true).map((column) => `${name}.${column}?`),
    ],
  );
  expect(wrong).toEqual([]);
});

const ways: Readonly<Record<TableShape['way'], string>> = {
  rows: 'Rows are only added.',
  state: 'A row is replaced when it changes.',
  kept: 'Rows are added to as others are written.',
};

function chapter(name: string, { meaning, source, way, key, columns }: TableShape): string {
  const rows = Object.entries(columns).map(([column, given]) => {
    const marks = `${given.isNullable ? '?' : ''}${given.isPerson ? ' †' : ''}${given.isOfPerson ? ' ‡' : ''}`;
    return `| \`${column}\`${marks} | ${kindText(given, columns)} | ${given.meaning} |`;
  });
  const keys = key.map((column) => `\`${column}\``).join(', ');
  return [
    `### ${name}\n`,
    `${meaning}. Source: ${source}. Key: ${keys}. ${ways[way]}\n`,
    '| column | kind | what it is |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function kindText({ kind, currency }: Column, columns: TableShape['columns']): string {
  if (currency === null) return kind;
  return `${kind} in ${currency in columns ? `\`${currency}\`` : `${currency} currency`}`;
}
