import { LogError } from '../../ports.ts';

/** What JetStream answers instead of a result. */
export interface ServerError {
  readonly code: number;
  readonly err_code?: number;
  readonly description?: string;
}

const streamNotFoundCode = 10059;
const messageNotFoundCode = 10037;
const wrongLastSequenceCode = 10071;
/** The server knows that it is wrong, but not (yet) what the last one is. */
const wrongLastSequenceInFlightCode = 10164;
const storeFailedCode = 10077;
const insufficientStorageCode = 10047;
const streamNameInUseCode = 10058;
const duplicateInProcessCode = 10158;

export function isStreamMissing(error: ServerError): boolean {
  return error.err_code === streamNotFoundCode;
}

export function isMessageMissing(error: ServerError): boolean {
  return error.err_code === messageNotFoundCode;
}

export function isStreamThere(error: ServerError): boolean {
  return error.err_code === streamNameInUseCode;
}

export function isOutOfStorage(error: ServerError): boolean {
  return error.err_code === insufficientStorageCode;
}

/** The last sequence that a refused publish names; null where the refusal is another, −1 where it names none. */
export function wrongLastSequence(error: ServerError): number | null {
  if (error.err_code === wrongLastSequenceInFlightCode) return -1;
  if (error.err_code !== wrongLastSequenceCode) return null;
  const named = /(\d+)\s*$/.exec(error.description ?? '');
  return named === null ? -1 : Number(named[1]);
}

export function toLogError(error: ServerError, what: string): LogError {
  const message = `${what}: ${error.description ?? 'no description'} (${error.err_code ?? error.code})`;
  if (error.err_code === duplicateInProcessCode) return new LogError('unknown', message);
  if (error.err_code === insufficientStorageCode) return new LogError('full', message);
  if (error.err_code === storeFailedCode) {
    return new LogError(/maximum/.test(error.description ?? '') ? 'full' : 'unknown', message);
  }
  if (error.code === 503 || error.code === 500) return new LogError('unavailable', message);
  return new LogError('misconfigured', message);
}
