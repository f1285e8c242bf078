import { LogError } from '../../ports.ts';

/** An error of the JetStream API. */
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

/** Whether the stream does not exist. */
export function isStreamMissing(error: ServerError): boolean {
  return error.err_code === streamNotFoundCode;
}

/** Whether the stream does not have the message. */
export function isMessageMissing(error: ServerError): boolean {
  return error.err_code === messageNotFoundCode;
}

/** Whether a stream of this name exists already. */
export function isStreamThere(error: ServerError): boolean {
  return error.err_code === streamNameInUseCode;
}

/** Whether the server or the account lacks the storage that the stream asks for. */
export function isOutOfStorage(error: ServerError): boolean {
  return error.err_code === insufficientStorageCode;
}

/** The last sequence that a refused publish names: −1 if it names no number, null for any other refusal. */
export function wrongLastSequence(error: ServerError): number | null {
  if (error.err_code === wrongLastSequenceInFlightCode) return -1;
  if (error.err_code !== wrongLastSequenceCode) return null;
  const named = /(\d+)\s*$/.exec(error.description ?? '');
  return named === null ? -1 : Number(named[1]);
}

/** As a LogError: `unknown`, `full`, `unavailable`, else `misconfigured`. `what` begins its message. */
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
