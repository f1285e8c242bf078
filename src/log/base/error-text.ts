import { LogError } from '../../ports.ts';

/** The text of an error for an alarm or a log line: message and cause of a LogError, the stack of anything else. */
export function errorText(error: unknown): string {
  if (error instanceof LogError) {
    const cause = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    return `${error.message}${cause}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
