import type { LaneReport } from '../../contracts/lanes/lane-report.ts';
import { urlToReach } from '../../lib/loopback.ts';

/** A balancer that asks `up` does not wait much longer. */
const answerWithinMs = 1000;

export type Readiness = {
  /** null: ready. */
  readonly reason: string | null;
  /** Problems that a person should look at, ready or not. */
  readonly details: readonly string[];
  /** The lanes that do not serve. */
  readonly lanes: readonly LaneReport[];
};

/** The answer of /readyz of a process on this machine, whose operations server listens on `host`. */
export async function askReadiness(
  operationsPort: number,
  host = '127.0.0.1',
  timeoutMs = answerWithinMs,
): Promise<Readiness> {
  try {
    const response = await fetch(`${urlToReach(host, operationsPort)}/readyz`, {
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { reason, details = [], lanes = [] } = (await response.json()) as Partial<Readiness>;
    if (response.ok) return { reason: null, details, lanes };
    return { reason: reason ?? `status ${response.status}`, details, lanes };
  } catch {
    return { reason: 'no answer', details: [], lanes: [] };
  }
}
