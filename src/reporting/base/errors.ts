/** Why the books cannot be opened or written; docs/reporting.md says what to do about each. */
type StoreFault =
  /** Its tables are of a newer release. */
  | 'reporting_schema_newer'
  /** Its tables are of an older release: they are made anew. */
  | 'reporting_schema_older'
  /** Its rows are another system's. */
  | 'reporting_other_system'
  /** Messages are in it that the log does not have. */
  | 'reporting_ahead'
  /** Another process has written to this lane's books since. */
  | 'reporting_fenced'
  /** The database does not answer. */
  | 'reporting_unavailable';

export class StoreError extends Error {
  readonly code: StoreFault;
  readonly retryable: boolean;

  constructor(code: StoreFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreError';
    this.code = code;
    this.retryable = code === 'reporting_unavailable' || code === 'reporting_fenced';
  }
}
