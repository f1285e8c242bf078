import { LogError } from '../../ports.ts';

/** For alarms and log lines: message and cause of a LogError, the stack of any other error. */
export function errorText(error: unknown): string {
  if (error instanceof LogError) {
    const cause = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    return `${error.message}${cause}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
