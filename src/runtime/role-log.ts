import { type Logger, pino } from 'pino';

const standardError = 2;
/** Limit of lines that wait to be written; further ones are dropped. */
const maxWaitingBytes = 1024 * 1024;

/**
 * A role's log on standard error: JSON lines with ISO times and named levels. A full disk stops the log, not the role.
 */
export function openRoleLog(role: string, level: string, descriptor = standardError): Logger {
  const destination = pino.destination({ dest: descriptor, maxLength: maxWaitingBytes });
  destination.on('error', () => {});
  const timestamp = pino.stdTimeFunctions.isoTime;
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino({ level, base: { role }, timestamp, formatters }, destination);
}

/** Lost lines on standard error do not end the process, as they do by default in Node. */
export function outliveLostLines(): void {
  process.stderr.on('error', () => {});
}

/** A reader such as `head` may leave early; the command then ends normally. `lost` reports any other lost output. */
export function outliveReaders(lost: (message: string) => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost(`Cannot write to standard output: ${error.message}`);
  });
}
