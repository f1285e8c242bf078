import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

export const pageHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
} as const;

const withoutPages = 'Potstream is running. The pages are not built: "npm start" builds them.\n';

/** Serves the built pages (`web/dist`): `index.html` at `/`, `verify.html` at `/verify`; without them a line of text. */
export async function servePages(
  fastify: FastifyInstance,
  directory: string,
  nextRequestId: () => string,
): Promise<ReadonlySet<string>> {
  const paths = new Set(['/']);
  await fastify.register(async (pages) => {
    pages.addHook('onSend', async (_request, reply) => {
      reply.headers(pageHeaders);
      reply.header('X-Request-Id', nextRequestId());
    });
    if (existsSync(join(directory, 'index.html'))) {
      pages.addHook('onRoute', (route) => void paths.add(route.url));
      await pages.register(fastifyStatic, { root: directory, wildcard: false, index: ['index.html'] });
      for (const page of namedPages(directory))
        pages.get(`/${page}`, (_request, reply) => reply.sendFile(`${page}.html`));
    } else {
      pages.get('/', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(withoutPages));
    }
  });
  return paths;
}

function namedPages(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.html') && file !== 'index.html')
    .map((file) => file.slice(0, -'.html'.length));
}
