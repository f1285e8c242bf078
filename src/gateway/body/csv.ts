import { isUtf8 } from 'node:buffer';
import { type Parser, parse } from 'csv-parse';
import { nextTurn } from '../../lib/next-turn.ts';
import { PublicError } from '../errors.ts';

/** The CSV that an operation takes (docs/rules/http.md "CSV"). */
export interface CsvFormat {
  /** The names of the first line, all of them and in this order. */
  readonly header: readonly string[];
  readonly maxRows: number;
}

/** The rows behind the header; a row may have more or fewer cells than it. */
export interface CsvTable {
  readonly rows: readonly (readonly string[])[];
}

/** Characters of a row, and bytes that are read in one turn of the event loop. */
const maxRowLength = 4_096;
const sliceBytes = 16 * 1024;

/** @throws PublicError csv_invalid, payload_too_large */
export async function readCsv(bytes: Buffer, { header, maxRows }: CsvFormat): Promise<CsvTable> {
  // UTF-16 has bytes or zeros that UTF-8 text of ours has not.
  if (!isUtf8(bytes)) throw new PublicError('csv_invalid', 'The text is not UTF-8.');
  const records: (readonly string[])[] = [];
  const faults: Error[] = [];
  const parser = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRowLength,
  });
  parser.on('data', (record: string[]) => records.push(record));
  parser.on('error', (error) => faults.push(error));
  for (let from = 0; from < bytes.length && faults.length === 0; from += sliceBytes) {
    parser.write(bytes.subarray(from, from + sliceBytes));
    await nextTurn();
    requireHeader(records[0], header);
    if (records.length > maxRows + 1) {
      parser.destroy();
      throw new PublicError('payload_too_large');
    }
  }
  if (faults.length === 0) await ended(parser);
  // The message of the parser would repeat input.
  if (faults.length > 0) throw new PublicError('csv_invalid');
  requireHeader(records[0] ?? [], header);
  if (records.length > maxRows + 1) throw new PublicError('payload_too_large');
  return { rows: records.slice(1) };
}

/** Until all is read: a quote that is not closed is found out at the end. */
function ended(parser: Parser): Promise<void> {
  return new Promise((resolve) => {
    parser.once('error', () => resolve());
    parser.once('end', () => resolve());
    parser.end();
  });
}

/** `first` undefined: the first line is not whole yet. */
function requireHeader(first: readonly string[] | undefined, header: readonly string[]): void {
  if (first === undefined) return;
  if (first.length !== header.length || first.some((name, index) => name !== header[index]))
    throw new PublicError('csv_invalid', `The first line is not ${header.join(',')}.`);
}
