import type { ServerResponse } from 'node:http';
import { PublicError } from '../base/errors.ts';
import { sendError } from './answer.ts';
import { isFeedPath } from './upgrade.ts';

/** Answers a request that no route takes: 405 with Allow where another method would do, else 404. */
export function createNotFound(
  known: readonly { readonly method: string; readonly path: string }[],
  pages: ReadonlySet<string>,
) {
  const routes = known.map(({ method, path }) => ({ method, parts: path.split('/') }));
  return (url: string, response: ServerResponse): void => {
    const path = url.split('?', 1)[0] as string;
    if (isFeedPath(path)) {
      sendError(response, new PublicError('upgrade_required'), [
        ...['Upgrade', 'websocket'],
        ...['Sec-WebSocket-Version', '13'],
      ]);
      return;
    }
    const parts = path.split('/');
    const methods = new Set<string>(pages.has(path) ? ['GET', 'HEAD'] : []);
    for (const route of routes) {
      if (!matches(route.parts, parts)) continue;
      methods.add(route.method);
      if (route.method === 'GET') methods.add('HEAD');
    }
    if (methods.size === 0) sendError(response, new PublicError('route_not_found'));
    else
      sendError(response, new PublicError('method_not_allowed'), ['Allow', [...methods].sort().join(', ')]);
  };
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((part, index) => (part.startsWith('{') ? parts[index] !== '' : part === parts[index]))
  );
}
