/** Whoever asks in turn, a balancer or a person, does not wait for much longer. */
const requestTimeoutMs = 1000;

export type Readiness = {
  /** null: ready. */
  readonly reason: string | null;
  /** What somebody should look at, ready or not. */
  readonly details: readonly string[];
};

/** What /readyz of a process on this machine says now. */
export async function askReadiness(operationsPort: number): Promise<Readiness> {
  try {
    const response = await fetch(`http://127.0.0.1:${operationsPort}/readyz`, {
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const { reason, details } = (await response.json()) as { reason?: unknown; details?: unknown };
    const lines = Array.isArray(details) ? details.map(String) : [];
    if (response.ok) return { reason: null, details: lines };
    return { reason: typeof reason === 'string' ? reason : `status ${response.status}`, details: lines };
  } catch {
    return { reason: 'no answer', details: [] };
  }
}
