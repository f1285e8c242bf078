/**
 * The yardstick of the O8 row: a Fastify route with the very schemas of O8 that answers a fixed result. It
 * validates and serializes, and does nothing else: the ceiling of what a Fastify gateway can reach.
 */
import Fastify from 'fastify';
import * as z from 'zod';
import { instanceContribution } from '../../src/contracts/contributions/contribution.ts';

const server = Fastify({
  logger: false,
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
});

const result = {
  instance_id: 'an-instance-of-the-yardstick',
  timestamp: 1_700_000_000_000,
  gameround_id: 'round-of-the-load-generator',
  win_amount: 0,
  win_pot_id: null,
  tickets_awarded: 0,
  win_withheld: false,
  contribution_currency: 'EUR',
  contribution_amount: 0.1,
  bonus_amount_used: 0,
  metadata: { table: 'seven', shift: 'night' },
};

server.post(
  '/v1/jackpot/instances/:instance_id/contributions',
  {
    schema: {
      body: withoutDialect(
        z.toJSONSchema(instanceContribution, { target: 'draft-7', io: 'input', unrepresentable: 'any' }),
      ),
      response: {
        200: {
          type: 'object',
          properties: {
            instance_id: { type: 'string' },
            timestamp: { type: 'integer' },
            gameround_id: { type: ['string', 'null'] },
            win_amount: { type: 'number' },
            win_pot_id: { type: ['string', 'null'] },
            tickets_awarded: { type: 'integer' },
            win_withheld: { type: 'boolean' },
            contribution_currency: { type: 'string' },
            contribution_amount: { type: 'number' },
            bonus_amount_used: { type: 'number' },
            metadata: {},
          },
        },
      },
    },
  },
  async (_request, reply) => {
    reply.header('X-Contribution-Id', '00000000-0000-4000-8000-000000000000');
    return result;
  },
);

await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
process.stdout.write('listening\n');

function withoutDialect(schema: Record<string, unknown>): Record<string, unknown> {
  const { $schema: _, ...rest } = schema;
  return rest;
}
