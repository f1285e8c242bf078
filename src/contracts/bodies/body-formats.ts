/** The contribution stream's, both ways: lines of JSON. */
export const ndjsonMediaType = 'application/x-ndjson';

/** The CSV that an operation takes (docs/rules/http.md "CSV"). */
export interface CsvFormat {
  /** The names of the first line, all of them and in this order. */
  readonly header: readonly string[];
  readonly maxRows: number;
}

/** Server-Sent Events. */
export const eventStreamMediaType = 'text/event-stream';
