import type { FastifyInstance } from 'fastify';
import type { Operation } from '../operation.ts';
import { documentsOf } from '../reference/documents.ts';
import { referencePage } from '../reference/page/page.ts';
import { referenceStyle } from '../reference/page/style.ts';
import { pageHeaders } from './pages.ts';

/** Serves the readable reference at `/docs`. It is written when it is first asked for. */
export function serveReference(
  fastify: FastifyInstance,
  operations: readonly Operation[],
  nextRequestId: () => string,
): ReadonlySet<string> {
  let page = '';
  const send = (path: string, type: string, text: () => string): void => {
    fastify.get(path, (_request, reply) =>
      reply
        .headers({ ...pageHeaders, 'X-Request-Id': nextRequestId(), 'Cache-Control': 'no-cache' })
        .type(type)
        .send(text()),
    );
  };
  send('/docs', 'text/html; charset=utf-8', () => {
    page ||= referencePage(documentsOf(operations));
    return page;
  });
  send('/docs/reference.css', 'text/css; charset=utf-8', () => referenceStyle);
  return new Set(['/docs', '/docs/reference.css']);
}
