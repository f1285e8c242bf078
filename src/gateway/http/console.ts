import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { nextRequestId } from '../base/request-id.ts';

/** Where the built console is, and what its page has to know before a person has logged in. */
export interface ConsoleOptions {
  readonly directory: string;
  /** Its page offers to enter the demo with one click. */
  readonly hasDemoLogin: boolean;
}

const headers = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; " +
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
};

/**
 * Serves the built console below `/console/`: its files, and `index.html` for each address of a screen; gives
 * the paths (docs/decisions/0494). Without a build there is nothing.
 */
export async function serveConsole(
  fastify: FastifyInstance,
  { directory, hasDemoLogin }: ConsoleOptions,
): Promise<readonly string[]> {
  if (!existsSync(join(directory, 'index.html'))) return [];
  const paths = ['/console'];
  await fastify.register(async (pages) => {
    pages.addHook('onSend', async (_request, reply) => {
      reply.headers(headers);
      reply.header('X-Request-Id', nextRequestId());
    });
    pages.addHook('onRoute', (route) => void paths.push(route.url));
    await pages.register(fastifyStatic, {
      root: directory,
      prefix: '/console/',
      wildcard: false,
      index: ['index.html'],
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) =>
        void response.header(
          'Cache-Control',
          basename(dirname(path)) === 'assets' ? 'public, max-age=31536000, immutable' : 'no-cache',
        ),
    });
    pages.get('/console', (_request, reply) => reply.redirect('/console/', 308));
    pages.get('/console/settings.json', (_request, reply) =>
      reply.header('Cache-Control', 'no-cache').send({ has_demo_login: hasDemoLogin }),
    );
    pages.get('/console/*', (request, reply) => {
      const isFile = request.url.startsWith('/console/assets/');
      return isFile ? reply.callNotFound() : reply.sendFile('index.html');
    });
  });
  return paths;
}
