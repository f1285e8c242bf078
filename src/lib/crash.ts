/**
 * Ends the process as any uncaught error does. For the `catch` of a promise that fails only by a bug
 * (docs/decisions/0069).
 */
export function crash(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
