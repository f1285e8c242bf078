import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { nextRequestId } from '../base/request-id.ts';

/** number-flow writes this style sheet into its digits; a test computes it again. */
export const rollingDigitsHash = 'sha256-HR6/MuuYfB8aijiNP5MPm3YOR8WqVmL7UkE3Q8OslTs=';

const headersWith = (styles: string) => ({
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    `default-src 'self'; style-src 'self' ${styles}; img-src 'self' data:; object-src 'none'; base-uri 'none'; ` +
    "form-action 'self'; frame-ancestors 'none'",
});
const pageHeaders = headersWith(`'${rollingDigitsHash}'`);
/** The reference writes its own style sheets into the page. */
const referenceHeaders = headersWith("'unsafe-inline'");

const withoutPages = 'Potstream is running. The pages are not built: "npm start" builds them.\n';

/**
 * Serves the built pages (`web/dist`): `index.html` at `/`, the others by name; without them a line of text.
 * Files with the hash of their content in their name never change.
 */
export async function servePages(fastify: FastifyInstance, directory: string): Promise<ReadonlySet<string>> {
  const paths = new Set(['/']);
  await fastify.register(async (pages) => {
    pages.addHook('onSend', async (request, reply) => {
      reply.headers(/^\/docs(?:\.html)?(?:\?|$)/.test(request.url) ? referenceHeaders : pageHeaders);
      reply.header('X-Request-Id', nextRequestId());
    });
    if (existsSync(join(directory, 'index.html'))) {
      pages.addHook('onRoute', (route) => void paths.add(route.url));
      await pages.register(fastifyStatic, {
        root: directory,
        wildcard: false,
        index: ['index.html'],
        preCompressed: true,
        cacheControl: false,
        setHeaders: (response, path) =>
          void response.header(
            'Cache-Control',
            isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
          ),
      });
      for (const page of namedPages(directory))
        pages.get(`/${page}`, (_request, reply) => reply.sendFile(`${page}.html`));
    } else {
      pages.get('/', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(withoutPages));
    }
  });
  return paths;
}

/** Pages of every origin load these; their names stay when their content changes. */
const clientHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=300',
};

/** Serves the built scripts of `client/dist` below `/client`; gives their paths. */
export async function serveClient(fastify: FastifyInstance, directory: string): Promise<readonly string[]> {
  if (!existsSync(directory)) return [];
  const scripts = readdirSync(directory).filter((file) => file.endsWith('.js'));
  await fastify.register(async (client) => {
    client.addHook('onSend', async (_request, reply) => {
      reply.headers(clientHeaders);
      reply.header('X-Request-Id', nextRequestId());
    });
    await client.register(fastifyStatic, {
      root: directory,
      serve: false,
      preCompressed: true,
      cacheControl: false,
    });
    for (const file of scripts) client.get(`/client/${file}`, (_request, reply) => reply.sendFile(file));
  });
  return scripts.map((file) => `/client/${file}`);
}

function isHashed(path: string): boolean {
  return basename(dirname(path)) === 'assets';
}

function namedPages(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.html') && file !== 'index.html')
    .map((file) => file.slice(0, -'.html'.length));
}
