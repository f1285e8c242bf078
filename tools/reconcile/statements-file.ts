import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { amountOfCell } from '../../src/contracts/fields/amount.ts';
import { decimalOf, isReplaced } from '../../src/lib/csv/spreadsheet.ts';
import { type Header, readTableRows } from '../../src/lib/csv/table.ts';
import { readExactJson } from '../../src/lib/exact-json.ts';
import { InputError, readHeader, readRecords } from '../input/records.ts';
import { isStatementColumn, readStatementRow } from './statement-row.ts';
import { StatementError, type StatementRow } from './transaction.ts';

const maxRowBytes = 64 * 1024;

/** The rows of a CSV file with a header, or of an NDJSON file. @throws StatementError */
export async function* statementsOfFile(path: string): AsyncGenerator<StatementRow> {
  try {
    yield* path.toLowerCase().endsWith('.csv') ? rowsOfCsv(path) : rowsOfLines(path);
  } catch (error) {
    if (error instanceof StatementError) throw error;
    if (error instanceof InputError || 'code' in (error as object))
      throw new StatementError(`${path} cannot be read: ${(error as Error).message}`);
    throw error;
  }
}

async function* rowsOfCsv(path: string): AsyncGenerator<StatementRow> {
  const header = await readHeader(path);
  for await (const records of readRecords(path, header.behind, header.separator)) {
    for (const [index, cells] of readTableRows(records, header).entries()) {
      const where = `${path}, line ${records[index]!.line}`;
      if (cells?.length !== 0) yield readStatementRow(membersOf(cells ?? null, header, where), where);
    }
  }
}

/** Columns that are no members are left out. @throws StatementError */
function membersOf(cells: readonly string[] | null, { names }: Header, where: string): unknown {
  if (cells?.length !== names.length) throw new StatementError(`${where} cannot be read`);
  const members: Record<string, string | number> = {};
  for (const [index, name] of names.entries()) {
    if (!isStatementColumn(name)) continue;
    if (Object.hasOwn(members, name)) throw new StatementError(`${where}: ${name} is there twice`);
    const cell = cells[index]!;
    const value = name === 'amount' ? decimalOf(cell) : isReplaced(cell) ? null : cell;
    if (value === null) throw new StatementError(`${where}: ${name}: a spreadsheet has changed it`);
    members[name] = name === 'amount' ? amountOfCell(value) : value;
  }
  return members;
}

async function* rowsOfLines(path: string): AsyncGenerator<StatementRow> {
  const handle = await open(path);
  let line = 0;
  // Their bytes: read as UTF-8, what is none would become other names.
  for await (const bytes of handle.readLines({ encoding: 'latin1' })) {
    line += 1;
    if (bytes.trim() === '') continue;
    const where = `${path}, line ${line}`;
    if (bytes.length > maxRowBytes) throw new StatementError(`${where}: too long`);
    yield readStatementRow(jsonOf(Buffer.from(bytes, 'latin1'), where), where);
  }
}

function jsonOf(bytes: Buffer, where: string): unknown {
  if (!isUtf8(bytes)) throw new StatementError(`${where}: not UTF-8`);
  try {
    return readExactJson(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new StatementError(`${where}: not JSON`);
    throw error;
  }
}
