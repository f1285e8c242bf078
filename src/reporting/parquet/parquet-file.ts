import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { canonicalJson } from '../../lib/canonical-json.ts';
import type { ColumnKind } from '../base/columns.ts';
import { type TableShape, tables } from '../base/tables.ts';
import { type AnyRow, kindsOf } from '../store/shared/rows.ts';
import type { ParquetTable } from './warehouse.ts';

/** Rows of a row group: what a file that is being written has in memory. */
const groupRows = 5_000;
const fileMode = 0o640;

/** A new file of rows, written row group by row group. */
export class ParquetFile {
  readonly #handle: FileHandle;
  readonly #columns: readonly (readonly [name: string, kind: ColumnKind])[];
  readonly #bytes = new ByteWriter();
  readonly #parquet: ParquetWriter;
  readonly #hash = createHash('sha256');
  #rows: AnyRow[] = [];
  #count = 0;

  private constructor(handle: FileHandle, table: ParquetTable) {
    const shape: TableShape = tables[table];
    this.#handle = handle;
    this.#columns = kindsOf(shape);
    const elements = Object.entries(shape.columns).map(
      ([name, { kind, isNullable }]): SchemaElement => ({
        ...elementOf(kind),
        ...{ name, repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED' },
      }),
    );
    this.#parquet = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: table, num_children: elements.length }, ...elements],
      createdBy: 'potstream',
    });
  }

  static async create(path: string, table: ParquetTable): Promise<ParquetFile> {
    return new ParquetFile(await open(path, 'wx', fileMode), table);
  }

  /** Takes a row. A promise: a row group is to be written first. */
  add(row: AnyRow): Promise<void> | void {
    this.#rows.push(row);
    if (this.#rows.length >= groupRows) return this.#writeGroup();
  }

  /** The file is durable. */
  async finish(): Promise<{ readonly rows: number; readonly bytes: number; readonly sha256: string }> {
    await this.#writeGroup();
    await this.#parquet.finish();
    await this.#flush();
    await this.#handle.sync();
    return { rows: this.#count, bytes: this.#bytes.offset, sha256: this.#hash.digest('hex') };
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    this.#rows = [];
    this.#count += rows.length;
    await this.#parquet.write({
      columnData: this.#columns.map(([name, kind]) => ({
        name,
        data: rows.map((row) => parquetValue(kind, row[name])),
      })),
      rowGroupSize: rows.length,
    });
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const bytes = this.#bytes.getBytes();
    this.#hash.update(bytes);
    await this.#handle.writeFile(bytes);
    this.#bytes.index = 0;
  }
}

/** Amounts are DECIMAL(38, 8), units of the currency, as PostgreSQL has them: no float is in between. */
function elementOf(kind: ColumnKind): Omit<SchemaElement, 'name'> {
  switch (kind) {
    case 'integer':
      return { type: 'INT64' };
    case 'amount':
    case 'sum':
      return {
        ...{ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 },
        ...{ converted_type: 'DECIMAL', precision: 38, scale: 8 },
      };
    case 'time':
      return {
        ...{ type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
      };
    case 'boolean':
      return { type: 'BOOLEAN' };
    default:
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
  }
}

/** Atoms are the unscaled values of a DECIMAL of eight decimals. JSON is the same from both databases. */
function parquetValue(kind: ColumnKind, value: unknown): unknown {
  if (value === null) return undefined;
  if (kind === 'integer' || kind === 'time') return BigInt(value as number);
  return kind === 'json' ? canonicalJson(value) : value;
}
