import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ExportedTable, exportedTables } from '../../../src/contracts/reports/exports.ts';
import { encodeBooksAnswer, maxAnswerBytes } from '../../../src/contracts/reports/questions.ts';
import { formatAmount } from '../../../src/lib/money.ts';
import { answerBooks } from '../../../src/reporting/answers/answer.ts';
import { csvCell } from '../../../src/reporting/answers/csv.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { batchTo, dayMs, noon, rowWith } from '../support/batches.ts';
import { onEachDatabase } from '../support/places.ts';

/** A whole export, part by part as a gateway asks for it. */
async function exported(
  store: BooksStore,
  table: ExportedTable,
  format: 'csv' | 'ndjson',
  from: string | null = null,
  limit = 100,
): Promise<string> {
  const parts: string[] = [];
  let cursor = from;
  do {
    const answer = await answerBooks(store, { kind: 'export', table, format, where: [], cursor, limit });
    if (answer.kind !== 'found') throw new Error(answer.kind);
    expect(encodeBooksAnswer(answer).length).toBeLessThan(maxAnswerBytes);
    parts.push(answer.body);
    cursor = answer.cursor;
  } while (cursor !== null);
  return parts.join('');
}

/** Rows as Python's csv module reads them, which knows nothing of us. */
function pythonRows(text: string): readonly Record<string, string>[] {
  const directory = mkdtempSync(join(tmpdir(), 'potstream-csv-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'rows.csv');
  writeFileSync(file, text);
  const program = `import csv,json,sys
print(json.dumps(list(csv.DictReader(open(sys.argv[1], encoding='utf-8-sig', newline='')))))`;
  return JSON.parse(execFileSync('python3', ['-c', program, file], { maxBuffer: 2 ** 28 }).toString());
}

const oddTexts = [
  '=1+1',
  '@SUM(A1)',
  '-2',
  '+49 30',
  '0042',
  '1e5',
  '2026-01-02',
  'Mar 1',
  'TRUE',
  "'a",
  'a,"b"\r\nc',
  ' x',
  '١٢',
  'ünï',
];

onEachDatabase((books) => {
  test('a CSV has every row once, each text and amount to the letter', async () => {
    const store = await books.open();
    const rows = Array.from({ length: 350 }, (_, index) =>
      rowWith('contributions', {
        ...{
          sequence: 1,
          command_index: index,
          time: noon + Math.floor(index / 9),
          contribution_id: `id-${index}`,
        },
        ...{ player: oddTexts[index % oddTexts.length] ?? '', gameround: index % 2 === 0 ? null : '' },
        ...{ contribution_amount: 2n ** 62n - BigInt(index), won_amount: index % 3 === 0 ? null : -1n },
        split: { 'a.current': '0.1', b: '-0.1' },
      }),
    );
    await store.write(batchTo(1, -1, { rows: { contributions: rows } }));
    const text = await exported(store, 'contributions', 'csv');
    const found = pythonRows(text);
    expect(found).toHaveLength(rows.length);
    found.forEach((row, index) => {
      const is = rows[index]!;
      const player = row.player!.startsWith("'") ? row.player!.slice(1) : row.player;
      expect([row.contribution_id, player]).toEqual([is.contribution_id, is.player]);
      expect(row.contribution_amount).toBe(formatAmount(is.contribution_amount));
      expect(row.won_amount).toBe(is.won_amount === null ? '' : formatAmount(is.won_amount));
      expect(row.time).toBe(new Date(is.time).toISOString());
      expect(JSON.parse(row.split!)).toEqual(is.split);
      // What a spreadsheet would run.
      for (const cell of Object.values(row)) expect(cell).not.toMatch(/^(?:[=+@\t\r]|-(?!0\.00000001$))/);
    });
    // Broken off behind any line, it goes on with the next.
    const rest = await exported(store, 'contributions', 'csv', found[200]!.cursor!);
    expect(`${text.slice(0, text.length - rest.length)}${rest}`).toBe(text);
    expect(pythonRows(`${text.slice(0, text.indexOf('\r\n') + 2)}${rest}`)).toEqual(found.slice(201));
  });

  test('lines of JSON have exact amounts, and the same rows', async () => {
    const store = await books.open();
    const days = Array.from({ length: 30 }, (_, index) =>
      new Date(noon + index * dayMs).toISOString().slice(0, 10),
    );
    const of = { operator: 'o', brand: 'o:b', pot: '', currency: 'EUR', instance: 'i' };
    const dailyTotals = days.map((day) => ({ ...of, day, measures: { won: 10n ** 20n + 1n } }));
    await store.write(batchTo(1, -1, { dailyTotals }));
    const lines = (await exported(store, 'daily_totals', 'ndjson', null, 7)).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).day)).toEqual(days);
    for (const line of lines) expect(line).toContain('"won":1000000000000.00000001,');
  });

  test('every table that can be exported has an order that its cursor goes on in', async () => {
    const store = await books.open();
    for (const table of Object.keys(exportedTables) as ExportedTable[]) {
      const header = (await exported(store, table, 'csv')).trimEnd();
      expect(header.startsWith('\uFEFF')).toBe(true);
      expect(header.endsWith(',cursor')).toBe(true);
      const bad = { kind: 'export', table, format: 'csv', where: [], cursor: 'W10', limit: 1 } as const;
      expect((await answerBooks(store, bad)).kind).toBe('bad_cursor');
    }
  });
});

test('a cell is guarded where a spreadsheet would take it for something else, and only there', () => {
  const guarded = [
    '=1',
    '+1',
    '-1',
    '@a',
    '\tx',
    '\rx',
    '\nx',
    "'x",
    '＝1',
    '12',
    '1.5',
    '1,5',
    '1e5',
    '007',
    '1/2',
    '2026-11-28',
    '12:30',
  ].concat(['5 mar', '3 PM', 'Jan-26', 'SEPT2', 'true', 'WAHR', '50%', '€5', '(5)']);
  for (const text of guarded) {
    const cell = csvCell('text', text);
    expect(cell.startsWith("'") || cell.startsWith('"\'')).toBe(true);
  }
  for (const text of [
    'player-1',
    'slot-1',
    'demo:main',
    'a',
    'x=1',
    '{"a":1}',
    '3f2a77b0-0000-4000-8000-1234567890ab',
    'main',
  ])
    expect(csvCell('text', text).replaceAll('"', '')).toBe(text.replaceAll('"', ''));
  expect([csvCell('text', null), csvCell('text', '')]).toEqual(['', '""']);
  expect(csvCell('amount', -150_000_000n)).toBe('-1.5');
});
