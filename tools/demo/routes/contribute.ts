import { z } from 'zod';
import type { ServicePrincipal } from '../../../src/access/rights/principal.ts';
import { amountField } from '../../../src/contracts/fields/amount.ts';
import { foreignIdField, idempotencyKeyField } from '../../../src/contracts/fields/identifier-fields.ts';
import { isOwnId } from '../../../src/contracts/fields/identifiers.ts';
import { defineOperation, type Operation } from '../../../src/gateway/api/operation/operation.ts';
import {
  contributeBySourceOperation,
  contributeToInstanceOperation,
} from '../../../src/gateway/api/operations/operator/contributions.ts';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import { demoBrands, demoOperator, demoPlayers, demoServiceUser } from '../fixtures.ts';
import type { DemoToken } from './player-tokens.ts';

const body = z.strictObject({
  target: z.strictObject({ type: z.enum(['instance', 'source']), id: foreignIdField }),
  brand_id: foreignIdField,
  player_id: foreignIdField,
  base_wager: amountField,
  currency: z.string().min(1).max(16),
  idempotency_key: idempotencyKeyField,
});

/** For players whose brand has no wallet: the session is not asked about. */
const pageToken = 'demo-page';
const pageTokenLifetimeMs = 60_000;

/**
 * A contribution of one of the demo's players, from the page. It goes through the very operations that
 * operators call (O8, O9), as the demo's service user, so that the browser needs no credential.
 */
export const contributeForPage = (tokenOf: DemoToken): Operation =>
  defineOperation({
    id: 'demo.contribute',
    name: 'Contribution from the demo page',
    route: 'POST /demo/contribute',
    surface: 'public',
    authentication: { kind: 'none' },
    input: { body },
    output: z.unknown(),
    async handle(request, context) {
      const { target, ...fields } = request.body;
      const player = demoPlayers.find(
        (one) => one.player === fields.player_id && one.brand === fields.brand_id,
      );
      if (player === undefined) throw new PublicError('invalid_request', 'The demo has no such player.');
      if (target.type === 'instance' && !isOwnId(target.id)) throw new PublicError('invalid_identifier');
      const isInstance = target.type === 'instance';
      const passed = {
        ...request,
        principal: demoPrincipal(context.clock.nowMs()),
        params: isInstance ? { instance_id: target.id } : { source_id: target.id },
        body: {
          ...fields,
          token: tokenOf(player.player) ?? pageToken,
          player_country: player.country,
        },
      };
      return (isInstance ? contributeToInstanceOperation : contributeBySourceOperation).handle(
        passed as never,
        context,
      );
    },
  });

function demoPrincipal(nowMs: number): ServicePrincipal {
  return {
    kind: 'service',
    subject: demoServiceUser,
    operator: demoOperator,
    brands: new Set(demoBrands.map(({ brand }) => brand)),
    tokenId: '',
    expiresAtMs: nowMs + pageTokenLifetimeMs,
  };
}
