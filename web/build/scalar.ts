import scalarReference from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import type { Plugin } from 'vite';

const id = 'virtual:scalar';

/** `virtual:scalar` is the URL of Scalar's script for browsers, which its plugin for Fastify has and serves. */
export function scalar(): Plugin {
  return {
    name: 'scalar',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(resolved) {
      if (resolved !== `\0${id}`) return undefined;
      const file = this.emitFile({ type: 'asset', name: 'scalar.js', source: await scriptOfScalar() });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}

async function scriptOfScalar(): Promise<string> {
  const server = fastify();
  const content = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };
  await server.register(scalarReference, { routePrefix: '/docs', configuration: { content } });
  const { statusCode, body } = await server.inject('/docs/js/scalar.js');
  await server.close();
  if (statusCode !== 200) throw new Error(`Scalar answers ${statusCode} in place of its script.`);
  return body;
}
