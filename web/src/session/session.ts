import type { Session } from './shapes.ts';

const requestTimeoutMs = 8000;

/** Null: this system runs without the demo. Throws where it cannot be reached. */
export async function readSession(): Promise<Session | null> {
  const response = await fetch('/demo/session', {
    signal: AbortSignal.timeout(requestTimeoutMs),
    cache: 'no-store',
  });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`The session was refused with status ${response.status}.`);
  return (await response.json()) as Session;
}
