import type { IncomingMessage } from 'node:http';

const openEnded = new WeakSet<IncomingMessage>();

/** From now on the request's body may take as long as it likes to arrive. */
export function markOpenEnded(request: IncomingMessage): void {
  openEnded.add(request);
}

/** Whether no time is set for the body of the request. */
export function isOpenEnded(request: IncomingMessage): boolean {
  return openEnded.has(request);
}
