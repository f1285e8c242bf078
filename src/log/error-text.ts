import { LogError } from '../ports.ts';

/** An error for an alarm or a log line: of an outage what it says and why, of anything else, a bug, the stack. */
export function errorText(error: unknown): string {
  if (error instanceof LogError) {
    const cause = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    return `${error.message}${cause}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
