import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type ContributionV2, JsonText } from '../../sdk/src/index.ts';
import { messageOf } from '../../src/contracts/errors/codes.ts';
import { PublicError } from '../../src/gateway/base/errors.ts';
import { parseText } from '../../src/gateway/base/json-body.ts';
import { maxRecordBytes, type RawRecord, type RecordPlace } from '../../src/lib/csv/record-cutter.ts';
import { type Header, readTableRows } from '../../src/lib/csv/table.ts';
import { readExactJson } from '../../src/lib/exact-json.ts';
import { JsonText as KeptText } from '../../src/lib/json.ts';
import { readHeader, readRecords } from '../input/records.ts';
import { Columns, type Members } from './columns.ts';

/** A record that can be sent, or what is wrong with it. */
export type InputLine = {
  readonly line: number;
  readonly offset: number;
  readonly behind: RecordPlace;
  /** As the record names it; null: it does not. */
  readonly ref: string | number | null;
  readonly key: string;
} & ({ readonly contribution: ContributionV2 } | { readonly fault: string });

export interface InputChoices {
  readonly path: string;
  readonly format: 'csv' | 'ndjson';
  /** The column or member with idempotency keys; null: `options.idempotency_key`. */
  readonly key: string | null;
  /** What keys of records without one begin with. */
  readonly keyPrefix: string;
}

const keyMember = 'options.idempotency_key';
const keyDigits = 32;
const notJson = 'It is not a JSON object in UTF-8.';

/** Keys of records without one are a function of the file's bytes, the name of the batch and the line. */
export function keyPrefixOf(sha256: string, batch: string): string {
  const digest = createHash('sha256').update(`${sha256}\n${batch}`).digest('hex');
  return `send-${digest.slice(0, keyDigits)}-`;
}

/** The contributions of a file from a place on. @throws InputError */
export async function* readContributions(
  choices: InputChoices,
  from: RecordPlace,
): AsyncGenerator<InputLine> {
  if (choices.format === 'csv') return yield* readCsv(choices, from);
  for await (const records of readRecords(choices.path, from, null)) yield* linesOfJson(records, choices);
}

async function* readCsv(choices: InputChoices, from: RecordPlace): AsyncGenerator<InputLine> {
  const { path, key } = choices;
  const header = await readHeader(path);
  const columns = new Columns(header.names, key === keyMember ? null : key);
  for await (const records of readRecords(path, from, header.separator)) {
    const rows = records.filter(({ offset }) => offset !== header.offset);
    yield* linesOfCsv(rows, header, columns, choices);
  }
}

function* linesOfJson(records: readonly RawRecord[], choices: InputChoices): Generator<InputLine> {
  for (const record of records) {
    const text = textOf(record);
    const value = text === null ? notJson : jsonOf(text);
    if (text === null || typeof value === 'string') yield wrong(record, choices, String(value));
    else {
      const names = mayBeNames(text, choices) ? (readExactJson(text) as Members) : value;
      yield lineOf(record, choices, { ...value, ref: names.ref }, keyIn(names, choices.key ?? keyMember));
    }
  }
}

/**
 * Whether names are read on their own: they may have more digits than a double holds, and a key may stand in
 * the metadata.
 */
function mayBeNames(text: string, { key }: InputChoices): boolean {
  return key !== null || /[0-9]{16}/.test(text);
}

function* linesOfCsv(
  records: readonly RawRecord[],
  header: Header,
  columns: Columns,
  choices: InputChoices,
): Generator<InputLine> {
  const rows = readTableRows(records, header);
  for (const [index, record] of records.entries()) {
    const cells = rows[index] ?? null;
    if (cells?.length === 0) continue;
    const members = cells === null ? notCsv(record) : columns.read(cells);
    if (cells === null || typeof members === 'string') yield wrong(record, choices, String(members));
    else yield lineOf(record, choices, members, columns.keyOf(cells) ?? keyIn(members, keyMember));
  }
}

/** A quote at the wrong place may hide the lines behind it. */
function notCsv({ line, behind }: RawRecord): string {
  const last = behind.line - 1;
  return `It is not CSV in UTF-8${last > line ? `, and ends in line ${last}` : ''}.`;
}

function lineOf(
  record: RawRecord,
  { keyPrefix }: InputChoices,
  { ref = null, ...members }: Members,
  givenKey: string | null,
): InputLine {
  const { line, offset, behind } = record;
  const place = { line, offset, behind };
  const key = givenKey ?? `${keyPrefix}${line}`;
  if (!isRef(ref)) return { ...place, ref: null, key, fault: 'ref is neither a text nor a whole number.' };
  const { options = {} } = members;
  if (typeof options !== 'object') return { ...place, ref, key, fault: 'options is not an object.' };
  // What else may be wrong, the service says.
  const contribution = {
    ...members,
    options: { ...options, idempotency_key: key },
  } as unknown as ContributionV2;
  return { ...place, ref, key, contribution };
}

function wrong(
  { line, offset, behind, bytes }: RawRecord,
  { keyPrefix }: InputChoices,
  reason: string,
): InputLine {
  const fault = bytes.length <= maxRecordBytes ? reason : `It is longer than ${maxRecordBytes} bytes.`;
  return { line, offset, behind, ref: null, key: `${keyPrefix}${line}`, fault };
}

function isRef(ref: unknown): ref is string | number | null {
  return ref === null || typeof ref === 'string' || typeof ref === 'number';
}

function textOf({ bytes }: RawRecord): string | null {
  return bytes.length <= maxRecordBytes && isUtf8(bytes) ? bytes.toString('utf8') : null;
}

/**
 * The members, or what is wrong: also with what JSON.parse forgives and O16 does not, since it would be sent
 * as something else.
 */
function jsonOf(text: string): Members | string {
  let value: unknown;
  try {
    value = parseText(text);
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    const { code } = error;
    return code === 'invalid_json' ? notJson : `Potstream refuses it as ${code}: ${messageOf(code)}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return notJson;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    member instanceof KeptText ? new JsonText(member.text) : member,
  ]);
  return Object.fromEntries(members);
}

/** The text or number at a path such as `source.id`. */
function keyIn(members: Members, path: string): string | null {
  let value: unknown = members;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Members)[name];
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
