import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { amountOfCell } from '../../contracts/amount.ts';
import { readExactJson } from '../../lib/exact-json.ts';
import { readStatementRow } from './statement-row.ts';
import { StatementError, type StatementRow } from './transaction.ts';

const maxRowBytes = 64 * 1024;

/** The rows of a CSV file with a header, or of an NDJSON file. @throws StatementError */
export async function* statementsOfFile(path: string): AsyncGenerator<StatementRow> {
  try {
    yield* path.toLowerCase().endsWith('.csv') ? rowsOfCsv(path) : rowsOfLines(path);
  } catch (error) {
    if (error instanceof StatementError) throw error;
    if (error instanceof CsvError || 'code' in (error as object))
      throw new StatementError(`${path} cannot be read: ${(error as Error).message}`);
    throw error;
  }
}

async function* rowsOfCsv(path: string): AsyncGenerator<StatementRow> {
  const input = (await open(path)).createReadStream();
  const options = {
    bom: true,
    columns: true,
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
    info: true,
  };
  // An error of the input ends the parser, whose reader gets it.
  const parser = pipeline(input, parse(options), () => {});
  for await (const { record, info } of parser as AsyncIterable<ParsedRow>)
    yield readStatementRow(typedCells(record), `${path}, line ${info.lines}`);
}

interface ParsedRow {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

function typedCells(cells: ParsedRow['record']): unknown {
  return cells.amount === undefined ? cells : { ...cells, amount: amountOfCell(cells.amount) };
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
