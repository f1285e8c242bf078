/**
 * The yardsticks of the lookups row: Fastify routes at the paths of O12, O13 and O20 that check the same
 * inputs and answer, by the same schema, with a body that was taken from the product once. They look nothing
 * up.
 */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

interface Bodies {
  readonly o12: unknown;
  readonly o13: unknown;
  readonly o20: unknown;
}

const [port, bodiesFile] = process.argv.slice(2) as [string, string];
const bodies = JSON.parse(readFileSync(bodiesFile, 'utf8')) as Bodies;
const server = Fastify({
  logger: false,
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
});

const id = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' };
const foreignId = { type: 'string', minLength: 1, maxLength: 128 };
const owner = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}(:[A-Za-z0-9_-]{1,64})?$' };
const lookupQuery = {
  player_id: foreignId,
  country_code: { type: 'string', maxLength: 64 },
  segments: { type: 'string', maxLength: 16_384 },
  game_code: foreignId,
};

function route(path: string, params: object, query: object | undefined, body: unknown): void {
  server.get(
    path,
    {
      schema: {
        params: { type: 'object', properties: params, additionalProperties: false },
        ...(query === undefined
          ? {}
          : { querystring: { type: 'object', properties: query, additionalProperties: false } }),
        response: { 200: schemaOf(body) },
      },
    },
    async () => body,
  );
}

const bySource = { source_id: foreignId, brand_id: owner };
const suffix = 'jackpot/instances/source/:source_id/brand/:brand_id';
route(`/v1/operator/${suffix}`, bySource, lookupQuery, bodies.o12);
route(`/v1/${suffix}`, bySource, lookupQuery, bodies.o13);
route('/v1/jackpot/instances/:instance_id/ticker', { instance_id: id }, undefined, bodies.o20);

await server.listen({ host: '127.0.0.1', port: Number(port) });
process.stdout.write('listening\n');

/** The schema that serializes such a value with every member named, as fast as Fastify can. */
function schemaOf(value: unknown): Record<string, unknown> {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: value.length === 0 ? {} : schemaOf(value[0]) };
  if (typeof value === 'object') {
    const members = Object.entries(value as object).map(([name, member]) => [name, schemaOf(member)]);
    return { type: 'object', properties: Object.fromEntries(members) };
  }
  return { type: typeof value };
}
