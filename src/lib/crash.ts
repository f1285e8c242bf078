/**
 * For the `catch` of a promise whose failure is a bug that nobody here could go on from: the process ends as after any
 * other uncaught error, and whoever supervises it judges (docs/decisions/0158).
 */
export function crash(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
