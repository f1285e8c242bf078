import { type Logger, pino } from 'pino';

const standardError = 2;
/** Lines that cannot be written wait up to here, and are dropped beyond. */
const maxWaitingBytes = 1024 * 1024;

/**
 * A role's log, on standard error: one line of JSON each, its time as people write it and its level as a word. A full disk
 * below it stops the log, not the role.
 */
export function openRoleLog(role: string, level: string, descriptor = standardError): Logger {
  const destination = pino.destination({ dest: descriptor, maxLength: maxWaitingBytes });
  destination.on('error', () => {});
  const timestamp = pino.stdTimeFunctions.isoTime;
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino({ level, base: { role }, timestamp, formatters }, destination);
}

/** What a process says on standard error may get lost; the process goes on. Node ends it by default. */
export function outliveLostLines(): void {
  process.stderr.on('error', () => {});
}

/** A reader such as `head` may leave early; the command then ends normally. `lost` reports any other lost output. */
export function outliveReaders(lost: (message: string) => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost(`Cannot write to standard output: ${error.message}`);
  });
}
