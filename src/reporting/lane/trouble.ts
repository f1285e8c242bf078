import { UnsupportedEngineVersion } from '../../jackpot/lane/versions/versions.ts';
import { LogError } from '../../ports.ts';
import { StoreError } from '../base/errors.ts';
import { BooksError } from '../books/books-error.ts';

/** What a person has to end: the closed list of codes in `potstream_reporting_alarms_total`. */
export const reportingAlarms = [
  /** Recomputing a message gave another result than its outcome record has. */
  'books_differ',
  /** The books know messages that the log does not have. */
  'reporting_ahead',
  /** The log and its archive have lost messages that the books do not have. */
  'reporting_gap',
  /** The database has the books of another system. */
  'reporting_other_system',
  /** The tables of the database are of a newer release. */
  'reporting_schema_newer',
  /** The tables of the database are of an older release. */
  'reporting_schema_older',
  /** The next message, or the lane, is of a form that only a newer release reads. */
  'reporting_unsupported',
  /** A message cannot be read, the database refuses a row, or a bug of ours. */
  'reporting_failed',
  /** A nightly check found figures that are not what others say that they must be. */
  'books_disagree',
  /** A nightly check came to no end. */
  'books_not_checked',
] as const;
export type ReportingAlarm = (typeof reportingAlarms)[number];

/** What ends by itself: the database or the log does not answer; there is no snapshot yet to begin with. */
type Wait = 'reporting_unavailable' | 'log_unavailable' | 'reporting_not_begun';

/** What keeps the books of a lane from going on. */
export interface Trouble {
  readonly code: ReportingAlarm | Wait;
  readonly error: unknown;
}

const alarms: ReadonlySet<string> = new Set(reportingAlarms);

/** The alarm that the trouble is; null: it ends by itself. */
export function alarmOfTrouble({ code }: Trouble): ReportingAlarm | null {
  return alarms.has(code) ? (code as ReportingAlarm) : null;
}

export function troubleOf(error: unknown): Trouble {
  return { code: codeOf(error), error };
}

const booksCodes = {
  books_differ: 'books_differ',
  books_ahead: 'reporting_ahead',
  stream_keys_missing: 'reporting_not_begun',
} as const;

function codeOf(error: unknown): Trouble['code'] {
  if (error instanceof BooksError) return booksCodes[error.code];
  if (error instanceof StoreError) return error.code === 'reporting_fenced' ? 'log_unavailable' : error.code;
  if (error instanceof UnsupportedEngineVersion) return 'reporting_unsupported';
  if (!(error instanceof LogError)) return 'reporting_failed';
  if (error.retryable || error.code === 'stopped') return 'log_unavailable';
  if (error.code === 'hole') return 'reporting_gap';
  return error.code === 'unsupported' ? 'reporting_unsupported' : 'reporting_failed';
}
