import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/gateway/api/operations/index.ts';
import { documentsOf } from '../../src/reference/documents.ts';
import { startTenancyWorld, type TenancyWorld } from '../gateway/api/tenancy/world.ts';
import { Asking } from './statuses/asking.ts';
import { decideDeliveries } from './statuses/deliveries.ts';
import * as every from './statuses/every-operation.ts';
import { decidePayments } from './statuses/payments.ts';
import * as scenarios from './statuses/scenarios.ts';
import { call, witnesses } from './statuses/witnesses.ts';

/**
 * Each status that /v1/openapi.json lists is one that its operation answers. A status of its own needs a witness in
 * statuses/witnesses.ts or statuses/scenarios.ts. The other way round is checked by every test that calls an operation (support/described.ts).
 */
let world: TenancyWorld;
let asking: Asking;
beforeAll(async () => {
  world = await startTenancyWorld();
  asking = new Asking(world);
  for (const ask of Object.values(every)) await ask(asking);
  await call(asking, witnesses);
  await decidePayments(asking);
  await decideDeliveries(asking);
  for (const play of Object.values(scenarios)) await play(asking);
});
afterAll(() => world.stop());

const paths = documentsOf(operations).openApi.paths as Record<
  string,
  Record<string, { readonly responses: object }>
>;

describe('every documented status of an operation is one that it answers', () => {
  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    (_, operation) => {
      const { responses } = paths[operation.path]![operation.method.toLowerCase()]!;
      const documented = Object.keys(responses).map(Number);
      expect(documented.filter((status) => !asking.reached(operation).has(status))).toEqual([]);
    },
  );
});
