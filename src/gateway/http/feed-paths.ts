import type { IncomingMessage } from 'node:http';

/** Paths that belong to the fan-out: O4, O21, O22. */
export function isFeedPath(path: string): boolean {
  return path.startsWith('/events/') || path.startsWith('/event/') || path === '/v1/jackpot/status';
}

export function requestPath(request: IncomingMessage): string {
  return (request.url as string).split('?', 1)[0] as string;
}
