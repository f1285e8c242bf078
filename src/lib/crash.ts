/** Ends the process: for the `catch` of a promise that fails by bugs only (docs/decisions/0069). */
export function crash(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
