import type { CsvFormat } from '../../contracts/bodies/body-formats.ts';
import {
  EndlessRecordError,
  firstPlace,
  type RawRecord,
  RecordCutter,
  type RecordPlace,
} from '../../lib/csv/record-cutter.ts';
import { knownSeparators, readTableHeader, readTableRows, utf16Decoder } from '../../lib/csv/table.ts';
import { nextTurn } from '../../lib/turns.ts';
import { PublicError } from './errors.ts';

export interface CsvRow {
  /** Its lines, counted from 1 after the header. */
  readonly lines: readonly [first: number, last: number];
  /** Perhaps more or fewer than the header has; null: it is no CSV in UTF-8, or too long. */
  readonly cells: readonly string[] | null;
}

/** The rows after the header that are not empty. */
export interface CsvTable {
  readonly rows: readonly CsvRow[];
}

/** Bytes that are read in one turn of the event loop. */
const sliceBytes = 16 * 1024;

/** @throws PublicError csv_invalid, payload_too_large */
export async function readCsv(body: Buffer, { header, maxRows }: CsvFormat): Promise<CsvTable> {
  const bytes = inUtf8(body);
  const first = await firstRecordOf(bytes);
  const found = first === null ? null : readTableHeader(first);
  if (first === null || found === null || found.names.join() !== header.join())
    throw new PublicError('csv_invalid', `The first line is not ${header.join(',')}.`);
  const rows: CsvRow[] = [];
  for await (const records of recordsOf(bytes, first.behind, found.separator)) {
    for (const [index, cells] of readTableRows(records, found).entries()) {
      const { line, behind } = records[index]!;
      const lines = [line + 1 - first.behind.line, behind.line - first.behind.line] as const;
      if (cells?.length !== 0) rows.push({ lines, cells });
    }
    if (rows.length > maxRows) throw new PublicError('payload_too_large');
  }
  return { rows };
}

function inUtf8(bytes: Buffer): Buffer {
  try {
    const decoder = utf16Decoder(bytes);
    return decoder === null ? bytes : Buffer.from(decoder.decode(bytes));
  } catch {
    throw new PublicError('csv_invalid', 'The text is not UTF-16.');
  }
}

async function firstRecordOf(bytes: Buffer): Promise<RawRecord | null> {
  for await (const [record] of recordsOf(bytes, firstPlace, knownSeparators)) {
    if (record !== undefined) return record;
  }
  return null;
}

async function* recordsOf(bytes: Buffer, from: RecordPlace, separators: string): AsyncGenerator<RawRecord[]> {
  const cutter = new RecordCutter(from, separators);
  try {
    for (let at = from.offset; at < bytes.length; at += sliceBytes) {
      yield cutter.cut(bytes.subarray(at, at + sliceBytes));
      await nextTurn();
    }
    yield cutter.end();
  } catch (error) {
    if (error instanceof EndlessRecordError) throw new PublicError('csv_invalid', error.message);
    throw error;
  }
}
