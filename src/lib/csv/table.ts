import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { parse } from 'csv-parse/sync';
import { assert } from '../assert.ts';
import { maxRecordBytes, type RawRecord } from './record-cutter.ts';

/** What spreadsheets separate cells with. */
export const knownSeparators = ',;\t';

/** How the rows of a table are read, as its header says. */
export interface Header {
  readonly names: readonly string[];
  readonly separator: string;
}

/** null: it is no CSV in UTF-8, or too long. Empty columns at its end are none. */
export function readTableHeader(record: RawRecord): Header | null {
  const text = textOf(record);
  if (text === null) return null;
  const separator = separatorOf(text);
  const [names = []] = parsed([text], separator);
  return { names: withoutEmptyEnd(names, 0), separator };
}

/** The trimmed cells of each record; a row of empty cells has none; null: no CSV in UTF-8, or too long. */
export function readTableRows(
  records: readonly RawRecord[],
  { names, separator }: Header,
): (readonly string[] | null)[] {
  const texts = records.map(textOf);
  // All at once: one by one takes a hundred times as long.
  const rows = parsed(
    texts.filter((text) => text !== null),
    separator,
  ).values();
  return texts.map((text) => {
    if (text === null) return null;
    const cells = rows.next().value!;
    return cells.every((cell) => cell.trim() === '') ? [] : withoutEmptyEnd(cells, names.length);
  });
}

/** The known one that is there most often. */
function separatorOf(header: string): string {
  const unquoted = header.replaceAll(/"[^"]*"/g, '');
  const [first = ','] = [...knownSeparators].toSorted(
    (a, b) => unquoted.split(b).length - unquoted.split(a).length,
  );
  return first;
}

function textOf({ bytes, isBroken }: RawRecord): string | null {
  return !isBroken && bytes.length <= maxRecordBytes && isUtf8(bytes) ? bytes.toString('utf8') : null;
}

/** The cells of records that are not broken. */
function parsed(texts: readonly string[], delimiter: string): string[][] {
  const rows = parse(texts.join('\n'), {
    delimiter,
    relax_column_count: true,
    // Where a record ends is known, and may not be guessed from what the first one holds.
    record_delimiter: '\n',
    trim: true,
  });
  assert(rows.length === texts.length, 'each record is a row');
  return rows;
}

function withoutEmptyEnd(cells: readonly string[], atLeast: number): readonly string[] {
  const last = cells.findLastIndex((cell) => cell !== '');
  const length = Math.max(last + 1, Math.min(atLeast, cells.length));
  return length === cells.length ? cells : cells.slice(0, length);
}

/** Decodes a text in UTF-16 in chunks, and throws TypeError where it is broken; null: no mark of UTF-16. */
export function utf16Decoder(beginning: Buffer): TextDecoder | null {
  const [first, second] = beginning;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  return isLittle || isBig ? new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be', { fatal: true }) : null;
}
