import { LogError } from '../../ports.ts';

/** What JetStream answers instead of a result. */
export interface ServerError {
  readonly code: number;
  readonly err_code?: number;
  readonly description?: string;
}

const STREAM_NOT_FOUND = 10059;
const MESSAGE_NOT_FOUND = 10037;
const WRONG_LAST_SEQUENCE = 10071;
/** The server knows that it is wrong, but not (yet) what the last one is. */
const WRONG_LAST_SEQUENCE_IN_FLIGHT = 10164;
const STORE_FAILED = 10077;
const INSUFFICIENT_STORAGE = 10047;
const STREAM_NAME_IN_USE = 10058;
const DUPLICATE_IN_PROCESS = 10158;

export function isStreamMissing(error: ServerError): boolean {
  return error.err_code === STREAM_NOT_FOUND;
}

export function isMessageMissing(error: ServerError): boolean {
  return error.err_code === MESSAGE_NOT_FOUND;
}

export function isStreamThere(error: ServerError): boolean {
  return error.err_code === STREAM_NAME_IN_USE;
}

export function isOutOfStorage(error: ServerError): boolean {
  return error.err_code === INSUFFICIENT_STORAGE;
}

/** The last sequence that a refused publish names; null where the refusal is another, −1 where it names none. */
export function wrongLastSequence(error: ServerError): number | null {
  if (error.err_code === WRONG_LAST_SEQUENCE_IN_FLIGHT) return -1;
  if (error.err_code !== WRONG_LAST_SEQUENCE) return null;
  const named = /(\d+)\s*$/.exec(error.description ?? '');
  return named === null ? -1 : Number(named[1]);
}

export function toLogError(error: ServerError, what: string): LogError {
  const message = `${what}: ${error.description ?? 'no description'} (${error.err_code ?? error.code})`;
  if (error.err_code === DUPLICATE_IN_PROCESS) return new LogError('unknown', message);
  if (error.err_code === INSUFFICIENT_STORAGE) return new LogError('full', message);
  if (error.err_code === STORE_FAILED) {
    return new LogError(/maximum/.test(error.description ?? '') ? 'full' : 'unknown', message);
  }
  if (error.code === 503 || error.code === 500) return new LogError('unavailable', message);
  return new LogError('misconfigured', message);
}
