import { type Logger, pino } from 'pino';

const standardError = 2;
/** Lines that cannot be written wait up to this size and are dropped beyond it. */
const maxWaitingBytes = 1024 * 1024;

/**
 * The log of a role on standard error, or in a file: one line of JSON each, with ISO 8601 times and levels as
 * words. A full disk stops the log, not the role.
 */
export function openRoleLog(role: string, level: string, dest: number | string = standardError): Logger {
  const destination = pino.destination({ dest, maxLength: maxWaitingBytes, mode: 0o600 });
  destination.on('error', () => {});
  const timestamp = pino.stdTimeFunctions.isoTime;
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino({ level, base: { role }, timestamp, formatters }, destination);
}

/** Keeps the process alive if standard error cannot be written. Node would end it. */
export function outliveLostLines(): void {
  process.stderr.on('error', () => {});
}

/** Ignores a reader of standard output that leaves early, such as `head`; `lost`: another write error. */
export function outliveReaders(lost: (message: string) => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost(`Cannot write to standard output: ${error.message}`);
  });
}
