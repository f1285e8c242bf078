/**
 * `books_differ`: the replay is not what the lane recorded. `books_ahead`: the books know messages that OUT
 * does not have. `stream_keys_missing`: something was drawn in an engine version that names no keys, so the
 * books cannot begin before it.
 */
type BooksErrorCode = 'books_differ' | 'books_ahead' | 'stream_keys_missing';

/** The books of a lane cannot go on. What is read again gives the same: a person has to look. */
export class BooksError extends Error {
  readonly code: BooksErrorCode;
  readonly retryable = false;
  readonly lane: number;
  readonly sequence: number;

  constructor(
    code: BooksErrorCode,
    lane: number,
    sequence: number,
    what: string,
    options?: { cause?: unknown },
  ) {
    super(`Lane ${lane}, message ${sequence}: ${what}`, options);
    this.name = 'BooksError';
    this.code = code;
    this.lane = lane;
    this.sequence = sequence;
  }
}
